package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * Compares the chosen candidate of one cell with the fastest, in one state of the machine. It finds
 * the fastest one first, and then compares the two in separate batches. Among many similar
 * candidates, the one that looks fastest was partly lucky, so the first batches would overstate its
 * lead.
 */
final class ChoiceComparison {

  private static final int MAX_BATCHES = 60;

  private final Comparison comparison;
  private final Candidate chosen;
  private final CandidateSamples twin;
  private final double limit;

  private Optional<CandidateSamples> own = Optional.empty();
  private Optional<CandidateSamples> fastest = Optional.empty();
  private boolean isFound;

  /** The first batch that compares the two. */
  private int from;

  ChoiceComparison(Comparison comparison, Candidate chosen, double limit) {
    this.comparison = comparison;
    this.chosen = chosen;
    this.twin = comparison.twin();
    this.limit = limit;
  }

  /** Whether another batch is needed. */
  boolean wantsBatch(boolean isTimeLeft) {
    if (!comparison.isScreened(false)) {
      return true;
    }
    if (!isFound) {
      find();
    }
    if (own.isEmpty() || fastest.isEmpty()) {
      return false;
    }
    return !isEnough() || (isTimeLeft && isOpen(own.get(), fastest.get()));
  }

  private void find() {
    isFound = true;
    own = comparison.of(chosen);
    fastest = comparison.fastest();
    if (own.isPresent() && fastest.isPresent()) {
      boolean isFastest = own.equals(fastest);
      from = isFastest ? 0 : comparison.batches();
      comparison.keep(
          isFastest ? List.of(own.get(), twin) : List.of(own.get(), fastest.get(), twin));
    }
  }

  private boolean isEnough() {
    return comparison.batches() - from >= Ratio.ENOUGH;
  }

  private boolean isOpen(CandidateSamples own, CandidateSamples fastest) {
    return own != fastest
        && comparison.batches() - from < MAX_BATCHES
        && CompareResult.Verdict.of(own.to(fastest, from), limit) == CompareResult.Verdict.OPEN;
  }

  /**
   * The result; empty if the chosen candidate cannot be measured, or if there were too few batches.
   */
  Optional<CompareResult> result(SweepPoint cell, int state) {
    return isEnough()
        ? own.flatMap(chosen -> fastest.map(best -> result(cell, state, chosen, best)))
        : Optional.empty();
  }

  private CompareResult result(
      SweepPoint cell, int state, CandidateSamples own, CandidateSamples fastest) {
    Ratio ratio = own.to(fastest, from);
    return new CompareResult(
        cell,
        chosen,
        own.micros(),
        fastest.candidate(),
        fastest.micros(),
        ratio,
        twin.to(own, from),
        state,
        CompareResult.Verdict.of(ratio, limit));
  }
}
