package dev.tutti.cli.tune;

import dev.tutti.cli.host.HostUse;
import dev.tutti.host.pool.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Measures the candidates of one cell in one state of the machine in turns, in batches of a few
 * rounds. A hopeless candidate leaves after the first batch, so that the time is spent on close
 * ones. The time of a run ends when every rank has its result, so it is the maximum over ranks.
 */
final class Comparison {

  /** After the first batch, a candidate leaves if its ratio to the fastest is larger than this. */
  private static final double HOPELESS = 1.5;

  /** After later batches, a candidate leaves if the low end of its ratio is larger than this. */
  private static final double CLOSE = 1.15;

  private static final int MIN_BATCHES = 2;
  private static final int MAX_BATCHES = 12;
  private static final int ROUNDS = 5;

  /** The warm-up of each candidate in the first batch, so no comparison takes less time. */
  static final Duration FIRST_WARM_UP = Duration.ofMillis(10);

  private static final Duration WARM_UP = Duration.ofMillis(1);

  private final HostUse host;
  private final SweepPoint cell;
  private final List<CandidateSamples> candidates = new ArrayList<>();
  private int batches;

  Comparison(HostUse host, SweepPoint cell, List<Candidate> compared) {
    this.host = host;
    this.cell = cell;
    compared.forEach(each -> candidates.add(new CandidateSamples(each, false)));
  }

  /** Makes a candidate take part twice; the difference between the two is noise. */
  void addTwin(Candidate candidate) {
    candidates.add(new CandidateSamples(candidate, true));
  }

  /** The second copy of the candidate that takes part twice. */
  CandidateSamples twin() {
    return candidates.stream().filter(CandidateSamples::isTwin).findFirst().orElseThrow();
  }

  /** The number of batches so far. */
  int batches() {
    return batches;
  }

  /** All measured candidates, except the twin. */
  List<CandidateSamples> measured() {
    return candidates.stream()
        .filter(samples -> samples.isMeasured() && !samples.isTwin())
        .toList();
  }

  /** The fastest candidate; empty if none could be measured. */
  Optional<CandidateSamples> fastest() {
    return measured().stream()
        .filter(CandidateSamples::isIn)
        .min(Comparator.comparingDouble(CandidateSamples::micros));
  }

  /** The samples of a candidate. */
  Optional<CandidateSamples> of(Candidate candidate) {
    return measured().stream()
        .filter(samples -> samples.candidate().label().equals(candidate.label()))
        .findFirst();
  }

  /**
   * Runs one batch with all remaining candidates.
   *
   * @param isValid whether the batch counts, called after the batch
   * @return whether it counts
   */
  boolean batch(BooleanSupplier isValid) {
    try (MeasurementBatch batch = new MeasurementBatch(host, cell, candidates)) {
      batch.run(batches == 0 ? FIRST_WARM_UP : WARM_UP, ROUNDS);
      boolean counts = isValid.getAsBoolean();
      if (counts) {
        batch.handOver(candidates);
        batches++;
      }
      return counts;
    }
  }

  /**
   * Whether the fastest candidate is found, as far as the time allows.
   *
   * @param isTimeLeft whether more than the smallest number of batches may run
   */
  boolean isScreened(boolean isTimeLeft) {
    return batches >= MAX_BATCHES
        || (batches >= MIN_BATCHES && !isTimeLeft)
        || (batches > 0
            && candidates.stream().filter(samples -> samples.isIn() && !samples.isTwin()).count()
                < 2);
  }

  /** Removes candidates that are too slow to win. */
  void leaveBehind() {
    fastest().ifPresent(this::leave);
  }

  private void leave(CandidateSamples fastest) {
    for (CandidateSamples samples : measured()) {
      if (samples != fastest && samples.isIn()) {
        Ratio ratio = samples.to(fastest, 0);
        double bound = batches == 1 ? HOPELESS : CLOSE;
        if (ratio.low() > bound) {
          samples.leave();
        }
      }
    }
  }

  /** Keeps only these candidates for the next batches. */
  void keep(List<CandidateSamples> kept) {
    candidates.forEach(CandidateSamples::leave);
    kept.forEach(CandidateSamples::enter);
  }
}
