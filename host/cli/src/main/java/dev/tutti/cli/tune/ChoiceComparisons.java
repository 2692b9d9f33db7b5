package dev.tutti.cli.tune;

import dev.tutti.cli.host.HostUse;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Compares the chosen candidate of one cell with the fastest, in each state of the machine. */
final class ChoiceComparisons {

  /** The share of the time for finding the fastest. */
  private static final int SCREENING_PART = 3;

  private final SweepPoint cell;
  private final Candidate chosen;
  private final double limit;
  private final Comparisons comparisons;
  private final Map<Integer, ChoiceComparison> trials = new LinkedHashMap<>();

  ChoiceComparisons(HostUse host, SweepPoint cell, Choice choice, HopStates states, double limit) {
    this.cell = cell;
    this.chosen = choice.best();
    this.limit = limit;
    List<Candidate> candidates = candidates(choice);
    comparisons =
        new Comparisons(
            states,
            () -> {
              Comparison comparison = new Comparison(host, cell, candidates);
              comparison.addTwin(chosen);
              return comparison;
            });
  }

  /**
   * The candidates, the chosen one first: if several have equal plans, only the first is measured.
   */
  private static List<Candidate> candidates(Choice choice) {
    Candidate best = choice.best();
    Stream<Candidate> others =
        TuneCandidates.of(choice, true).stream().filter(each -> !each.label().equals(best.label()));
    return Stream.concat(Stream.of(best), others).toList();
  }

  /** One result for each state; none if the chosen candidate cannot be measured. */
  List<CompareResult> run(Duration share) {
    long end = System.nanoTime() + share.toNanos();
    comparisons.screen(share.dividedBy(SCREENING_PART));
    while (present().wantsBatch(System.nanoTime() - end < 0)) {
      comparisons.batch();
    }
    return trials.entrySet().stream()
        .map(each -> each.getValue().result(cell, each.getKey()))
        .flatMap(Optional::stream)
        .toList();
  }

  private ChoiceComparison present() {
    return trials.computeIfAbsent(
        comparisons.state(), state -> new ChoiceComparison(comparisons.present(), chosen, limit));
  }
}
