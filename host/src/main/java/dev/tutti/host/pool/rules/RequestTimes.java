package dev.tutti.host.pool.rules;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was measured for one request, in one or several states of the machine.
 *
 * <p>A choice has to be the same in every run, so it cannot follow the state that the machine
 * happens to be in. What counts is therefore the worst case: how many times as long as the fastest
 * algorithm of a state one takes, in the state where that is the most. In a state in which it was
 * not measured, an algorithm counts as in the others.
 */
public final class RequestTimes {

  private final List<Series> series;
  private final long bytes;

  /** The least time of each state, in seconds, by the time of a cache line in nanoseconds. */
  private final Map<Integer, Double> fastest = new TreeMap<>();

  RequestTimes(List<Series> series, long bytes) {
    this.series = series;
    this.bytes = bytes;
    for (Series each : series) {
      fastest.merge(each.hopNanos(), each.seconds(bytes), Math::min);
    }
  }

  /** The time of an algorithm; empty if it was not measured. */
  public Optional<MeasuredTime> time(Algorithm algorithm, AlgOptions parameters) {
    List<MeasuredTime.InState> states = new ArrayList<>();
    for (Series each : series) {
      if (each.isOf(algorithm) && each.parameters().equals(parameters)) {
        double seconds = each.seconds(bytes);
        double ratio = seconds / fastest.getOrDefault(each.hopNanos(), seconds);
        states.add(new MeasuredTime.InState(each.hopNanos(), seconds, ratio));
      }
    }
    return states.isEmpty()
        ? Optional.empty()
        : Optional.of(new MeasuredTime(seconds(states), states));
  }

  /** With one state the time in it, else the worst ratio times the mean of the least times. */
  private double seconds(List<MeasuredTime.InState> states) {
    if (fastest.size() == 1) {
      return states.getFirst().seconds();
    }
    double worst = states.stream().mapToDouble(MeasuredTime.InState::ratio).max().orElse(1);
    double mean =
        Math.exp(fastest.values().stream().mapToDouble(Math::log).average().orElseThrow());
    return worst * mean;
  }
}
