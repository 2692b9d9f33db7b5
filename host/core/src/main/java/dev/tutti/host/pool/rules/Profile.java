package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measured times of algorithms on this machine. Immutable.
 *
 * <p>They were measured with float32 and sum in memory that all ranks can reach, and are used for
 * all types and reductions. Other types and reductions change the times, but they rarely change the
 * fastest algorithm.
 *
 * <p>If a hypervisor moves virtual processors, the machine has several states. They differ in the
 * time that a cache line takes from one processor to another. Times of different states are never
 * compared.
 *
 * @param series one for each combination of operation, number of ranks, in place or not, algorithm,
 *     parameters and state of the machine
 */
public record Profile(List<Series> series) {

  /** A profile without measurements. */
  public static final Profile EMPTY = new Profile(List.of());

  /** Takes an immutable copy. */
  public Profile {
    Arguments.require(series, "series");
    series = List.copyOf(series);
  }

  /**
   * The measurements for a request.
   *
   * @param rivals the algorithms to compare
   */
  public RequestTimes on(OpParam param, Collection<Algorithm> rivals) {
    Arguments.require(param, "param");
    Arguments.require(rivals, "rivals");
    return new RequestTimes(
        series.stream()
            .filter(each -> rivals.stream().anyMatch(rival -> isFor(each, param, rival)))
            .toList(),
        param.messageBytes());
  }

  /** The states of the machine that have measurements, in nanoseconds, sorted. */
  public List<Integer> hops() {
    return series.stream().map(Series::hopNanos).distinct().sorted().toList();
  }

  /** The number of requests that were measured in a state. */
  public long requestCount(int hopNanos) {
    return series.stream()
        .filter(each -> each.hopNanos() == hopNanos)
        .flatMap(
            each ->
                each.micros().keySet().stream()
                    .map(bytes -> List.of(each.operation(), each.ranks(), each.inPlace(), bytes)))
        .distinct()
        .count();
  }

  /**
   * These measurements, and those of another profile for requests and states that this one does not
   * measure. Measurements of the other profile without a state are dropped for requests that this
   * one measures.
   */
  public Profile orElse(Profile older) {
    Arguments.require(older, "older");
    return new Profile(
        Stream.concat(
                series.stream(),
                older.series.stream()
                    .flatMap(each -> each.without(size -> isMeasured(each, size)).stream()))
            .toList());
  }

  private boolean isMeasured(Series older, long bytes) {
    return series.stream()
        .anyMatch(
            each ->
                each.isLike(older)
                    && (each.hopNanos() == older.hopNanos() || older.hopNanos() == 0)
                    && each.micros().containsKey(bytes));
  }

  /**
   * The same without measurements of plugins whose version here is different.
   *
   * @param versions the versions here, by plugin id
   */
  public Profile onlyOf(Map<String, String> versions) {
    Arguments.require(versions, "versions");
    return new Profile(
        series.stream()
            .filter(
                each -> versions.getOrDefault(each.plugin(), each.version()).equals(each.version()))
            .toList());
  }

  /** The parameter values, besides the defaults, with which a request was measured. */
  public List<AlgOptions> variants(OpParam param, Algorithm algorithm) {
    Arguments.require(param, "param");
    Arguments.require(algorithm, "algorithm");
    RequestTimes times = on(param, List.of(algorithm));
    return series.stream()
        .filter(each -> isFor(each, param, algorithm))
        .map(Series::parameters)
        .filter(parameters -> !parameters.values().isEmpty())
        .distinct()
        .filter(parameters -> times.time(algorithm, parameters).isPresent())
        .toList();
  }

  private static boolean isFor(Series series, OpParam param, Algorithm algorithm) {
    CommInfo comm = param.comm();
    return series.isOf(algorithm)
        && series.ranks() == comm.rankSize()
        && series.inPlace() == param.inPlace()
        && comm.topology().nodeCount() == 1
        && comm.mode() == WorkflowMode.GRAPH
        && comm.protocol() == Protocol.DIRECT
        && comm.planeProtocols().values().stream().allMatch(each -> each == Protocol.DIRECT);
  }
}
