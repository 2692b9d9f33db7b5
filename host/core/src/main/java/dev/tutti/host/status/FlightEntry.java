package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;
import java.time.Instant;
import java.util.Locale;

/**
 * One operation of the flight record of a group or of a rank.
 *
 * @param sequence its number among the operations of the group, or the calls of the rank, from 1
 * @param call the operation with its counts and its type, in words
 * @param algorithm the qualified name; empty if it is not chosen yet
 * @param bytes the size of one rank's message; {@link #UNKNOWN} as long as no algorithm is chosen
 * @param state its progress
 * @param start when it began
 * @param nanos its duration, or its duration so far if it has not ended
 */
public record FlightEntry(
    long sequence,
    String call,
    String algorithm,
    long bytes,
    State state,
    Instant start,
    long nanos) {
  /** Checks that nothing is null. */
  public FlightEntry {
    Arguments.require(call, "call");
    Arguments.require(algorithm, "algorithm");
    Arguments.require(state, "state");
    Arguments.require(start, "start");
  }

  /** A size that is not known yet. */
  public static final long UNKNOWN = -1;

  /** The progress of an operation. */
  public enum State {
    /** Not all ranks have called. */
    WAITING,
    /** It runs. */
    RUNNING,
    /** It is complete. */
    DONE,
    /** It failed. */
    FAILED,
    /** It was cancelled. */
    CANCELLED;

    /** Whether it has ended. */
    public boolean isOver() {
      return this != WAITING && this != RUNNING;
    }

    /** For example {@code "done"}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same in another state. */
  public FlightEntry withState(State newState) {
    Arguments.require(newState, "newState");
    return new FlightEntry(sequence, call, algorithm, bytes, newState, start, nanos);
  }

  /**
   * The entry as a line of text, for example {@code "number 41, allreduce of 4 float32, sum: done
   * in 12.1 us"}.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "number %d, %s: %s %s %s",
        sequence,
        call,
        state.label(),
        state.isOver() ? "in" : "for",
        time());
  }

  /** Its duration in words, for example {@code "12.1 us"}. */
  public String time() {
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
    }
    return nanos < 1_000_000_000
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
