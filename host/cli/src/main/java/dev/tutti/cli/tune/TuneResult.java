package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The measurements of one cell in one state of the machine.
 *
 * @param cell the request
 * @param hopNanos the state, by the time of a cache line between processors; 0 if it is not known
 * @param times the time of each algorithm, the fastest first; at least one
 * @param chosen the currently chosen algorithm
 */
record TuneResult(SweepPoint cell, int hopNanos, List<Time> times, Candidate chosen) {

  /**
   * The time of one candidate.
   *
   * @param micros the time of one run: that of the fastest one times the ratio
   * @param ratio its time divided by that of the fastest one, measured in the same rounds
   */
  record Time(Candidate candidate, double micros, Ratio ratio) {

    /** A larger ratio is not a tie, even if the measurements are uncertain. */
    private static final double MAX_TIE = 1.1;

    /** A smaller ratio is a tie, even if the difference is certain. */
    private static final double NO_MATTER = 1.02;

    /** Whether it cannot be distinguished from the fastest one. */
    boolean isTied() {
      return ratio.median() <= NO_MATTER || (ratio.low() <= 1 && ratio.median() <= MAX_TIE);
    }
  }

  /** The result of a comparison; empty if no candidate could be measured. */
  static Optional<TuneResult> of(
      SweepPoint cell, int hopNanos, Comparison comparison, Candidate chosen) {
    return comparison
        .fastest()
        .map(fastest -> new TuneResult(cell, hopNanos, times(comparison, fastest), chosen));
  }

  private static List<Time> times(Comparison comparison, CandidateSamples fastest) {
    List<Time> times = new ArrayList<>();
    times.add(time(fastest, fastest));
    comparison.measured().stream()
        .filter(samples -> samples != fastest)
        .map(samples -> time(samples, fastest))
        .forEach(times::add);
    return List.copyOf(times);
  }

  private static Time time(CandidateSamples samples, CandidateSamples fastest) {
    Ratio ratio = samples.to(fastest, 0);
    return new Time(samples.candidate(), fastest.micros() * ratio.median(), ratio);
  }

  /** The time of a candidate; empty if it was not measured. */
  Optional<Time> time(Candidate candidate) {
    return times.stream()
        .filter(time -> time.candidate().label().equals(candidate.label()))
        .findFirst();
  }

  /** The time of the fastest candidate. */
  Time best() {
    return times.getFirst();
  }

  /** The time of the chosen candidate; that of the fastest if it was not measured. */
  double chosenMicros() {
    return time(chosen).orElse(best()).micros();
  }

  /** The time of the chosen candidate divided by that of the fastest. */
  double ratio() {
    return chosenMicros() / best().micros();
  }
}
