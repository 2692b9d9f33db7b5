package dev.tutti.host;

import dev.tutti.host.engine.Binding;
import dev.tutti.host.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * Several operations of a group that were captured, see {@link Group#capture(Runnable)}, and run as
 * one. The results are those of running them one after another, to the bit; but a rank that is
 * ahead goes on with the next operation, as far as nobody can tell. A run allocates nothing and
 * takes part in the work on the calling thread.
 *
 * <p>A group runs one request or capture at a time. Not thread-safe: one thread at a time. Buffers
 * are owned by the caller and must outlive the capture or its last run; what peers cannot reach is
 * copied before each run and back after it, but for arrays that no operation reduces.
 *
 * <p>When the plugin of one of its plans is replaced or removed, the next start takes the plans
 * that new requests would get.
 */
public final class Captured extends RunHolder implements AutoCloseable {

  private enum State {
    IDLE,
    RUNNING,
    /** Started while the group records: there is nothing to wait for. */
    RECORDED,
    CLOSED
  }

  private final Group group;
  private final RunSlot slot;
  private final long deadlineNanos;
  private volatile CapturedPlan plan;
  private Binding binding;
  private State state = State.IDLE;
  private long runs;

  Captured(Group group, RunSlot slot, long deadlineNanos, CapturedPlan plan) {
    this.group = group;
    this.slot = slot;
    this.deadlineNanos = deadlineNanos;
    this.plan = plan;
    this.binding = plan.binding();
  }

  /**
   * Starts a run; small ones are complete when this returns. Inside a capture the operations become
   * part of it instead.
   *
   * @throws TuttiException as {@link Request#start}
   */
  public void start() {
    if (!begin()) {
      return;
    }
    try {
      binding.start(deadlineNanos);
    } catch (Throwable t) {
      throw failed(t);
    }
  }

  /**
   * Whether the run that was started is complete; if so, it can be started again.
   *
   * @throws TuttiException as {@link Request#test}
   */
  public boolean test() {
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

  /** Waits for the run that was started, at most as long as its operations may take together. */
  public void await() {
    await(deadlineNanos);
  }

  /**
   * Waits for the run that was started and takes part in the work.
   *
   * @param deadline the longest time to wait
   * @throws TuttiException as {@link Request#await(Duration)}
   */
  public void await(Duration deadline) {
    await(Deadlines.nanos(deadline));
  }

  private void await(long nanos) {
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

  /**
   * Starts a run and waits for it: the fast way. Throws what {@link #start} and {@link #await} do.
   */
  public void run() {
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

  /** Makes everything ready for a run; false if the run was recorded instead. */
  private boolean begin() {
    if (state != State.IDLE) {
      throw wrongState("start");
    }
    if (!slot.acquire(this)) {
      plan.calls().forEach(group::record);
      state = State.RECORDED;
      return false;
    }
    try {
      // After the slot is taken: who retires a plan's plugin then sees this run, or this sees it.
      if (plan.isRetired()) {
        replace(group.captures().planAgain(plan));
      }
      plan.memory().beforeRun();
    } catch (Throwable t) {
      slot.release();
      throw t;
    }
    state = State.RUNNING;
    return true;
  }

  private void replace(CapturedPlan fresh) {
    CapturedPlan old = plan;
    countRuns();
    plan = fresh;
    binding = fresh.binding();
    old.close();
  }

  private void countRuns() {
    plan.ran(runs);
    runs = 0;
  }

  private boolean endRecorded() {
    boolean wasRecorded = state == State.RECORDED;
    if (wasRecorded) {
      state = State.IDLE;
    }
    return wasRecorded;
  }

  private void end() {
    try {
      plan.memory().afterRun();
    } catch (Throwable t) {
      throw failed(t);
    }
    runs++;
    state = State.IDLE;
    slot.release();
  }

  /** Poisons the group before the slot is left, so that nobody runs in between. */
  private TuttiException failed(Throwable thrown) {
    TuttiException failure =
        thrown instanceof TuttiException coded
            ? coded
            : new TuttiException(ErrorCode.RUN_FAILED, thrown, "%s failed: %s", this, thrown);
    state = State.IDLE;
    group.poison(String.valueOf(failure.getMessage()));
    slot.release();
    return failure;
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
          case CLOSED -> "closed; capture again";
        };
    return new TuttiException(
        ErrorCode.INVALID_STATE, "cannot %s the %s: it is %s", asked, this, actual);
  }

  /**
   * Replaces a buffer wherever the captured operations have it or a part of it, between runs.
   *
   * @param old a buffer of a captured operation, or a segment that holds some of them
   * @param replacement as large; like the old one it must not overlap other buffers, but for parts
   *     of it
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} during a run or after the end;
   *     {@link ErrorCode#INVALID_ARGUMENT} if no operation has the old buffer, or if the operations
   *     would hang together in another way; as {@link RequestBuilder#build} for the buffers
   */
  public void rebind(MemorySegment old, MemorySegment replacement) {
    if (state != State.IDLE) {
      throw wrongState("rebind");
    }
    replace(group.captures().rebound(plan, old, replacement));
  }

  /** The captured operations in their order. */
  public List<CollectiveCall> calls() {
    return plan.calls().stream().map(call -> call.planned().key().call()).toList();
  }

  /**
   * What became of the operations, in lines for people: their algorithms, the order between them,
   * the signals that were dropped, and how their buffers are reached.
   */
  public String explain() {
    return plan.explain();
  }

  /** Whether buffers are copied before and after each run because peers cannot reach them. */
  public boolean isStaged() {
    return plan.memory().isStaged();
  }

  @Override
  boolean uses(Generation generation) {
    return plan.uses(generation);
  }

  @Override
  String doing() {
    return "running the " + this;
  }

  /**
   * Ends the use of this capture. Does nothing twice.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} while a run is under way
   */
  @Override
  public void close() {
    if (state == State.RUNNING) {
      throw wrongState("close");
    }
    if (state != State.CLOSED) {
      state = State.CLOSED;
      countRuns();
      group.captures().closed(this);
      plan.close();
    }
  }

  @Override
  public String toString() {
    int count = plan.calls().size();
    return "capture of " + count + (count == 1 ? " operation" : " operations");
  }
}
