package dev.tutti.host.group;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.engine.Binding;
import dev.tutti.engine.Cancellation;
import dev.tutti.engine.StreamPosition;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.buffers.InterruptFlag;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.Counters;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation that a group runs any number of times, one run at a time: the states of a run and
 * the transitions between them. Subclasses define what is run.
 */
public abstract class RunnableOperation extends SlotHolder {

  private enum State {
    IDLE,
    RUNNING,
    /** The group recorded the start, so there is nothing to wait for. */
    RECORDED,
    CLOSED
  }

  private final GroupCore core;
  private final RunSlot slot;
  private final long deadlineNanos;
  private final RunCancel cancel = new RunCancel();
  private Cancellation cancellation = cancel;
  private Binding binding;
  private State state = State.IDLE;

  /**
   * The number of runs with the current plan. Other threads read it, and may not see the last run.
   */
  private long runs;

  private final RunNotes notes;

  /** Traces runs; null if no traces are wanted. */
  private @Nullable RunTracer tracer;

  protected RunnableOperation(GroupCore core, long deadlineNanos, Binding binding) {
    this.core = core;
    this.slot = core.slot();
    this.notes = new RunNotes(this::makeFacts, core.flight(), core.settings().observer());
    this.tracer = RunTracer.of(core.profiler());
    this.deadlineNanos = deadlineNanos;
    this.binding = binding;
  }

  /** Adds this operation to the current capture of this thread, instead of running it. */
  protected abstract void record();

  /**
   * Prepares a run. Called while the slot is held, so a thread that retires the plugin of a plan
   * sees this run, or this thread sees the retirement.
   */
  protected abstract void beforeRun();

  /** The scopes that keep the callers' memory alive. */
  protected abstract MemorySegment.Scope[] scopes();

  /** Copies the results back, before another run of the group can begin. */
  protected abstract void afterRun();

  /** Reports a failed run to the plugins whose plans were run. */
  protected abstract void report(TuttiException failure);

  /** Counts runs for the plugins whose plans were run. */
  protected abstract void ran(long ended);

  /** Counts runs for the algorithms whose plans were run. */
  protected abstract void count(Counters into, long ended, long inNanos);

  /** Makes the facts of the runs. */
  protected abstract RunFacts makeFacts();

  /** Frees its resources; called once. */
  protected abstract void release();

  /** The kind of the operation, in words that follow "cannot start". */
  protected abstract String title();

  /** What to do instead of using a closed operation. */
  protected abstract String successor();

  /** Whether buffers are copied before and after each run because peers cannot reach them. */
  public abstract boolean isStaged();

  /** Starts a run, unless it is recorded; a small run is complete when this returns. */
  public final void start() {
    boolean wasInterrupted = InterruptFlag.isSet();
    try {
      startNow();
    } finally {
      InterruptFlag.restore(wasInterrupted, scopes());
    }
  }

  private void startNow() {
    if (!begin()) {
      return;
    }
    try {
      binding.start(deadlineNanos);
    } catch (Throwable t) {
      throw failed(t);
    }
  }

  /** Whether the current run is complete; if so, another one can be started. */
  public final boolean test() {
    boolean wasInterrupted = InterruptFlag.isSet();
    try {
      return testNow();
    } finally {
      InterruptFlag.restore(wasInterrupted, scopes());
    }
  }

  private boolean testNow() {
    if (endRecorded()) {
      return true;
    }
    requireRunning();
    boolean isDone;
    try {
      isDone = binding.test();
    } catch (Throwable t) {
      throw failed(t);
    }
    if (isDone) {
      end();
    }
    return isDone;
  }

  /**
   * Waits for the current run, at most for its deadline. The deadline of a capture is the sum of
   * the deadlines of its operations.
   */
  public final void await() {
    await(deadlineNanos);
  }

  /** Waits for the current run and takes part in the work. */
  public final void await(Duration deadline) {
    await(Deadlines.nanos(deadline));
  }

  private void await(long nanos) {
    boolean wasInterrupted = InterruptFlag.isSet();
    try {
      awaitNow(nanos);
    } finally {
      InterruptFlag.restore(wasInterrupted, scopes());
    }
  }

  private void awaitNow(long nanos) {
    if (endRecorded()) {
      return;
    }
    requireRunning();
    try {
      binding.await(nanos);
    } catch (Throwable t) {
      throw failed(t);
    }
    end();
  }

  /** Starts a run and waits for it, which is the fastest way to run. */
  public final void run() {
    boolean wasInterrupted = InterruptFlag.isSet();
    try {
      runNow();
    } finally {
      InterruptFlag.restore(wasInterrupted, scopes());
    }
  }

  private void runNow() {
    if (!begin()) {
      state = State.IDLE;
      return;
    }
    try {
      binding.run(deadlineNanos);
    } catch (Throwable t) {
      throw failed(t);
    }
    end();
  }

  /** Runs as {@link #run}, with a cancellation that replaces {@link #cancel} from now on. */
  public final void run(Cancellation other) {
    cancellation = other;
    run();
  }

  /** Runs as {@link #run} does, and returns the trace of the run. */
  public final RunTrace trace() {
    requireIdle("trace");
    RunTracer usual = tracer;
    RunTracer asked = RunTracer.ofEach(core.profiler());
    tracer = asked;
    try {
      run();
    } finally {
      tracer = usual;
    }
    return Objects.requireNonNull(asked.trace());
  }

  /** The facts of the runs; only the thread that runs the operation may call this. */
  public final RunFacts facts() {
    return notes.facts();
  }

  /** Prepares a run; false if the run was recorded instead. */
  private boolean begin() {
    requireIdle("start");
    cancel.nextRun();
    if (!slot.acquire(this)) {
      if (tracer != null && tracer.isAsked()) {
        throw new TuttiException(
            ErrorCode.INVALID_STATE,
            "cannot trace %s inside a capture, where nothing runs; trace it outside",
            title());
      }
      record();
      state = State.RECORDED;
      return false;
    }
    try {
      beforeRun();
      binding.cancelledBy(cancellation);
      notes.begin();
      if (tracer != null) {
        tracer.begin(binding);
      }
    } catch (Throwable t) {
      slot.release();
      throw t;
    }
    state = State.RUNNING;
    return true;
  }

  private boolean endRecorded() {
    boolean wasRecorded = state == State.RECORDED;
    if (wasRecorded) {
      state = State.IDLE;
    }
    return wasRecorded;
  }

  private void end() {
    RunTracer tracing = tracer;
    try {
      if (tracing != null) {
        tracing.end();
      }
      afterRun();
    } catch (Throwable t) {
      throw failed(t);
    }
    runs++;
    notes.done();
    state = State.IDLE;
    slot.release();
    if (tracing != null) {
      tracing.tell();
    }
  }

  /** Poisons the group before the slot is released, so that no other run starts in between. */
  private TuttiException failed(Throwable thrown) {
    TuttiException failure =
        thrown instanceof TuttiException coded
            ? explained(coded)
            : new TuttiException(ErrorCode.RUN_FAILED, thrown, "%s failed: %s", title(), thrown);
    notes.failed(failure);
    if (tracer != null) {
      tracer.drop();
    }
    state = State.IDLE;
    if (failure.code() == ErrorCode.CANCELLED) {
      slot.release();
      return failure;
    }
    slot.poison(String.valueOf(failure.getMessage()));
    slot.release();
    report(failure);
    return failure;
  }

  /** Adds the last operations of the group, and the ranks' waits, to the error of a late run. */
  private TuttiException explained(TuttiException failure) {
    return failure.code() == ErrorCode.DEADLINE_EXCEEDED
        ? LateRunError.of(
            failure,
            notes::lastOperations,
            () -> core.lateStatus().apply(doing(), binding.latePositions()))
        : failure;
  }

  /**
   * Cancels the current run; any thread may call this.
   *
   * @return whether there was a current run
   */
  public final boolean cancel() {
    if (isRunning()) {
      cancel.request();
      return true;
    }
    requireOpen("cancel");
    return false;
  }

  /** Whether there is a run whose end has not been observed yet; any thread may call this. */
  @SuppressWarnings("ReferenceEquality") // Identity matters: it is this object, or another one.
  public final boolean isRunning() {
    return slot.running() == this;
  }

  /** Closes this operation. A second call does nothing. */
  public final void close() {
    if (state == State.RUNNING) {
      throw wrongState("close");
    }
    if (state != State.CLOSED) {
      state = State.CLOSED;
      countRuns();
      release();
    }
  }

  /** The number of this run, which differs from those of the previous and the next one. */
  public final long number() {
    return cancel.number();
  }

  /** The positions of the current run's streams; see {@link Binding#positions}. */
  public final List<StreamPosition> positions() {
    return binding.positions();
  }

  /** Whether a run is complete and its end has not been observed yet. */
  public final boolean isComplete() {
    return binding.isComplete();
  }

  public final String unfinished() {
    return binding.unfinished();
  }

  /** Runs another binding from the next run on, or from this run if it has not begun. */
  protected final void use(Binding other) {
    binding = other;
    notes.forgetFacts();
  }

  /** Counts the runs with the current plan; called before a change of plan. */
  protected final void countRuns() {
    ran(runs);
    addTo(core.counters());
    runs = 0;
    notes.resetNanos();
  }

  /** Adds the runs that have not been counted yet; the last ones may be missing. */
  public final void addTo(Counters counters) {
    count(counters, runs, notes.nanos());
  }

  protected final GroupCore core() {
    return core;
  }

  protected final void requireIdle(String asked) {
    if (state != State.IDLE) {
      throw wrongState(asked);
    }
  }

  protected final void requireOpen(String asked) {
    if (state == State.CLOSED) {
      throw wrongState(asked);
    }
  }

  private void requireRunning() {
    if (state != State.RUNNING) {
      throw wrongState("wait for");
    }
  }

  private TuttiException wrongState(String asked) {
    String actual =
        switch (state) {
          case IDLE -> "not started; start it first";
          case RUNNING, RECORDED -> "running; wait for its end first";
          case CLOSED -> "closed; " + successor();
        };
    return new TuttiException(
        ErrorCode.INVALID_STATE, "cannot %s %s: it is %s", asked, title(), actual);
  }
}
