package dev.tutti.host.cli;

import dev.tutti.host.pool.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One candidate of a race, with its times in microseconds by heat and round. */
final class Lane {

  private final Candidate candidate;
  private final boolean isTwin;

  /** One array for each heat of the race, empty for those that this lane was not in. */
  private final List<double[]> heats = new ArrayList<>();

  private boolean isOut;

  /**
   * A lane without times.
   *
   * @param isTwin whether another lane has the same candidate, so that the two show what is noise
   */
  Lane(Candidate candidate, boolean isTwin) {
    this.candidate = candidate;
    this.isTwin = isTwin;
  }

  Candidate candidate() {
    return candidate;
  }

  boolean isTwin() {
    return isTwin;
  }

  /** Whether it takes part in the next heat. */
  boolean isIn() {
    return !isOut;
  }

  void leave() {
    isOut = true;
  }

  /** Takes part again, with the times that it has. */
  void enter() {
    isOut = false;
  }

  void add(double[] micros) {
    heats.add(micros);
  }

  boolean isMeasured() {
    return heats.stream().anyMatch(heat -> heat.length > 0);
  }

  /** The median over heats of the median over rounds. */
  double micros() {
    return median(
        heats.stream().filter(heat -> heat.length > 0).mapToDouble(Lane::median).toArray());
  }

  /** How often this lane and another were in one heat, from one heat on. */
  int heatsWith(Lane other, int from) {
    int common = 0;
    for (int heat = from; heat < Math.min(heats.size(), other.heats.size()); heat++) {
      common += heats.get(heat).length > 0 && other.heats.get(heat).length > 0 ? 1 : 0;
    }
    return common;
  }

  /**
   * How many times as long as another one it takes: for each heat from one on, the median of the
   * ratios in the same rounds.
   */
  Ratio to(Lane other, int from) {
    double[] ratios = new double[heatsWith(other, from)];
    int count = 0;
    for (int heat = from; count < ratios.length; heat++) {
      double[] own = heats.get(heat);
      double[] others = other.heats.get(heat);
      if (own.length > 0 && others.length > 0) {
        double[] rounds = new double[own.length];
        Arrays.setAll(rounds, round -> own[round] / others[round]);
        ratios[count++] = median(rounds);
      }
    }
    return Ratio.of(ratios);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
