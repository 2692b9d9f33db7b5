package dev.tutti.host.cli;

import dev.tutti.host.pool.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * Compares what is chosen for one cell with the fastest, in one state of the machine. The fastest
 * one is found first, and the two are compared in heats of their own: of many that are alike, the
 * one that looks best has been lucky, and would look better than it is.
 */
final class CompareTrial {

  private static final int MAX_HEATS = 60;

  private final Race race;
  private final Candidate chosen;
  private final Lane twin;
  private final double limit;

  private Optional<Lane> own = Optional.empty();
  private Optional<Lane> fastest = Optional.empty();
  private boolean isFound;

  /** The first heat that compares the two. */
  private int from;

  CompareTrial(Race race, Candidate chosen, double limit) {
    this.race = race;
    this.chosen = chosen;
    this.twin = race.twin();
    this.limit = limit;
  }

  /** Whether another heat is wanted. */
  boolean wantsHeat(boolean isTimeLeft) {
    if (!race.isScreened(false)) {
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
    own = race.of(chosen);
    fastest = race.fastest();
    if (own.isPresent() && fastest.isPresent()) {
      boolean isFastest = own.equals(fastest);
      from = isFastest ? 0 : race.heats();
      race.keep(isFastest ? List.of(own.get(), twin) : List.of(own.get(), fastest.get(), twin));
    }
  }

  private boolean isEnough() {
    return race.heats() - from >= Ratio.ENOUGH;
  }

  private boolean isOpen(Lane own, Lane fastest) {
    return own != fastest
        && race.heats() - from < MAX_HEATS
        && CompareResult.Verdict.of(own.to(fastest, from), limit) == CompareResult.Verdict.OPEN;
  }

  /** What was found; nothing if the chosen one cannot be measured, or there were too few heats. */
  Optional<CompareResult> result(Cell cell, int state) {
    return isEnough()
        ? own.flatMap(chosen -> fastest.map(best -> result(cell, state, chosen, best)))
        : Optional.empty();
  }

  private CompareResult result(Cell cell, int state, Lane own, Lane fastest) {
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
