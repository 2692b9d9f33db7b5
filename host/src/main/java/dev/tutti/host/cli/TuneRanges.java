package dev.tutti.host.cli;

import dev.tutti.host.pool.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who is to be taken for each cell among those that measurements cannot tell apart: the same one
 * for as many neighbouring sizes as possible, so that noise makes no ranges.
 */
final class TuneRanges {

  private record Series(String operation, int ranks, boolean isInPlace) {}

  private final Map<Cell, Candidate> preferred = new HashMap<>();

  private TuneRanges() {}

  static TuneRanges of(List<TuneResult> results) {
    Map<Series, List<TuneResult>> series = new HashMap<>();
    for (TuneResult result : results) {
      Cell cell = result.cell();
      series
          .computeIfAbsent(
              new Series(cell.name().label(), cell.topology().rankSize(), cell.isInPlace()),
              key -> new ArrayList<>())
          .add(result);
    }
    TuneRanges ranges = new TuneRanges();
    series.values().forEach(ranges::add);
    return ranges;
  }

  /** The one to be taken. */
  Candidate preferred(TuneResult result) {
    return preferred.getOrDefault(result.cell(), result.best().candidate());
  }

  /** Goes on with a range until nobody is among the fastest ones of all its sizes. */
  private void add(List<TuneResult> series) {
    series.sort(Comparator.comparingLong(result -> result.cell().bytes()));
    List<Cell> range = new ArrayList<>();
    List<Candidate> common = List.of();
    for (TuneResult result : series) {
      List<Candidate> tied =
          result.times().stream()
              .filter(TuneResult.Time::isTied)
              .map(TuneResult.Time::candidate)
              .toList();
      List<Candidate> both = range.isEmpty() ? tied : inBoth(common, tied);
      if (both.isEmpty()) {
        end(range, common);
        range.clear();
        both = tied;
      }
      range.add(result.cell());
      common = both;
    }
    end(range, common);
  }

  private static List<Candidate> inBoth(List<Candidate> some, List<Candidate> others) {
    return some.stream()
        .filter(each -> others.stream().anyMatch(other -> other.label().equals(each.label())))
        .toList();
  }

  private void end(List<Cell> range, List<Candidate> common) {
    Optional<Candidate> first = common.stream().min(Candidate.TIES);
    first.ifPresent(candidate -> range.forEach(cell -> preferred.put(cell, candidate)));
  }
}
