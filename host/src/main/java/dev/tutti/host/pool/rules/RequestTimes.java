package dev.tutti.host.pool.rules;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was measured for one request, in one or several states of the machine.
 *
 * <p>A choice has to be the same in every run, so it cannot follow the state that the machine
 * happens to be in. What counts is therefore the worst case: how many times as long as the fastest
 * algorithm of a state one takes, in the state where that is the most. In a state in which it was
 * not measured, an algorithm counts as in the others.
 *
 * <p>Sizes are measured in different states, so states are put together size by size, and sizes are
 * interpolated only then.
 */
public final class RequestTimes {

  private final List<Series> series;
  private final long bytes;

  /** The least time by size and by the time of a cache line. */
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
   * The time of an algorithm; empty if it was not measured at this size, or at both sizes beside it
   * that others were measured at: what it does at other sizes may be something else.
   */
  public Optional<MeasuredTime> time(Algorithm algorithm, AlgOptions parameters) {
    NavigableMap<Long, List<MeasuredTime.InState>> measured = new TreeMap<>();
    for (Series each : series) {
      if (each.isOf(algorithm) && each.parameters().equals(parameters)) {
        each.micros()
            .forEach(
                (size, micros) ->
                    measured
                        .computeIfAbsent(size, key -> new ArrayList<>())
                        .add(inState(size, each.hopNanos(), micros)));
      }
    }
    return isMeasured(measured, fastest.floorKey(bytes))
            && isMeasured(measured, fastest.ceilingKey(bytes))
            && !measured.isEmpty()
        ? Optional.of(time(measured))
        : Optional.empty();
  }

  private static boolean isMeasured(NavigableMap<Long, ?> measured, @Nullable Long size) {
    return size == null || measured.containsKey(size);
  }

  private MeasuredTime.InState inState(long size, int hopNanos, double micros) {
    return new MeasuredTime.InState(
        hopNanos, micros, micros / ofSize(size).getOrDefault(hopNanos, micros));
  }

  private Map<Integer, Double> ofSize(long size) {
    return fastest.getOrDefault(size, Map.of());
  }

  private MeasuredTime time(NavigableMap<Long, List<MeasuredTime.InState>> measured) {
    NavigableMap<Long, Double> micros = new TreeMap<>();
    measured.forEach((size, states) -> micros.put(size, micros(size, states)));
    Map.Entry<Long, List<MeasuredTime.InState>> below = measured.floorEntry(bytes);
    Map.Entry<Long, List<MeasuredTime.InState>> shown =
        below == null ? measured.firstEntry() : below;
    return new MeasuredTime(
        new TimesBySize(micros).seconds(bytes), shown.getKey(), shown.getValue());
  }

  /** With one state the time in it, else the worst ratio times the mean of the least times. */
  private double micros(long size, List<MeasuredTime.InState> states) {
    Map<Integer, Double> least = ofSize(size);
    if (least.size() == 1) {
      return states.getFirst().micros();
    }
    double worst = states.stream().mapToDouble(MeasuredTime.InState::ratio).max().orElse(1);
    double mean = least.values().stream().mapToDouble(Math::log).average().orElse(0);
    return worst * Math.exp(mean);
  }
}
