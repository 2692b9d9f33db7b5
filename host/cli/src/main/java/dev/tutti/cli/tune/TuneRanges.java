package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses, for each cell, among the algorithms that measurements cannot distinguish. The estimates
 * of the plans decide instead, and a change from one size to the next has a cost, so that noise
 * does not create ranges. The cheapest path through the sizes of a series wins.
 */
final class TuneRanges {

  /** The cost of a change from one size to the next: that of 10 % more time. */
  private static final double CHANGE = Math.log(1.1);

  /** The cost of a missing estimate if others have one; more than that of a change. */
  private static final double UNKNOWN = Math.log(1.5);

  /** Smaller differences are ignored. */
  private static final double ROUNDING = 1e-9;

  private record Series(String operation, int ranks, boolean isInPlace) {}

  /** The cheapest path to a candidate for a cell. */
  private record Way(SweepPoint cell, Candidate candidate, double cost, @Nullable Way before) {}

  private final Map<SweepPoint, Candidate> preferred = new HashMap<>();

  private TuneRanges() {}

  static TuneRanges of(List<TuneResult> results) {
    Map<SweepPoint, List<TuneResult>> byCell =
        results.stream()
            .collect(
                Collectors.groupingBy(TuneResult::cell, LinkedHashMap::new, Collectors.toList()));
    Map<Series, List<TiedCandidates>> series = new HashMap<>();
    byCell.forEach(
        (cell, states) ->
            series
                .computeIfAbsent(
                    new Series(cell.name().label(), cell.topology().rankSize(), cell.isInPlace()),
                    key -> new ArrayList<>())
                .add(TiedCandidates.of(cell, states)));
    TuneRanges ranges = new TuneRanges();
    series.values().forEach(ranges::add);
    return ranges;
  }

  /** The preferred candidate of a result. */
  Candidate preferred(TuneResult result) {
    return preferred.getOrDefault(result.cell(), result.best().candidate());
  }

  private void add(List<TiedCandidates> series) {
    series.sort(Comparator.comparingLong(ties -> ties.cell().bytes()));
    List<Way> ways = List.of();
    for (TiedCandidates ties : series) {
      ways = next(ties, ways);
    }
    Way way = ways.stream().min(Comparator.comparingDouble(Way::cost)).orElse(null);
    for (; way != null; way = way.before()) {
      preferred.put(way.cell(), way.candidate());
    }
  }

  /**
   * The paths to the tied candidates of a cell; among equally cheap ones, the order of the
   * candidates decides.
   */
  private static List<Way> next(TiedCandidates ties, List<Way> before) {
    List<Candidate> tied = ties.candidates();
    double least =
        tied.stream().mapToDouble(each -> each.estimate().seconds()).min().orElse(Double.NaN);
    return tied.stream().map(each -> way(ties.cell(), each, excess(each, least), before)).toList();
  }

  /** The logarithm of its estimated time divided by the smallest estimate. */
  private static double excess(Candidate candidate, double least) {
    if (Double.isInfinite(least) || !(least > 0)) {
      return 0;
    }
    double seconds = candidate.estimate().seconds();
    return Double.isInfinite(seconds) ? UNKNOWN : Math.log(seconds / least);
  }

  private static Way way(SweepPoint cell, Candidate candidate, double excess, List<Way> before) {
    Way best = null;
    double least = 0;
    for (Way each : before) {
      boolean isSame = each.candidate().label().equals(candidate.label());
      double cost = each.cost() + (isSame ? 0 : CHANGE);
      if (best == null || cost < least - ROUNDING) {
        best = each;
        least = cost;
      }
    }
    return new Way(cell, candidate, least + excess, best);
  }
}
