package dev.tutti.engine;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A compiled plan bound to memory, ready to run any number of times, one run at a time. Not
 * thread-safe: one thread at a time starts and awaits runs. A replay allocates nothing.
 *
 * <p>After a failed run or a missed deadline the binding cannot run again; after a cancelled run it
 * can.
 */
public final class Binding {

  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int CALLER = 0;

  private final Engine engine;
  private final CompiledPlan compiled;
  private final MemorySegment[] slots;
  private final List<TaskRunner> runners = new ArrayList<>();
  private final Clock clock;
  private final Idler idler;

  /** The state of runs without a trace, and the state in use now. */
  private final PlanRun untraced;

  private PlanRun run;

  /** The runners of the run that is traced, and when it began; none if no run is traced. */
  private List<TaskRunner.Traced> traced = List.of();

  private long traceBegin;
  private boolean isGuarded;
  private State state = State.IDLE;
  private boolean isRebound;
  private int publication = -1;

  /** The progress of the run that missed its deadline; no other run follows it. */
  private PlanRun.@Nullable Late late;

  private enum State {
    IDLE,
    RUNNING,
    FAILED
  }

  Binding(Engine engine, CompiledPlan compiled, MemorySegment[] slots) {
    this.engine = engine;
    this.compiled = compiled;
    this.slots = slots;
    EngineConfig config = engine.config();
    this.untraced = compiled.newRun(slots, runners, engine.waiting());
    this.run = untraced;
    this.clock = engine.waiting().clock();
    this.idler = engine.waiting().caller(config.workers(), config.yieldNanos()).newIdler();
  }

  /** The plan that is bound. */
  public CompiledPlan compiled() {
    return compiled;
  }

  /**
   * Uses other memory from the next run on. If the plan is in place, rebind the input first, then
   * the output.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} during a run, {@link
   *     ErrorCode#BUFFER_TOO_SMALL} or {@link ErrorCode#BUFFER_UNAVAILABLE}
   */
  public void rebind(int rank, TransportMemType type, MemorySegment segment) {
    requireIdle("rebind");
    compiled.slots().set(slots, rank, type, segment);
    isRebound = true;
  }

  /**
   * The positions of the streams of the run under way. Any thread may call this; the run continues
   * meanwhile. Empty for plans that run as graphs; see {@link #unfinished}.
   */
  public List<StreamPosition> positions() {
    return compiled.positions(run);
  }

  /**
   * The positions of the streams when the last run missed its deadline. Empty if it did not, and
   * for plans that run as graphs.
   */
  public List<StreamPosition> latePositions() {
    return late == null ? List.of() : compiled.positions(late.undone());
  }

  /**
   * Whether all work of the run under way is done; the caller only has to test or await the run.
   */
  public boolean isComplete() {
    return run.isDone();
  }

  /** The unfinished work of the run under way, in indented lines; any thread may call this. */
  public String unfinished() {
    return run.unfinished();
  }

  /**
   * Sets whether the plan copies from or to memory whose pages can vanish, as those of mapped files
   * do. Only the JVM's own copies touch such memory. Call this between runs.
   */
  public void guard(boolean newIsGuarded) {
    isGuarded = newIsGuarded;
    for (TaskRunner runner : runners) {
      runner.guard(isGuarded);
    }
  }

  /** Sets the cancellation that may end the next runs early. Call this between runs. */
  public void cancelledBy(Cancellation cancellation) {
    run.cancelledBy(cancellation);
  }

  /**
   * Uses another segment for a view of a composition from the next run on.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} during a run, {@link
   *     ErrorCode#BUFFER_TOO_SMALL}
   */
  public void rebind(int view, MemorySegment segment) {
    requireIdle("rebind");
    compiled.slots().setView(slots, view, segment);
    isRebound = true;
  }

  /** Makes the runners use the rebound memory, once for any number of segments. */
  private void settle() {
    if (isRebound) {
      isRebound = false;
      for (TaskRunner runner : runners) {
        runner.rebind();
      }
    }
  }

  /**
   * Makes the next run record when each of its tasks begins and ends. Call this just before the run
   * starts, and {@link #endTrace} or {@link #dropTrace} after the run.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} during a run, or after one that has
   *     failed
   */
  public void beginTrace() {
    requireIdle("trace");
    traced = compiled.tracedRunners(slots, clock);
    traced.forEach(runner -> runner.guard(isGuarded));
    run = compiled.newRun(traced, engine.waiting());
    run.cancelledBy(untraced.cancellation());
    traceBegin = clock.nanoTime();
  }

  /**
   * Ends tracing and returns the trace of the run since {@link #beginTrace}. The run must have
   * ended without a failure.
   */
  public RunTrace endTrace() {
    requireIdle("trace");
    long nanos = clock.nanoTime() - traceBegin;
    TraceBuilder trace = new TraceBuilder(compiled.frames(), traceBegin);
    for (int list = 0; list < traced.size(); list++) {
      traced.get(list).noteIn(trace, list);
    }
    dropTrace();
    return trace.build(nanos);
  }

  /** Ends tracing from the next run on, and drops what was recorded. */
  public void dropTrace() {
    traced = List.of();
    run = untraced;
  }

  /**
   * Runs the plan from start to end as {@link #run} does, and traces it.
   *
   * @param timeoutNanos how long the run may take
   * @throws TuttiException as {@link #run}
   */
  public RunTrace trace(long timeoutNanos) {
    beginTrace();
    try {
      run(timeoutNanos);
      return endTrace();
    } finally {
      dropTrace();
    }
  }

  /** Runs the plan from start to end: {@link #start} and {@link #await}. */
  public void run(long timeoutNanos) {
    requireIdle("start");
    settle();
    if (run instanceof InlineRun inline) {
      runInline(inline, timeoutNanos);
      return;
    }
    start(timeoutNanos);
    await(timeoutNanos);
  }

  /**
   * Begins a run. A run that no other thread helps with is done when this returns.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if a run is under way or has
   *     failed; {@link ErrorCode#RUN_FAILED} if the run was done at once and failed
   */
  public void start() {
    start(Long.MAX_VALUE);
  }

  /**
   * Begins a run with a deadline, which holds whether the run is tested or awaited.
   *
   * @param timeoutNanos how long the run may take at most; a later await sets its own limit
   * @throws TuttiException as {@link #start()}; {@link ErrorCode#DEADLINE_EXCEEDED} if the run was
   *     done on this thread and took longer
   */
  public void start(long timeoutNanos) {
    requireIdle("start");
    settle();
    if (run instanceof InlineRun inline) {
      runInline(inline, timeoutNanos);
      state = State.RUNNING;
      return;
    }
    state = State.RUNNING;
    run.begin(timeoutNanos);
    publication = engine.helpers().publishKept(run);
    if (publication < 0) {
      while (run.help(CALLER)) {
        // Without helpers, the calling thread does all the work.
      }
    }
  }

  private void runInline(InlineRun inline, long timeoutNanos) {
    state = State.FAILED;
    inline.begin(timeoutNanos);
    try {
      inline.help(CALLER);
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
    if (!inline.isDone()) {
      if (inline.isCancelled()) {
        throw cancelled();
      }
      throw deadline(inline.look(), "");
    }
    state = State.IDLE;
  }

  /**
   * Whether the run under way is done. If so, this call ends the run: another one can be started,
   * and no await is needed.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if no run is under way, {@link
   *     ErrorCode#RUN_FAILED} if it is done because a task failed, {@link
   *     ErrorCode#DEADLINE_EXCEEDED} if its time has passed, {@link ErrorCode#CANCELLED} if it was
   *     ended early
   */
  public boolean test() {
    requireRunning("test");
    if (!run.isDone()) {
      if (run.isLate()) {
        giveUp();
      }
      return false;
    }
    finish();
    return true;
  }

  /**
   * Waits until the run is done, taking part in the work.
   *
   * @param timeoutNanos how long the run may take at most, counted from its start
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED} if the time passes first,
   *     {@link ErrorCode#RUN_FAILED} if a task failed, {@link ErrorCode#CANCELLED} if the run was
   *     ended early, {@link ErrorCode#INVALID_STATE} if no run is under way
   */
  public void await(long timeoutNanos) {
    requireRunning("await");
    if (!run.isDone()) {
      run.limit(timeoutNanos);
      join();
    }
    finish();
  }

  /**
   * Helps until the run is done; if there is no work, polls, then yields, then parks for a while.
   */
  private void join() {
    idler.reset();
    while (!run.isDone()) {
      if (run.help(CALLER)) {
        idler.reset();
        continue;
      }
      IdlePhase phase = idler.idle();
      if (phase != IdlePhase.SPIN && run.isLate()) {
        giveUp();
      }
      if (phase == IdlePhase.PARK) {
        clock.park(this, Waiting.PARK_NANOS);
      }
    }
  }

  /** Ends a run that has missed its deadline; helpers finish only their current task. */
  private void giveUp() {
    PlanRun.Late look = run.look();
    run.cancel();
    idler.reset();
    long start = clock.nanoTime();
    while (!run.isDone() && clock.nanoTime() - start < DRAIN_NANOS) {
      if (!run.help(CALLER) && idler.idle() == IdlePhase.PARK) {
        clock.park(this, Waiting.PARK_NANOS);
      }
    }
    boolean isQuiet = run.isDone();
    engine.helpers().withdraw(publication);
    state = State.FAILED;
    throw deadline(look, isQuiet ? "" : ", and a thread is still working on its memory");
  }

  private void finish() {
    engine.helpers().withdraw(publication);
    publication = -1;
    PlanRun.Late look = run.late();
    if (look != null) {
      state = State.FAILED;
      throw deadline(look, "");
    }
    Throwable failure = run.failure();
    if (failure != null) {
      state = State.FAILED;
      throw failed(failure);
    }
    if (run.hasSkipped()) {
      throw cancelled();
    }
    state = State.IDLE;
  }

  /** A cancelled run leaves no state that could disturb the next one. */
  private TuttiException cancelled() {
    state = State.IDLE;
    return new TuttiException(
        ErrorCode.CANCELLED,
        "the run was cancelled; its outputs are not usable, but it can be started again");
  }

  private static TuttiException failed(Throwable failure) {
    if (failure instanceof TuttiException coded) {
      return new TuttiException(
          coded.code(), coded, "the run failed: %s", String.valueOf(coded.getMessage()));
    }
    if (failure instanceof IllegalStateException || failure instanceof WrongThreadException) {
      return new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          failure,
          "the run failed because a buffer's memory is not accessible: %s",
          failure.getMessage());
    }
    return new TuttiException(
        ErrorCode.RUN_FAILED, failure, "the run failed: %s", failure.toString());
  }

  private TuttiException deadline(PlanRun.Late look, String remark) {
    late = look;
    return new TuttiException(
        ErrorCode.DEADLINE_EXCEEDED,
        "the run did not finish within its deadline%s:%s",
        remark,
        look.unfinished());
  }

  private void requireIdle(String verb) {
    if (state != State.IDLE) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s: %s",
          verb,
          state == State.RUNNING ? "a run is under way; await it first" : "an earlier run failed");
    }
  }

  private void requireRunning(String verb) {
    if (state != State.RUNNING) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "cannot %s: %s",
          verb,
          state == State.IDLE ? "no run is under way; start one first" : "an earlier run failed");
    }
  }
}
