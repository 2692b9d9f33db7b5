package dev.tutti.host.rank;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last rank to start each operation, and the time of its start. Holds only the latest
 * operations, and only while calls are noted. Thread-safe.
 */
final class Arrivals {

  private static final int KEPT = 256;

  private final AtomicReferenceArray<@Nullable Arrival> last = new AtomicReferenceArray<>(KEPT);

  /**
   * The start of an operation by a rank.
   *
   * @param number the number of the operation
   * @param nanos the time, by the clock of the host
   */
  record Arrival(long number, int rank, long nanos) {
    private boolean isBefore(Arrival other) {
      return number < other.number || (number == other.number && nanos - other.nanos <= 0);
    }
  }

  /** Notes that a rank is about to start an operation. */
  void note(Arrival arrival) {
    int place = (int) (arrival.number() % KEPT);
    Arrival known = last.get(place);
    while ((known == null || known.isBefore(arrival))
        && !last.compareAndSet(place, known, arrival)) {
      known = last.get(place);
    }
  }

  /** The last rank to start an operation; null if that is not known. */
  @Nullable Arrival of(long number) {
    Arrival known = last.get((int) (number % KEPT));
    return known != null && known.number() == number ? known : null;
  }
}
