package dev.tutti.verifier.gate;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;

/**
 * The limits of one call through a {@link Gate}. Immutable.
 *
 * @param processorTime processor time of all threads of the call together; a busy machine makes no
 *     difference
 * @param wallTime a second, much longer limit, for a call that waits and uses no processor
 * @param bytes bytes of heap that the threads of the call allocate, freed or not
 */
public record GateLimits(Duration processorTime, Duration wallTime, long bytes) {

  private static final int WALL_FACTOR = 10;
  private static final Duration LEAST_WALL = Duration.ofSeconds(30);

  /** The default limit on allocation by one call; more than any plan needs. */
  private static final long MOST_BYTES = 16L << 30;

  /** A longer time in nanoseconds may not fit in a long. */
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Checks the ranges, and cuts times to one year. */
  public GateLimits {
    if (!processorTime.isPositive() || !wallTime.isPositive() || bytes <= 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the limits of a call into a plugin must be greater than 0. Actual: time=%s, wall"
              + " clock=%s, bytes=%d",
          processorTime,
          wallTime,
          bytes);
    }
    processorTime = shorter(processorTime, LONGEST);
    wallTime = shorter(wallTime, LONGEST);
  }

  /** Limits with 16 GiB and the {@linkplain #netOf usual limit} on wall time. */
  public static GateLimits of(Duration processorTime) {
    return of(processorTime, MOST_BYTES);
  }

  /** Limits with the {@linkplain #netOf usual limit} on wall time. */
  public static GateLimits of(Duration processorTime, long bytes) {
    return new GateLimits(processorTime, netOf(processorTime), bytes);
  }

  /**
   * The usual limit on wall time for a limit on processor time: ten times as long, but at least 30
   * s.
   */
  public static Duration netOf(Duration processorTime) {
    // Duration.multipliedBy would load BigDecimal, which takes some 20 ms of each start.
    Duration least = Duration.ofNanos(shorter(processorTime, LONGEST).toNanos() * WALL_FACTOR);
    return least.compareTo(LEAST_WALL) < 0 ? LEAST_WALL : least;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
