package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The measurements of one request, in one or several states of the machine.
 *
 * <p>A choice has to be the same in every run, so it cannot depend on the current state of the
 * machine. Algorithms are therefore compared by their worst case: the largest ratio, over all
 * states, of their time to that of the fastest algorithm. In a state in which an algorithm was not
 * measured, its measurements from the other states are used.
 *
 * <p>Different sizes may have been measured in different states. So states are combined for each
 * size first, and sizes are interpolated after that.
 */
public final class RequestTimes {

  private final List<Series> series;
  private final long bytes;

  /** The shortest time, by size and by state of the machine. */
  private final NavigableMap<Long, Map<Integer, Double>> fastest = new TreeMap<>();

  RequestTimes(List<Series> series, long bytes) {
    this.series = series;
    this.bytes = bytes;
    for (Series each : series) {
      each.micros()
          .forEach(
              (size, micros) ->
                  fastest
                      .computeIfAbsent(size, key -> new TreeMap<>())
                      .merge(each.hopNanos(), micros, Math::min));
    }
  }

  /**
   * The time of an algorithm. Empty unless the algorithm was measured at this size, or at both
   * neighbouring sizes at which others were measured: its behaviour at other sizes may be
   * different.
   */
  public Optional<MeasuredTime> time(Algorithm algorithm, AlgOptions parameters) {
    Arguments.require(algorithm, "algorithm");
    Arguments.require(parameters, "parameters");
    List<Series> own =
        series.stream()
            .filter(each -> each.isOf(algorithm) && each.parameters().equals(parameters))
            .toList();
    NavigableMap<Long, List<MeasuredTime.InState>> beside = new TreeMap<>();
    Stream.of(fastest.floorEntry(bytes), fastest.ceilingEntry(bytes))
        .filter(Objects::nonNull)
        .forEach(size -> beside.put(size.getKey(), states(own, size.getKey(), size.getValue())));
    if (beside.isEmpty() || beside.values().stream().anyMatch(List::isEmpty)) {
      return Optional.empty();
    }
    NavigableMap<Long, Double> micros = new TreeMap<>();
    beside.forEach((size, states) -> micros.put(size, micros(ofSize(size), states)));
    return Optional.of(
        new MeasuredTime(
            new TimesBySize(micros).seconds(bytes),
            beside.firstKey(),
            beside.firstEntry().getValue()));
  }

  private Map<Integer, Double> ofSize(long size) {
    return fastest.getOrDefault(size, Map.of());
  }

  /** The times of one algorithm at a size. */
  private static List<MeasuredTime.InState> states(
      List<Series> own, long size, Map<Integer, Double> least) {
    List<MeasuredTime.InState> states = new ArrayList<>();
    for (Series each : own) {
      Double micros = each.micros().get(size);
      if (micros != null) {
        int hop = each.hopNanos();
        states.add(new MeasuredTime.InState(hop, micros, micros / least.getOrDefault(hop, micros)));
      }
    }
    return states;
  }

  /** The time if there is one state; else the worst ratio times the mean of the shortest times. */
  private static double micros(Map<Integer, Double> least, List<MeasuredTime.InState> states) {
    if (least.size() == 1) {
      return states.getFirst().micros();
    }
    double worst = states.stream().mapToDouble(MeasuredTime.InState::ratio).max().orElse(1);
    double mean = least.values().stream().mapToDouble(Math::log).average().orElse(0);
    return worst * Math.exp(mean);
  }
}
