package dev.tutti.host.cli;

import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares what is chosen for one cell with the fastest. The fastest one is found first, and the
 * two are compared in heats of their own: of many that are alike, the one that looks best has been
 * lucky, and would look better than it is.
 */
final class CompareTrial {

  /** The part of the time for finding the fastest. */
  private static final int SCREENING_PART = 3;

  private static final int MAX_HEATS = 60;

  private final Race race;
  private final Candidate chosen;
  private final Lane twin;

  CompareTrial(HostUse host, Cell cell, Choice choice) {
    chosen = choice.best();
    race = new Race(host, cell, candidates(choice));
    twin = race.addTwin(chosen);
  }

  private static List<Candidate> candidates(Choice choice) {
    List<Candidate> all = TuneCandidates.of(choice, true);
    Candidate best = choice.best();
    boolean isThere = all.stream().anyMatch(each -> each.label().equals(best.label()));
    return isThere ? all : Stream.concat(Stream.of(best), all.stream()).toList();
  }

  /** Nothing if the chosen one cannot be measured. */
  Optional<CompareResult> run(Cell cell, Duration share, double limit) {
    long end = System.nanoTime() + share.toNanos();
    double hop = HopProbe.nanos();
    race.screen(share.dividedBy(SCREENING_PART));
    Optional<Lane> own = race.of(chosen);
    Optional<Lane> fastest = race.fastest();
    return own.isPresent() && fastest.isPresent()
        ? Optional.of(compare(cell, own.get(), fastest.get(), hop, end, limit))
        : Optional.empty();
  }

  private CompareResult compare(
      Cell cell, Lane own, Lane fastest, double hop, long end, double limit) {
    boolean isFastest = own == fastest;
    int from = isFastest ? 0 : race.heats();
    race.keep(isFastest ? List.of(own, twin) : List.of(own, fastest, twin));
    int heats = 0;
    while (race.heats() - from < Ratio.ENOUGH
        || (!isFastest
            && CompareResult.Verdict.of(own.to(fastest, from), limit) == CompareResult.Verdict.OPEN
            && heats < MAX_HEATS
            && System.nanoTime() - end < 0)) {
      race.heat();
      heats++;
    }
    Ratio ratio = own.to(fastest, from);
    return new CompareResult(
        cell,
        chosen,
        own.micros(),
        fastest.candidate(),
        fastest.micros(),
        ratio,
        twin.to(own, from),
        new HopRange(hop, HopProbe.nanos()),
        CompareResult.Verdict.of(ratio, limit));
  }
}
