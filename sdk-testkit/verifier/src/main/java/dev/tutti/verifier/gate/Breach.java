package dev.tutti.verifier.gate;

import java.time.Duration;
import java.util.Locale;

/**
 * The limit that a call has broken.
 *
 * @param kind what it limits
 * @param text what the call did, as a phrase such as {@code "did not finish in 10 s of processor
 *     time"}
 */
public record Breach(Kind kind, String text) {

  private static final long NANOS_PER_MILLI = 1_000_000;

  static final Breach OUT_OF_MEMORY =
      new Breach(Kind.MEMORY, "used up the memory, and caught the OutOfMemoryError");

  static final Breach FULL_HEAP =
      new Breach(Kind.MEMORY, "fills the heap, so that not even its limits can be checked");

  static final Breach INTERRUPTED = new Breach(Kind.TIME, "was interrupted");

  /** The limits of a call. */
  public enum Kind {
    /** The call takes too long. */
    TIME,
    /** The call uses too much memory. */
    MEMORY
  }

  static Breach ofProcessorTime(Duration limit) {
    return new Breach(Kind.TIME, "did not finish in " + text(limit) + " of processor time");
  }

  static Breach ofUncountedTime(Duration limit) {
    return new Breach(
        Kind.TIME,
        "did not finish in "
            + text(limit)
            + " (this platform does not count the processor time of threads)");
  }

  static Breach ofWallClock(Duration limit, long usedNanos) {
    return new Breach(
        Kind.TIME,
        "did not finish in "
            + text(limit)
            + " and used the processor for only "
            + usedNanos / NANOS_PER_MILLI
            + " ms; it seems to wait for something");
  }

  static Breach ofAllocation(long limit) {
    return new Breach(
        Kind.MEMORY, String.format(Locale.ROOT, "allocates more than %,d bytes", limit));
  }

  static Breach ofHeap(long used, long size) {
    return new Breach(
        Kind.MEMORY,
        String.format(Locale.ROOT, "fills the heap: %,d of %,d bytes cannot be freed", used, size));
  }

  private static String text(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos % NANOS_PER_MILLI != 0) {
      return nanos + " ns";
    }
    long millis = nanos / NANOS_PER_MILLI;
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
