package dev.tutti.host.capture;

import dev.tutti.engine.Binding;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupPlans;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.group.RecordedCall;
import dev.tutti.host.group.Recording;
import dev.tutti.host.watch.Counters;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Records the calls of one group, and prepares the recorded calls to run as one. */
public final class Captures {

  private final GroupCore core;
  private final GroupPlans plans;
  private final GroupBindings bindings;
  private final UnaryOperator<MemorySegment> allocation;
  private final Set<CapturedOperation> open = ConcurrentHashMap.newKeySet();
  private final Set<JoinedStep> joined = ConcurrentHashMap.newKeySet();

  /**
   * Makes captures of a group.
   *
   * @param allocation finds the memory of the context that a segment is a part of, or returns the
   *     segment
   */
  public Captures(
      GroupCore core,
      GroupPlans plans,
      GroupBindings bindings,
      UnaryOperator<MemorySegment> allocation) {
    this.core = core;
    this.plans = plans;
    this.bindings = bindings;
    this.allocation = allocation;
  }

  /** Records the operations that a body runs on this thread. */
  public CapturedOperation of(Runnable body) {
    return capture(Recording.ofThisThread(), body);
  }

  /**
   * Records the calls of the ranks' bodies; if one body fails, nothing is captured.
   *
   * @param bodies runs the bodies and waits for their ends
   */
  public CapturedOperation ofRanks(Runnable bodies) {
    return capture(Recording.ofRanks(), () -> runBodies(bodies));
  }

  private static void runBodies(Runnable bodies) {
    try {
      bodies.run();
    } catch (Throwable e) {
      throw new TuttiException(
          ErrorCode.CAPTURE_ABANDONED,
          e,
          "the capture was abandoned on all ranks, because a rank's body failed; the group is still"
              + " usable. The failure was: %s",
          e);
    }
  }

  private CapturedOperation capture(Recording capture, Runnable body) {
    record(capture, body);
    List<RecordedCall> calls = capture.calls();
    if (calls.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "nothing was captured: the body must run an operation of this group");
    }
    long nanos = CaptureChecks.deadlineNanos(core.settings(), calls);
    CapturedOperation captured = new CapturedOperation(core, this, nanos, plan(calls));
    open.add(captured);
    return captured;
  }

  private void record(Recording capture, Runnable body) {
    if (!core.slot().acquire(capture)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "this group is already capturing on this thread; a captured run may be a part of another"
              + " capture, but a body cannot capture itself");
    }
    try {
      body.run();
    } finally {
      core.slot().release();
    }
  }

  /** Runs a body whose operations of this group are planned and checked, but do not run. */
  public void warmUp(Runnable body) {
    Recording capture = Recording.in(core.slot());
    if (capture != null && capture.recordsThisThread()) {
      boolean before = capture.warmUp(true);
      try {
        body.run();
      } finally {
        capture.warmUp(before);
      }
    } else {
      record(Recording.forWarmUp(), body);
    }
  }

  private CapturedPlan plan(List<RecordedCall> calls) {
    CapturedMemory memory = new CapturedMemory(calls, allocation);
    try {
      Composite composite =
          Composite.of("capture of " + calls.size(), memory.compose(core.rankSize(), calls));
      CaptureChecks.requireValid(composite.plan());
      CompiledPlan compiled = bindings.compile(composite);
      memory.settle(calls, compiled);
      Binding binding = bindings.bind(compiled, composite, memory.views(), memory.holdsFiles());
      return new CapturedPlan(core.number(), calls, composite, memory, binding);
    } catch (Throwable t) {
      memory.close();
      throw t;
    }
  }

  /** The calls with the plans that they would get now, over the same buffers. */
  CapturedPlan planAgain(CapturedPlan old) {
    return plan(
        old.calls().stream()
            .map(call -> call.withPlanned(plans.planAgain(call.planned())))
            .toList());
  }

  /** The same operations over other buffers, compiled again only if the views differ. */
  CapturedPlan rebound(CapturedPlan plan, MemorySegment old, MemorySegment replacement) {
    CaptureChecks.requireAsLarge(old, replacement);
    List<RecordedCall> calls =
        plan.calls().stream()
            .map(call -> call.rebound(old, replacement, core.names(), core.mappings()))
            .toList();
    if (calls.equals(plan.calls())) {
      throw CaptureChecks.noSuchBuffer();
    }
    CapturedMemory memory = new CapturedMemory(calls, allocation);
    try {
      if (!plan.memory().isLike(plan.calls(), memory, calls)) {
        throw CaptureChecks.overlapsOtherwise();
      }
      if (!plan.memory().hasSameViews(memory)) {
        return plan(calls);
      }
      CompiledPlan compiled = plan.binding().compiled();
      memory.settle(calls, compiled);
      Binding binding =
          bindings.bind(compiled, plan.composite(), memory.views(), memory.holdsFiles());
      return new CapturedPlan(core.number(), calls, plan.composite(), memory, binding);
    } catch (Throwable t) {
      memory.close();
      throw t;
    }
  }

  /**
   * A call of a rank of this process that becomes part of a capture.
   *
   * @param recording the recording of the rank
   * @param meeting the number of the meeting: 0 for all ranks, else the pair
   * @param first the rank that chooses an algorithm for all ranks that meet
   */
  public CaptureStep record(
      RankRecording recording,
      int meeting,
      int first,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output) {
    RecordStep.Where where = new RecordStep.Where(meeting, first, recording.rank());
    return new RecordStep(recording, plans, core.names(), where, call, options, input, output);
  }

  /**
   * Joins the recordings of this process's ranks with those of the other ranks.
   *
   * @param ofRanks binds plans of all ranks
   * @param queues the queues in which all ranks run plans
   * @param title the name of a run in messages
   * @throws TuttiException with {@link ErrorCode#BUFFER_UNAVAILABLE}, {@link
   *     ErrorCode#INVALID_ARGUMENT} or {@link ErrorCode#OUT_OF_MEMORY} for its buffers
   */
  public JoinedStep join(
      List<RankRecording> recordings, RankBindings ofRanks, OperationQueues queues, String title) {
    MessageBindings messages = ofRanks.messages();
    List<RankEntries> ranks =
        recordings.stream().map(each -> new RankEntries(each.rank(), each.entries())).toList();
    JoinedStep made =
        messages == null
            ? new JoinStep(core, plans, ofRanks, queues, allocation, ranks.getFirst().entries())
            : new MessageJoinStep(core, plans, messages, allocation, ranks, title);
    joined.add(made);
    return made;
  }

  /** Ends the use of a joined capture, which must not be running. A second call does nothing. */
  public void close(JoinedStep ofRanks) {
    if (joined.remove(ofRanks)) {
      ofRanks.close();
    }
  }

  /** Adds a call of all ranks to the current capture. */
  public void record(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    CallerBuffers buffers = plans.check(call, options, inputs, outputs);
    Recording.record(
        core.slot(), new RecordedCall(plans.planned(call, options, buffers), options, buffers));
  }

  void closed(CapturedOperation captured) {
    open.remove(captured);
  }

  /** Adds the runs that have not been counted yet. */
  public void addTo(Counters counters) {
    open.forEach(captured -> captured.addTo(counters));
    joined.forEach(captured -> captured.addTo(counters));
  }

  /** Closes all open captures; none of them may be running. */
  public void close() {
    List.copyOf(open).forEach(CapturedOperation::close);
    List.copyOf(joined).forEach(this::close);
  }
}
