package dev.tutti.host.rank;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.buffers.InterruptFlag;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.AgreedPlan;
import dev.tutti.host.group.AgreedRun;
import dev.tutti.host.rank.Arrivals.Arrival;
import dev.tutti.host.status.RunFacts;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in an operation of its group, made once and run any number of times. Only the
 * rank's own thread may use it, except for {@link #cancel} and {@link #isRunning}.
 */
public final class RankOperation implements RankActivity.Started {

  private final RankCalls calls;
  private final RankCall call;
  private final RankMeeting meeting;
  private final RankActivity activity;
  private final OperationQueues queues;
  private final RankWait wait;
  private final int place;
  private final RankPart part;
  private final long deadlineNanos;

  /** The copies of its buffers if peers cannot reach them; null if they can. */
  private final @Nullable CallCopies staged;

  private final @Nullable CaptureStep step;

  private long startNanos;

  /** Whether its buffers have been checked; one check is enough. */
  private boolean isChecked;

  /** Whether no caller will wait for its end, because its rank waits no more. */
  private boolean isForsaken;

  /** Whether the rank continued without waiting for its end. */
  private boolean isOpen;

  /** The end of the last start as a completion stage, unless the rank itself waits for the end. */
  private final RankCompletion completion = new RankCompletion();

  /** The notes on the current call; null if none are wanted. */
  private @Nullable RankNotes notes;

  /** Makes an operation. If there is a step, it is that step of a capture instead of a call. */
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

  /** The call of this rank. */
  public CollectiveCall call() {
    return call.call();
  }

  /** The plan of the last run; null if it never ran. */
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

  /** Starts the operation as {@link #start} does, and traces what all ranks do in it. */
  public CompletionStage<RunTrace> trace() {
    if (part.underWay() == 0 && calls.isCapturing()) {
      throw refused("trace", ": a capture records it, and nothing runs; trace it outside");
    }
    CompletionStage<RunTrace> trace = meeting.bindings().traces().of(queues.started(place) + 1);
    start();
    return trace;
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
      throw refused("start", " again: it is under way; wait for its end first");
    }
    calls.requireUsable(meeting, place);
    calls.capture(part, step, meeting);
    wait.forgetPolls();
    completion.forget();
    RankRecords records = calls.records();
    notes = records.areWanted() ? new RankNotes(records, call, calls.isCapturing()) : null;
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

  /** Makes the buffers reachable. A refused call still counts, so that other ranks do not wait. */
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
   * Whether the operation is complete for this rank. A virtual thread is parked for 20 µs after
   * every 64 unsuccessful polls, so that it does not keep its processor from the rank that works.
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
      } else {
        wait.polled(calls.clock());
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

  /** The time left until the deadline, which counts from the start. */
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
   * The stage that completes once the current operation has ended. A virtual thread ends the
   * operation as {@link #await} does; no other thread may then end it.
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

  /** Handles the end of the operation for this rank. */
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
        throw calls.deadlines().told(failure);
      }
      bringBack();
    } catch (Throwable t) {
      endNotes(facts, t);
      throw t;
    }
    endNotes(facts, null);
  }

  /** Notes that the wait is over; returns the facts of the run, if they are known and requested. */
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

  /** Copies the results back. A failure poisons the group: other ranks have already completed. */
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

  /** Cancels the current operation on all ranks; any thread may call this. */
  public boolean cancel() {
    long number = part.underWay();
    return number != 0 && calls.cancel(meeting, call, number);
  }

  /** Whether there is a start that {@link #test} or {@link #await} has not ended yet. */
  public boolean isRunning() {
    return part.underWay() != 0;
  }

  /** Ends an operation that no caller will wait for, if it is over; returns whether it did. */
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

  /** Ends an operation that its rank has abandoned, for the given reason. */
  @Override
  public void abandon(String reason) {
    long number = part.underWay();
    if (number == 0) {
      return;
    }
    TuttiException failure = new TuttiException(ErrorCode.INVALID_STATE, "%s", reason);
    queues.fail(number, failure);
    isForsaken = !completion.isTold() && !meeting.drain(place, number, deadlineNanos);
    if (isForsaken || completion.isTold()) {
      return;
    }
    close();
    if (staged != null) {
      staged.giveUp();
    }
    RunFacts facts = waited(number, part.failure());
    endNotes(facts, part.failure() == null ? failure : part.failure());
  }

  /** Resets the state after the end of an operation. */
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
      throw refused(asked, ": it is not started; start it first");
    }
    if (completion.isTold()) {
      throw refused(asked, ": its completion is in use; wait for that");
    }
    return number;
  }

  private TuttiException refused(String asked, String reason) {
    return new TuttiException(
        ErrorCode.INVALID_STATE,
        "cannot %s the %s of %s%s",
        asked,
        call.words(),
        calls.name(call.rank()),
        reason);
  }

  @Override
  public String toString() {
    return call.words() + " of " + calls.name(call.rank());
  }
}
