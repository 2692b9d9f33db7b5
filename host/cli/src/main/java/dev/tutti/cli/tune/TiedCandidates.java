package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The candidates of one cell that measurements cannot distinguish.
 *
 * @param cell the measured request
 * @param candidates the candidates that cannot be distinguished from the fastest in any state of
 *     the machine, in the order of ties; if there is none, the one with the smallest worst ratio
 */
record TiedCandidates(SweepPoint cell, List<Candidate> candidates) {

  /**
   * Finds the candidates.
   *
   * @param states the measurements of the cell in each state of the machine; at least one
   */
  static TiedCandidates of(SweepPoint cell, List<TuneResult> states) {
    List<Candidate> all =
        states.getFirst().times().stream().map(TuneResult.Time::candidate).toList();
    List<Candidate> tied =
        all.stream().filter(each -> isTied(each, states)).sorted(Candidate.TIES).toList();
    return new TiedCandidates(cell, tied.isEmpty() ? List.of(least(all, states)) : tied);
  }

  private static boolean isTied(Candidate candidate, List<TuneResult> states) {
    return states.stream()
        .map(state -> state.time(candidate))
        .allMatch(time -> time.map(TuneResult.Time::isTied).orElse(false));
  }

  private static Candidate least(List<Candidate> all, List<TuneResult> states) {
    return all.stream()
        .min(Comparator.comparingDouble(candidate -> worstRatio(candidate, states)))
        .orElseThrow();
  }

  /** The worst ratio of a candidate; states in which it was not measured do not count. */
  private static double worstRatio(Candidate candidate, List<TuneResult> states) {
    return states.stream()
        .map(state -> state.time(candidate))
        .flatMap(Optional::stream)
        .mapToDouble(time -> time.ratio().median())
        .max()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
