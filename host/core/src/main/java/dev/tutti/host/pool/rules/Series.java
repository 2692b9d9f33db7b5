package dev.tutti.host.pool.rules;

import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Measured times of one algorithm for one operation and one number of ranks. Immutable.
 *
 * @param operation the operation; SEND for transfers
 * @param ranks the number of ranks, all on one node
 * @param inPlace whether input and output were the same memory
 * @param algorithm the qualified name
 * @param version the version of its plugin
 * @param parameters the values of its parameters, except defaults
 * @param hopNanos the state of the machine: the time that a cache line took from one processor to
 *     another, in nanoseconds; 0 if not known
 * @param micros the median time in microseconds, by message size in bytes
 */
public record Series(
    Operation operation,
    int ranks,
    boolean inPlace,
    String algorithm,
    String version,
    AlgOptions parameters,
    int hopNanos,
    NavigableMap<Long, Double> micros) {

  /** Takes an immutable copy and checks the ranges. */
  public Series {
    Arguments.require(operation, "operation");
    Arguments.require(algorithm, "algorithm");
    Arguments.require(version, "version");
    Arguments.require(parameters, "parameters");
    Arguments.require(micros, "micros");
    micros = Collections.unmodifiableNavigableMap(new TreeMap<>(micros));
    if (ranks < 1 || micros.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "a measurement must have 1 rank or more, and a time. Actual: %d ranks, %d times",
          ranks,
          micros.size());
    }
    if (hopNanos < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "the time of a cache line must be 0 or more nanoseconds. Actual: %d",
          hopNanos);
    }
    for (Map.Entry<Long, Double> each : micros.entrySet()) {
      if (each.getKey() < 0 || !(each.getValue() > 0) || each.getValue().isInfinite()) {
        throw new TuttiException(
            ErrorCode.INVALID_RULES,
            "measured times must be positive numbers of microseconds, sizes 0 or more bytes."
                + " Actual: %s µs for %d bytes",
            each.getValue(),
            each.getKey());
      }
    }
  }

  /** The id of the algorithm's plugin. */
  public String plugin() {
    return algorithm.substring(0, Math.max(0, algorithm.indexOf(':')));
  }

  /**
   * Whether another series is for the same operation and number of ranks, and both are in place or
   * neither is.
   */
  boolean isLike(Series other) {
    return operation == other.operation && ranks == other.ranks && inPlace == other.inPlace;
  }

  /** Whether it is for an algorithm in its loaded version. */
  public boolean isOf(Algorithm loaded) {
    Arguments.require(loaded, "loaded");
    return operation == loaded.operation()
        && algorithm.equals(loaded.qualifiedName())
        && version.equals(loaded.version());
  }

  /** The same without the sizes that match; empty if none is left. */
  Optional<Series> without(LongPredicate sizes) {
    NavigableMap<Long, Double> left = new TreeMap<>(micros);
    left.keySet().removeIf(sizes::test);
    return left.isEmpty() ? Optional.empty() : Optional.of(withMicros(left));
  }

  private Series withMicros(NavigableMap<Long, Double> newMicros) {
    return new Series(
        operation, ranks, inPlace, algorithm, version, parameters, hopNanos, newMicros);
  }
}
