package dev.tutti.host.watch;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.status.FlightEntry;
import dev.tutti.host.status.FlightEntry.State;
import dev.tutti.host.status.RunFacts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last operations of a group or of one rank, in memory that is allocated once. Several
 * operations may be under way. Thread-safe.
 */
public final class FlightLog {

  /*
   * Each place has a stamp: twice the number of its operation, plus one while the place is being
   * written. A reader accepts a place if its stamp was even and the same before and after the
   * read.
   */

  private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int LOOKS = 1000;

  private final Clock clock;
  private final long[] stamps;
  private final @Nullable Object[] calls;
  private final @Nullable RunFacts[] facts;
  private final long[] startNanos;
  private final long[] endNanos;
  private final State[] states;
  private long number;

  /**
   * Keeps a fixed number of operations.
   *
   * @param clock the clock of their times
   */
  public FlightLog(int length, Clock clock) {
    this.clock = clock;
    stamps = new long[length];
    calls = new Object[length];
    facts = new RunFacts[length];
    startNanos = new long[length];
    endNanos = new long[length];
    states = new State[length];
  }

  /**
   * Notes that an operation begins, in place of the oldest one.
   *
   * @param call the call; it is put into words when it is read
   * @param about the facts of the run; null if they are not known yet
   * @param state {@link State#WAITING} or {@link State#RUNNING}
   * @return the number of the operation
   */
  public synchronized long begin(Object call, @Nullable RunFacts about, State state) {
    int place = (int) (number % stamps.length);
    number++;
    open(place, number);
    calls[place] = call;
    facts[place] = about;
    startNanos[place] = clock.nanoTime();
    states[place] = state;
    close(place, number);
    return number;
  }

  /**
   * Notes the end of an operation.
   *
   * @param of the number of the operation
   * @param about the facts of the run; null if they never became known
   * @return its duration in nanoseconds; 0 if a newer operation has taken its place
   */
  public synchronized long end(long of, @Nullable RunFacts about, State state) {
    if (of <= number - stamps.length) {
      return 0;
    }
    int place = (int) ((of - 1) % stamps.length);
    long now = clock.nanoTime();
    open(place, of);
    facts[place] = about;
    endNanos[place] = now;
    states[place] = state;
    close(place, of);
    return now - startNanos[place];
  }

  private void open(int place, long of) {
    STAMP.setOpaque(stamps, place, 2 * of + 1);
    VarHandle.storeStoreFence();
  }

  private void close(int place, long of) {
    STAMP.setRelease(stamps, place, 2 * of);
  }

  /** The operations, the oldest first. */
  public List<FlightEntry> entries() {
    long now = clock.nanoTime();
    Instant time = Instant.now();
    List<FlightEntry> found = new ArrayList<>();
    for (int place = 0; place < stamps.length; place++) {
      FlightEntry entry = entry(place, now, time);
      if (entry != null) {
        found.add(entry);
      }
    }
    found.sort(Comparator.comparingLong(FlightEntry::sequence));
    return found;
  }

  /**
   * Reads again while the place is being written. Null if the place is empty, or if it is written
   * without pause.
   */
  private @Nullable FlightEntry entry(int place, long now, Instant time) {
    FlightEntry found = null;
    for (int look = 0; look < LOOKS && found == null && stamps[place] != 0; look++) {
      found = look(place, now, time);
      Thread.onSpinWait();
    }
    return found;
  }

  private @Nullable FlightEntry look(int place, long now, Instant time) {
    long before = (long) STAMP.getAcquire(stamps, place);
    Object call = calls[place];
    RunFacts about = facts[place];
    long start = startNanos[place];
    long end = endNanos[place];
    State state = states[place];
    VarHandle.loadLoadFence();
    boolean isWhole = before % 2 == 0 && before == (long) STAMP.getOpaque(stamps, place);
    if (!isWhole || call == null) {
      return null;
    }
    return new FlightEntry(
        before / 2,
        call.toString(),
        about == null ? "" : about.algorithm(),
        about == null ? FlightEntry.UNKNOWN : about.bytes(),
        state,
        time.minusNanos(now - start),
        (state.isOver() ? end : now) - start);
  }
}
