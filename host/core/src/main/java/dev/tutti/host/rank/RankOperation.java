package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Deadlines;
import dev.tutti.base.idle.Idler;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in an operation of its group, made once and run any number of times; what it
 * waits for is a meeting. Not thread-safe, but for {@link #cancel}: the rank's own thread uses it.
 */
public final class RankOperation {

  /** How often a virtual thread asks in vain before it stands back. */
  private static final int POLLS_PER_PAUSE = 64;

  private static final long PAUSE_NANOS = 20_000;

  private final RankCalls calls;
  private final RankCall call;
  private final Rendezvous meeting;
  private final Clock clock;
  private final Idler idler;
  private final int place;
  private final long deadlineNanos;
  private RankCall reachable;
  private long startNanos;
  private volatile @Nullable Round round;

  /** How often the rank has asked in vain whether the operation under way is complete. */
  private int polls;

  /** Of the call under way; null while nobody wants any. */
  private @Nullable RankNotes notes;

  RankOperation(RankCalls calls, RankCall call, Rendezvous meeting, int place, long deadlineNanos) {
    this.calls = calls;
    this.call = call;
    this.meeting = meeting;
    this.clock = calls.clock();
    this.idler = meeting.newIdler();
    this.place = place;
    this.deadlineNanos = deadlineNanos;
    this.reachable = call;
  }

  /** What this rank does. */
  public CollectiveCall call() {
    return call.call();
  }

  RankCall rankCall() {
    return call;
  }

  /** Starts the operation and does not wait for other ranks. */
  public void start() {
    startNanos = clock.nanoTime();
    begin();
  }

  /** Starts and waits: a blocking call. */
  public void run() {
    begin();
    Round mine = underWay("wait for");
    meeting.await(place, idler, call, mine, deadlineNanos, deadlineNanos);
    end(mine);
  }

  private void begin() {
    calls.enter(this);
    polls = 0;
    RankRecords records = calls.records();
    notes = records.areWanted() ? new RankNotes(records, call) : null;
    try {
      if (notes != null) {
        notes.arrive();
      }
      reachable = reachable();
      round = meeting.arrive(place, reachable);
    } catch (Throwable t) {
      leave(null, t);
      throw t;
    }
  }

  private void leave(@Nullable Round left, @Nullable Throwable failure) {
    if (notes != null) {
      notes.end(left, failure);
      notes = null;
    }
    calls.leave(this);
  }

  /** A buffer that this rank cannot give is an error of all, as they would wait in vain. */
  private RankCall reachable() {
    try {
      return calls.reachable(call);
    } catch (TuttiException e) {
      meeting.refuse(place, e);
      throw e;
    }
  }

  /**
   * Whether the operation is complete on all ranks. A virtual thread that asks in vain is parked
   * for 20 µs every 64 times: if it only yielded, it could keep its processor from the rank that
   * does the work.
   */
  public boolean test() {
    Round mine = underWay("test");
    boolean isOver =
        mine.isOver()
            || (clock.nanoTime() - startNanos > deadlineNanos
                && meeting.expire(call, mine, deadlineNanos));
    if (isOver) {
      end(mine);
    } else if (++polls % POLLS_PER_PAUSE == 0 && Thread.currentThread().isVirtual()) {
      clock.park(this, PAUSE_NANOS);
    }
    return isOver;
  }

  /** Waits for the operation, at most as long as its deadline, counted from the start. */
  public void await() {
    Round mine = underWay("wait for");
    long left = mine.isOver() ? 0 : deadlineNanos - (clock.nanoTime() - startNanos);
    meeting.await(place, idler, call, mine, deadlineNanos, left);
    end(mine);
  }

  /** Waits for the operation, at most so long from now on. */
  public void await(Duration deadline) {
    long nanos = Deadlines.nanos(deadline);
    Round mine = underWay("wait for");
    meeting.await(place, idler, call, mine, nanos, nanos);
    end(mine);
  }

  /** Asks the operation under way to end early, on all ranks; any thread may. */
  public boolean cancel() {
    Round mine = round;
    return mine != null
        && meeting.cancel(
            mine,
            new TuttiException(
                ErrorCode.CANCELLED,
                "%s cancelled operation %d, %s, before all ranks had started it",
                calls.name(call.rank()),
                mine.number(),
                call.words()));
  }

  /** Whether a start was not yet ended by {@link #test} or {@link #await}. */
  public boolean isRunning() {
    return round != null;
  }

  /** The meeting that it takes part in now, or null. */
  @Nullable Round underWay() {
    return round;
  }

  /** The ranks that have not come to its meeting. */
  List<Integer> missing(Round mine) {
    return meeting.missing(mine);
  }

  /** Ends an operation that its rank has left behind, for the given reason. */
  void abandon(String reason) {
    Round mine = round;
    if (mine != null) {
      meeting.cancel(mine, new TuttiException(ErrorCode.INVALID_STATE, "%s", reason));
      meeting.await(place, idler, call, mine, deadlineNanos, deadlineNanos);
    }
    round = null;
    leave(mine, mine == null ? null : mine.failure());
  }

  private Round underWay(String asked) {
    Round mine = round;
    if (mine == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s the %s of %s: it is not started; start it first",
          asked,
          call.words(),
          calls.name(call.rank()));
    }
    return mine;
  }

  private void end(Round mine) {
    round = null;
    if (notes != null) {
      notes.waited(mine);
    }
    try {
      mine.throwFailure();
      calls.bringBack(call, reachable);
    } catch (Throwable t) {
      leave(mine, t);
      throw t;
    }
    leave(mine, null);
  }

  @Override
  public String toString() {
    return call.words() + " of " + calls.name(call.rank());
  }
}
