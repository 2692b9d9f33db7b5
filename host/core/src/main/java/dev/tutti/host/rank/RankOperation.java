package dev.tutti.host.rank;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.buffers.InterruptFlag;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.AgreedPlan;
import dev.tutti.host.group.AgreedRun;
import dev.tutti.host.rank.Arrivals.Arrival;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
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
  private final RankWait wait;
  private final int place;
  private final RankPart part;
  private final long deadlineNanos;

  /** Its buffers where peers cannot reach them; null if they can. */
  private final @Nullable CallCopies staged;

  private final @Nullable CaptureStep step;

  private long startNanos;

  /** Whether its buffers fit together, which does not change. */
  private boolean isChecked;

  /** Whether no caller will wait for its end, because a blocking call was interrupted. */
  private boolean isForsaken;

  /** Whether the rank went on without waiting for its end. */
  private boolean isOpen;

  /** Is notified of the end of the last start, unless the rank itself waits for it. */
  private final RankCompletion completion = new RankCompletion();

  /** How often the rank has asked in vain whether the operation under way is complete. */
  private int polls;

  /** Of the call under way; null while none is wanted. */
  private @Nullable RankNotes notes;

  /** An operation; with a step, what is done about a capture in the place of a call. */
  RankOperation(
      RankCalls calls,
      RankCall call,
      @Nullable CallCopies staged,
      @Nullable CaptureStep step,
      RankMeeting meeting,
      long deadlineNanos) {
    this.calls = calls;
    this.call = call;
    this.staged = staged;
    this.step = step;
    this.meeting = meeting;
    this.activity = calls.activity();
    this.queues = meeting.queues();
    this.place = meeting.placeOf(call.rank());
    this.wait = new RankWait(calls.names(), calls.deadlines(), meeting, call);
    this.deadlineNanos = deadlineNanos;
    this.part = new RankPart(call, staged, meeting.isFirstHere(place));
  }

  /** What this rank does. */
  public CollectiveCall call() {
    return call.call();
  }

  /** The plan that it ran last; null if it never did. */
  public @Nullable AgreedPlan ran() {
    return part.plan() instanceof AgreedPlan plan ? plan : null;
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
      wait.restore(wasInterrupted, part);
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
      wait.restore(wasInterrupted, part);
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
    calls.capture(part, step, meeting);
    polls = 0;
    completion.forget();
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
      tellRecording();
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

  /** A call that this rank cannot make counts as its part, so that the others do not wait. */
  private void makeReachable() {
    try {
      call.check(calls.names(), isChecked);
      isChecked = true;
      part.reach(staged == null || calls.isCapturing() ? call : staged.before());
    } catch (RuntimeException e) {
      TuttiException error = meeting.refuse(place, call, e);
      tellRecording();
      throw error;
    }
  }

  private void tellRecording() {
    RankRecording recording = part.recording();
    if (recording != null) {
      recording.started(meeting, queues.started(place));
    }
  }

  /**
   * Whether the operation is complete for this rank. A virtual thread that asks in vain is parked
   * for 20 µs every 64 times, so that it does not keep its processor from the rank that works.
   */
  public boolean test() {
    boolean wasInterrupted = InterruptFlag.isSet();
    long number = requireUnderWay("test");
    activity.enter(part);
    try {
      boolean isOver = queues.test(place, number);
      if (!isOver && calls.clock().nanoTime() - startNanos > deadlineNanos) {
        isOver = wait.expire(part, deadlineNanos);
      }
      if (isOver) {
        end();
      } else if (++polls % POLLS_PER_PAUSE == 0 && Thread.currentThread().isVirtual()) {
        calls.clock().park(this, PAUSE_NANOS);
      }
      return isOver;
    } finally {
      activity.leave(part);
      wait.restore(wasInterrupted, part);
    }
  }

  /** Waits for the operation, at most as long as its deadline, counted from the start. */
  public void await() {
    long number = requireUnderWay("wait for");
    awaitEnd(deadlineNanos, queues.hasEnded(place, number) ? 0 : left());
  }

  /** What is left of the deadline, which counts from the start. */
  private long left() {
    return deadlineNanos - (calls.clock().nanoTime() - startNanos);
  }

  /** Waits for the operation, for a limited time from now on. */
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
      wait.restore(wasInterrupted, part);
    }
  }

  /** Waits until an operation of the rank has ended; see {@link RankWait#until}. */
  private void await(RankPart awaited, long nanos, long left) {
    TuttiException expired = wait.until(awaited, nanos, left);
    if (expired != null) {
      endNotes(null, expired);
      throw expired;
    }
  }

  /**
   * The stage that completes once the operation under way has ended. A virtual thread of its own
   * ends the operation as {@link #await} does; no other thread may then end it.
   */
  public CompletionStage<Void> completion() {
    if (!completion.isTold()) {
      long ignored = requireUnderWay("use the completion of");
      call.checkAnyThreadCanFill(calls.names());
    }
    return completion.of("tutti " + this, this::endBeside);
  }

  private void endBeside() {
    TuttiException expired = wait.beside(part, deadlineNanos, left());
    if (expired != null) {
      throw expired;
    }
    end();
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
        throw calls.told(failure);
      }
      bringBack();
    } catch (Throwable t) {
      endNotes(facts, t);
      throw t;
    }
    endNotes(facts, null);
  }

  /** Notes that the wait is over; returns what was run, if that is known and requested. */
  private @Nullable RunFacts waited(long number, @Nullable TuttiException failure) {
    if (notes == null) {
      return null;
    }
    Arrival met = meeting.met(number);
    AgreedRun plan = met == null ? null : part.plan();
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

  /** Ends an operation that no caller will wait for, once it is over; whether that is so. */
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
    if (completion.isTold()) {
      return;
    }
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
    part.capture(step, null);
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
    if (completion.isTold()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s the %s of %s: its completion is in use; wait for that",
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
