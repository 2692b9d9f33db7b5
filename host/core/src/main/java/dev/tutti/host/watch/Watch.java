package dev.tutti.host.watch;

import dev.tutti.base.idle.Clock;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The flight records and counters of a context. Thread-safe. */
public final class Watch {

  /** The environment variable that sets the length of flight records. */
  public static final String VARIABLE = "TUTTI_FLIGHT";

  /** The longest flight record. */
  public static final int MAX_LENGTH = 1 << 16;

  private final int flightLength;
  private final Clock clock;
  private final Counters counters = new Counters();
  private final AtomicLong groups = new AtomicLong();

  private Watch(int flightLength, Clock clock) {
    this.flightLength = flightLength;
    this.clock = clock;
  }

  /**
   * Keeps flight records.
   *
   * @param flightLength the operations of each group and each rank; 0 keeps none
   * @param clock the clock of their times
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of range
   */
  public static Watch of(int flightLength, Clock clock) {
    if (flightLength < 0 || flightLength > MAX_LENGTH) {
      throw wrongLength(String.valueOf(flightLength));
    }
    return new Watch(flightLength, clock);
  }

  /**
   * Keeps flight records as configured, else as the environment variable sets.
   *
   * @param asked the requested length, or null
   * @param variable the value of {@link #VARIABLE}, or null
   * @param otherwise the length if neither is set
   * @param clock the clock of the records' times
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the length that applies is
   *     not a number or out of range
   */
  public static Watch of(
      @Nullable Integer asked, @Nullable String variable, int otherwise, Clock clock) {
    if (asked != null || variable == null || variable.isBlank()) {
      return of(asked == null ? otherwise : asked, clock);
    }
    try {
      return of(Integer.parseInt(variable.strip()), clock);
    } catch (NumberFormatException e) {
      throw wrongLength(variable);
    }
  }

  private static TuttiException wrongLength(String found) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "a flight record holds 0 to %d operations, set by flight(…), --flight or %s. Actual: %s",
        MAX_LENGTH,
        VARIABLE,
        found);
  }

  /** The number of the next group, from 1. */
  public long nextGroup() {
    return groups.incrementAndGet();
  }

  /** The counters of all groups. */
  public Counters counters() {
    return counters;
  }

  /** Whether flight records are on. */
  public boolean keepsFlights() {
    return flightLength > 0;
  }

  /** An empty flight record; null if none are kept. */
  public @Nullable FlightLog newLog() {
    return keepsFlights() ? new FlightLog(flightLength, clock) : null;
  }
}
