package dev.tutti.cli.tune.model;

import dev.tutti.engine.machine.MachineModel;
import java.util.ArrayList;
import java.util.List;

/**
 * Fits a machine model to measured times: damped least squares (Levenberg and Marquardt) of the
 * logarithms of the model's numbers, so that all stay above 0. The error is that of the logarithm
 * of a time, so that short and long times have the same weight. A large error counts less than its
 * square, because the machine may have been disturbed. A number that no time determines well stays
 * near its starting value.
 */
public final class ModelFit {

  private static final int MAX_STEPS = 200;
  private static final double FIRST_DAMPING = 1e-2;
  private static final double MOST_DAMPING = 1e6;
  private static final double LEAST_GAIN = 1e-7;

  /** The largest change of a number's logarithm in one step. */
  private static final double MAX_CHANGE = 0.5;

  /** The change of a logarithm to compute slopes. */
  private static final double NUDGE = 1e-3;

  /** An error of the logarithm above this counts linearly. */
  private static final double LARGE = 0.3;

  /** The cost of changing a number, per square of the logarithm's change. */
  private static final double INERTIA = 0.1;

  private static final int FOLDS = 4;

  private final List<ProbeSample> samples;
  private final MachineModel from;
  private final double[] start;
  private double[] values;
  private double[] errors;

  private ModelFit(List<ProbeSample> samples, MachineModel from) {
    this.samples = samples;
    this.from = from;
    this.start = ModelVector.logarithms(from);
    this.values = start;
    this.errors = errors(start);
  }

  /** The fitted model, starting from another one; equal times give equal models. */
  public static MachineModel fit(List<ProbeSample> samples, MachineModel from) {
    return new ModelFit(samples, from).search();
  }

  private MachineModel search() {
    double damping = FIRST_DAMPING;
    double least = loss(values, errors);
    for (int step = 0; step < MAX_STEPS && damping < MOST_DAMPING; step++) {
      double[] tried = next(damping);
      double[] triedErrors = errors(tried);
      double loss = loss(tried, triedErrors);
      if (loss < least - LEAST_GAIN) {
        values = tried;
        errors = triedErrors;
        least = loss;
        damping /= 3;
      } else {
        damping *= 4;
      }
    }
    return ModelVector.model(values, from);
  }

  private double[] errors(double[] at) {
    MachineModel model = ModelVector.model(at, from);
    return samples.stream().mapToDouble(sample -> sample.error(model)).toArray();
  }

  private double loss(double[] at, double[] errorsThere) {
    double loss = 0;
    for (double signed : errorsThere) {
      double error = Math.abs(signed);
      loss += error < LARGE ? error * error : LARGE * (2 * error - LARGE);
    }
    for (int i = 0; i < at.length; i++) {
      loss += INERTIA * (at[i] - start[i]) * (at[i] - start[i]);
    }
    return loss;
  }

  private double[] next(double damping) {
    double[] change =
        new NormalEquations(slopes(), weights(), errors, values, start).solve(damping);
    double[] next = values.clone();
    for (int i = 0; i < next.length; i++) {
      next[i] += Math.clamp(change[i], -MAX_CHANGE, MAX_CHANGE);
    }
    return next;
  }

  /** The slope of each sample's error for each number, indexed by number first. */
  private double[][] slopes() {
    double[][] slopes = new double[values.length][];
    for (int i = 0; i < slopes.length; i++) {
      double[] nudged = values.clone();
      nudged[i] += NUDGE;
      slopes[i] = errors(nudged);
      for (int sample = 0; sample < errors.length; sample++) {
        slopes[i][sample] = (slopes[i][sample] - errors[sample]) / NUDGE;
      }
    }
    return slopes;
  }

  private double[] weights() {
    double[] weights = new double[errors.length];
    for (int sample = 0; sample < weights.length; sample++) {
      weights[sample] = Math.min(1, LARGE / Math.abs(errors[sample]));
    }
    return weights;
  }

  /** One step of the least squares. */
  private record NormalEquations(
      double[][] slopes, double[] weights, double[] errors, double[] values, double[] start) {

    double[] solve(double damping) {
      int size = values.length;
      double[][] matrix = new double[size][size + 1];
      for (int row = 0; row < size; row++) {
        for (int column = 0; column < size; column++) {
          matrix[row][column] = product(slopes[row], slopes[column]);
        }
        matrix[row][row] += INERTIA;
        matrix[row][row] *= 1 + damping;
        matrix[row][size] = -product(slopes[row], errors) - INERTIA * (values[row] - start[row]);
      }
      return eliminate(matrix);
    }

    private double product(double[] a, double[] b) {
      double sum = 0;
      for (int sample = 0; sample < errors.length; sample++) {
        sum += weights[sample] * a[sample] * b[sample];
      }
      return sum;
    }

    /** Gaussian elimination without pivoting: the matrix is symmetric and positive definite. */
    private static double[] eliminate(double[][] matrix) {
      int size = matrix.length;
      for (int pivot = 0; pivot < size; pivot++) {
        for (int row = pivot + 1; row < size; row++) {
          double factor = matrix[row][pivot] / matrix[pivot][pivot];
          for (int column = pivot; column <= size; column++) {
            matrix[row][column] -= factor * matrix[pivot][column];
          }
        }
      }
      double[] solution = new double[size];
      for (int row = size - 1; row >= 0; row--) {
        double rest = matrix[row][size];
        for (int column = row + 1; column < size; column++) {
          rest -= matrix[row][column] * solution[column];
        }
        solution[row] = rest / matrix[row][row];
      }
      return solution;
    }
  }

  /** The mean relative error of a time, for example 0.1. */
  public static double error(List<ProbeSample> samples, MachineModel model) {
    double sum = 0;
    for (ProbeSample sample : samples) {
      sum += Math.abs(sample.error(model));
    }
    return samples.isEmpty() ? 0 : Math.expm1(sum / samples.size());
  }

  /**
   * The error for times outside a fit (cross-validation): each quarter of the samples is tested
   * with the model that is fitted to the others.
   */
  public static double errorOfOthers(List<ProbeSample> samples, MachineModel from) {
    double sum = 0;
    for (int fold = 0; fold < FOLDS; fold++) {
      List<ProbeSample> seen = new ArrayList<>();
      List<ProbeSample> unseen = new ArrayList<>();
      for (int i = 0; i < samples.size(); i++) {
        (i % FOLDS == fold ? unseen : seen).add(samples.get(i));
      }
      sum += Math.log1p(error(unseen, fit(seen, from))) * unseen.size();
    }
    return Math.expm1(sum / samples.size());
  }
}
