package dev.tutti.host.cli;

import dev.tutti.host.pool.Candidate;
import java.util.Comparator;
import java.util.List;

/**
 * What was measured for one cell.
 *
 * @param cell what was asked for
 * @param bytes the size by which algorithms are chosen
 * @param times the median time of each algorithm; at least one
 * @param chosen the algorithm that is chosen now
 */
record TuneResult(TuneCell cell, long bytes, List<Time> times, Candidate chosen) {

  /**
   * The time of one candidate.
   *
   * @param micros the median time of one run
   */
  record Time(Candidate candidate, double micros) {}

  /** The fastest. */
  Time best() {
    return times.stream().min(Comparator.comparingDouble(Time::micros)).orElseThrow();
  }

  /** The time of what is chosen now; that of the fastest if it was not measured. */
  double chosenMicros() {
    return times.stream()
        .filter(time -> time.candidate().label().equals(chosen.label()))
        .mapToDouble(Time::micros)
        .findFirst()
        .orElse(best().micros());
  }

  /** How many times as long as the fastest the chosen one takes. */
  double ratio() {
    return chosenMicros() / best().micros();
  }
}
