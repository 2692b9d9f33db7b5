package dev.tutti.cli.tune;

import dev.tutti.cli.measure.Distribution;
import dev.tutti.host.pool.Candidate;
import java.util.ArrayList;
import java.util.List;

/** One candidate of a comparison, with its times in microseconds by batch and round. */
final class CandidateSamples {

  private final Candidate candidate;
  private final boolean isTwin;

  /** One array for each batch of the comparison; empty for batches without this candidate. */
  private final List<double[]> batches = new ArrayList<>();

  private boolean isOut;

  /**
   * Starts without times.
   *
   * @param isTwin whether this is the second copy of a candidate that takes part twice, so that the
   *     difference between the two shows the noise
   */
  CandidateSamples(Candidate candidate, boolean isTwin) {
    this.candidate = candidate;
    this.isTwin = isTwin;
  }

  Candidate candidate() {
    return candidate;
  }

  boolean isTwin() {
    return isTwin;
  }

  /** Whether it takes part in the next batch. */
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
    batches.add(micros);
  }

  boolean isMeasured() {
    return batches.stream().anyMatch(batch -> batch.length > 0);
  }

  /** The median over the rounds of each batch, then the median over batches. */
  double micros() {
    return Distribution.of(
            batches.stream()
                .filter(batch -> batch.length > 0)
                .mapToDouble(batch -> Distribution.of(batch).median()))
        .median();
  }

  /** The number of batches that have this candidate and another one, from batch {@code from} on. */
  int batchesWith(CandidateSamples other, int from) {
    int common = 0;
    for (int batch = from; batch < Math.min(batches.size(), other.batches.size()); batch++) {
      common += batches.get(batch).length > 0 && other.batches.get(batch).length > 0 ? 1 : 0;
    }
    return common;
  }

  /**
   * The ratio of its time to that of another candidate: for each batch from {@code from} on, the
   * median of the ratios in the same rounds.
   */
  Ratio to(CandidateSamples other, int from) {
    double[] ratios = new double[batchesWith(other, from)];
    int count = 0;
    for (int batch = from; count < ratios.length; batch++) {
      double[] own = batches.get(batch);
      double[] others = other.batches.get(batch);
      if (own.length > 0 && others.length > 0) {
        ratios[count++] = Distribution.of(own.length, round -> own[round] / others[round]).median();
      }
    }
    return Ratio.of(ratios);
  }
}
