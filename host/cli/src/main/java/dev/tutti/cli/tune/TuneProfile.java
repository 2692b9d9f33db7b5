package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.rules.Profile;
import dev.tutti.host.pool.rules.Series;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Operation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Groups measured times into series. */
final class TuneProfile {

  private static final double ROUNDING = 1e4;

  private record Key(
      Operation operation,
      int ranks,
      boolean isInPlace,
      int hopNanos,
      String algorithm,
      String version,
      AlgOptions parameters) {}

  private TuneProfile() {}

  static Profile of(List<TuneResult> results) {
    Map<Key, NavigableMap<Long, Double>> times = new LinkedHashMap<>();
    TuneRanges ranges = TuneRanges.of(results);
    for (TuneResult result : results) {
      Candidate preferred = ranges.preferred(result);
      for (TuneResult.Time time : result.times()) {
        times
            .computeIfAbsent(key(result, time.candidate()), key -> new TreeMap<>())
            .put(result.cell().bytes(), steps(result, time, preferred) / ROUNDING);
      }
    }
    return new Profile(
        times.entrySet().stream().map(each -> series(each.getKey(), each.getValue())).toList());
  }

  /**
   * The time in the unit of the file. The preferred candidate gets the smallest time if it cannot
   * be distinguished from the fastest. All others get at least one step more, so that the written
   * times lead to the right choice.
   */
  private static double steps(TuneResult result, TuneResult.Time time, Candidate preferred) {
    double least = Math.ceil(result.best().micros() * ROUNDING);
    return time.isTied() && time.candidate().label().equals(preferred.label())
        ? least
        : Math.max(Math.ceil(time.micros() * ROUNDING), least + 1);
  }

  private static Key key(TuneResult result, Candidate candidate) {
    SweepPoint cell = result.cell();
    Algorithm algorithm = candidate.algorithm();
    return new Key(
        algorithm.operation(),
        cell.topology().rankSize(),
        cell.isInPlace(),
        result.hopNanos(),
        algorithm.qualifiedName(),
        algorithm.version(),
        candidate.parameters());
  }

  private static Series series(Key key, NavigableMap<Long, Double> micros) {
    return new Series(
        key.operation(),
        key.ranks(),
        key.isInPlace(),
        key.algorithm(),
        key.version(),
        key.parameters(),
        key.hopNanos(),
        micros);
  }
}
