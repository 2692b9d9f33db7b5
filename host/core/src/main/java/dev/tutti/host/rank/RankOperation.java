package dev.tutti.host.rank;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.base.idle.Idler;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.buffers.InterruptFlag;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.AgreedPlan;
import dev.tutti.host.rank.Arrivals.Arrival;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in an operation of its group, made once and run any number of times. Not
 * thread-safe, but for {@link #cancel} and {@link #isRunning}: the rank's own thread uses it.
 */
public final class RankOperation implements RankActivity.Started {

  /** How often a virtual thread asks in vain before it stands back. */
  private static final int POLLS_PER_PAUSE = 64;

  private static final long PAUSE_NANOS = 20_000;

  private final RankCalls calls;
  private final RankCall call;
  private final RankMeeting meeting;
  private final RankActivity activity;
  private final OperationQueues queues;
  private final Idler idler;
  private final int place;
  private final RankPart part;
  private final long deadlineNanos;

  /** Its buffers where peers cannot reach them; null if they can. */
  private final @Nullable StagedCall staged;

  private long startNanos;

  /** Whether its buffers fit together, which does not change. */
  private boolean isChecked;

  /** Whether nobody will wait for its end, as a blocking call was interrupted. */
  private boolean isForsaken;

  /** Whether the rank went on without waiting for its end. */
  private boolean isOpen;

  /** How often the rank has asked in vain whether the operation under way is complete. */
  private int polls;

  /** Of the call under way; null while nobody wants any. */
  private @Nullable RankNotes notes;

  RankOperation(
      RankCalls calls,
      RankCall call,
      @Nullable StagedCall staged,
      RankMeeting meeting,
      long deadlineNanos) {
    this.calls = calls;
    this.call = call;
    this.staged = staged;
    this.meeting = meeting;
    this.activity = calls.activity();
    this.queues = meeting.queues();
    this.idler = queues.newIdler();
    this.place = meeting.placeOf(call.rank());
    this.deadlineNanos = deadlineNanos;
    this.part = new RankPart(call, staged != null, place == 0);
  }

  /** What this rank does. */
  public CollectiveCall call() {
    return call.call();
  }

  @Override
  public RankPart part() {
    return part;
  }

  /** Starts the operation and does not wait for other ranks, unless too many are in flight. */
  public void start() {
    boolean wasInterrupted = InterruptFlag.isSet();
    activity.enter(part);
    try {
      startNanos = calls.clock().nanoTime();
      begin();
      isOpen = true;
      activity.opened(this);
      queues.leave(place);
    } finally {
      activity.leave(part);
      restore(wasInterrupted);
    }
  }

  /** Starts and waits: a blocking call. */
  public void run() {
    boolean wasInterrupted = InterruptFlag.isSet();
    activity.enter(part);
    try {
      begin();
      await(part, deadlineNanos, deadlineNanos);
      end();
    } catch (TuttiException e) {
      if (part.underWay() != 0) {
        isOpen = true;
        isForsaken = true;
        activity.opened(this);
      }
      throw e;
    } finally {
      activity.leave(part);
      restore(wasInterrupted);
    }
  }

  private void begin() {
    if (part.underWay() != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot start the %s of %s again: it is under way; wait for its end first",
          call.words(),
          calls.name(call.rank()));
    }
    calls.requireUsable(meeting, place);
    polls = 0;
    RankRecords records = calls.records();
    notes = records.areWanted() ? new RankNotes(records, call) : null;
    try {
      awaitRoom();
      if (notes != null) {
        notes.arrive();
        part.entry(notes.entry());
        meeting.arrives(place, calls.clock().nanoTime());
      }
      makeReachable();
      part.underWay(queues.start(place, part));
    } catch (Throwable t) {
      endNotes(null, t);
      throw t;
    }
    calls.endIfSomebodyIsAbsent(meeting, part.underWay());
  }

  /** Waits until the rank may start another operation. */
  private void awaitRoom() {
    while (queues.isFull(place)) {
      RankPart oldest = meeting.current(call.rank());
      if (oldest != null) {
        await(oldest, deadlineNanos, deadlineNanos);
      }
    }
  }

  /** A buffer that this rank cannot give is an error of all, as they would wait in vain. */
  private void makeReachable() {
    try {
      call.checkBuffers(calls.names(), isChecked);
      isChecked = true;
      part.reach(staged == null || calls.isCapturing() ? call : staged.before());
    } catch (RuntimeException e) {
      TuttiException failure = meeting.failed(queues.started(place) + 1, e);
      meeting.drain(place, queues.refuse(place, part, failure));
      throw failure;
    }
  }

  /**
   * Whether the operation is complete for this rank. A virtual thread that asks in vain is parked
   * for 20 µs every 64 times: if it only yielded, it could keep its processor from the rank that
   * does the work.
   */
  public boolean test() {
    boolean wasInterrupted = InterruptFlag.isSet();
    long number = requireUnderWay("test");
    activity.enter(part);
    try {
      boolean isOver = queues.test(place, number);
      if (!isOver && calls.clock().nanoTime() - startNanos > deadlineNanos) {
        calls.expire(meeting, part, deadlineNanos);
        isOver =
            queues.await(place, number, idler, RankMeeting.DRAIN_NANOS)
                == OperationQueues.Outcome.ENDED;
      }
      if (isOver) {
        end();
      } else if (++polls % POLLS_PER_PAUSE == 0 && Thread.currentThread().isVirtual()) {
        calls.clock().park(this, PAUSE_NANOS);
      }
      return isOver;
    } finally {
      activity.leave(part);
      restore(wasInterrupted);
    }
  }

  /** Waits for the operation, at most as long as its deadline, counted from the start. */
  public void await() {
    long number = requireUnderWay("wait for");
    long left =
        queues.hasEnded(place, number)
            ? 0
            : deadlineNanos - (calls.clock().nanoTime() - startNanos);
    awaitEnd(deadlineNanos, left);
  }

  /** Waits for the operation, at most so long from now on. */
  public void await(Duration deadline) {
    long nanos = Deadlines.nanos(deadline);
    long ignored = requireUnderWay("wait for");
    awaitEnd(nanos, nanos);
  }

  private void awaitEnd(long nanos, long left) {
    boolean wasInterrupted = InterruptFlag.isSet();
    activity.enter(part);
    try {
      await(part, nanos, left);
      end();
    } finally {
      activity.leave(part);
      restore(wasInterrupted);
    }
  }

  /**
   * Waits until an operation of the rank has ended.
   *
   * @param nanos the longest time that the call may take
   * @param left what is left of it
   * @throws TuttiException with {@link ErrorCode#INTERRUPTED}; the operation goes on
   */
  private void await(RankPart awaited, long nanos, long left) {
    long number = awaited.number();
    long patience = left;
    boolean isExtended = false;
    TuttiException expired = null;
    while (true) {
      switch (queues.await(place, number, idler, patience)) {
        case ENDED -> {
          return;
        }
        case INTERRUPTED -> requireNoInterrupt(awaited);
        case LATE -> {
          if (expired != null) {
            endNotes(null, expired);
            throw expired;
          }
          if (!isExtended && queues.missing(number).isEmpty()) {
            // All have started it: the run has a deadline of its own.
            isExtended = true;
            patience = nanos;
          } else {
            expired = calls.expire(meeting, awaited, nanos);
            patience = RankMeeting.DRAIN_NANOS;
          }
        }
      }
    }
  }

  /** The close of an arena interrupts those at work on its memory, too; that ends no wait. */
  private void requireNoInterrupt(RankPart awaited) {
    AgreedPlan plan = awaited.plan();
    if (plan != null) {
      InterruptFlag.restore(false, plan.scopes());
    }
    if (InterruptFlag.isSet()) {
      throw new TuttiException(
          ErrorCode.INTERRUPTED,
          "the wait of %s for operation %d, %s, was interrupted; the operation goes on, so wait"
              + " again or cancel it",
          calls.name(call.rank()),
          awaited.number(),
          awaited.call().words());
    }
  }

  private void restore(boolean wasInterrupted) {
    if (!wasInterrupted && InterruptFlag.isSet()) {
      AgreedPlan plan = part.plan();
      InterruptFlag.restore(false, plan == null ? call.scopes() : plan.scopes());
    }
  }

  /** The operation has ended for the rank. */
  private void end() {
    long number = part.underWay();
    close();
    TuttiException failure = part.failure();
    RunFacts facts = waited(number, failure);
    try {
      if (failure != null) {
        if (staged != null) {
          staged.giveUp();
        }
        throw new TuttiException(failure.code(), failure, "%s", failure.getMessage());
      }
      bringBack();
    } catch (Throwable t) {
      endNotes(facts, t);
      throw t;
    }
    endNotes(facts, null);
  }

  /** Notes that the wait is over; returns what was run, if that is known and somebody asks. */
  private @Nullable RunFacts waited(long number, @Nullable TuttiException failure) {
    if (notes == null) {
      return null;
    }
    Arrival met = meeting.met(number);
    AgreedPlan plan = met == null ? null : part.plan();
    RunFacts facts = plan == null ? null : plan.facts();
    notes.waited(met, facts, failure);
    return facts;
  }

  private void endNotes(@Nullable RunFacts facts, @Nullable Throwable failure) {
    if (notes != null) {
      notes.end(facts, failure);
      notes = null;
    }
  }

  /** If that fails, the others have ended the operation already, so the group ends with it. */
  private void bringBack() {
    if (staged == null || !part.usesCopies()) {
      return;
    }
    try {
      staged.after();
    } catch (TuttiException e) {
      calls.poison(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /** Asks the operation under way to end early, on all ranks; any thread may. */
  public boolean cancel() {
    long number = part.underWay();
    return number != 0 && calls.cancel(meeting, call, number);
  }

  /** Whether a start was not yet ended by {@link #test} or {@link #await}. */
  public boolean isRunning() {
    return part.underWay() != 0;
  }

  /** Ends an operation that nobody will wait for, once it is over; whether that is so. */
  @Override
  public boolean endIfForsaken() {
    boolean isOver = isForsaken && queues.hasEnded(place, part.underWay());
    if (isOver) {
      isForsaken = false;
      isOpen = false;
      part.underWay(0);
      if (staged != null) {
        staged.giveUp();
      }
      endNotes(null, part.failure());
    }
    return isOver;
  }

  /** Ends an operation that its rank has left behind, for the given reason. */
  @Override
  public void abandon(String reason) {
    long number = part.underWay();
    if (number == 0) {
      return;
    }
    TuttiException failure = new TuttiException(ErrorCode.INVALID_STATE, "%s", reason);
    queues.fail(number, failure);
    meeting.drain(place, number);
    close();
    if (staged != null) {
      staged.giveUp();
    }
    RunFacts facts = waited(number, part.failure());
    endNotes(facts, part.failure() == null ? failure : part.failure());
  }

  /** Nothing of it is under way any more. */
  private void close() {
    part.underWay(0);
    isForsaken = false;
    if (isOpen) {
      isOpen = false;
      activity.closed(this);
    }
  }

  private long requireUnderWay(String asked) {
    long number = part.underWay();
    if (number == 0) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s the %s of %s: it is not started; start it first",
          asked,
          call.words(),
          calls.name(call.rank()));
    }
    return number;
  }

  @Override
  public String toString() {
    return call.words() + " of " + calls.name(call.rank());
  }
}
