package dev.tutti.host.group;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;

import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.engine.Engine;
import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.buffers.Aliasing.Relation;
import dev.tutti.host.buffers.BoundBuffers;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.planning.ClonedPlan;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Binds the plans of a group for ranks that run them with their own threads, and keeps the bindings
 * that were used last. One thread at a time may bind; any thread may query.
 */
public final class RankBindings {

  private static final int FEW_PLANS = 32;
  private static final int FEW_BINDINGS = 8;

  /**
   * The largest size of compiled plans, and of bindings together with the buffers that they keep
   * alive.
   */
  private static final long MAX_BYTES = 64 << 20;

  private static final long BYTES_PER_TASK = 100;
  private static final long BYTES_PER_RANK = 500;
  private static final long ALIGNMENT = 128;

  private final GroupCore core;
  private final Engine engine;
  private final GroupPlans plans;
  private final GroupBindings group;
  private final PlanMemory memory;
  private final @Nullable MessageBindings messages;
  private final RankBinding.Traces traces;
  private final RecentlyUsed<CallShape, PlanForRanks> known =
      new RecentlyUsed<>(FEW_PLANS, MAX_BYTES);
  private final RecentlyUsed<Parts, RankBinding> bound =
      new RecentlyUsed<>(FEW_BINDINGS, MAX_BYTES);

  /** The plan that the ranks run next, or ran last. */
  private volatile @Nullable SelectedPlan chosen;

  private record PlanForRanks(SelectedPlan planned, CompiledPlan compiled, RunTally tally) {}

  /** A call with the buffers of all ranks. */
  private record Parts(
      CallShape shape, @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {

    static Parts of(
        CollectiveCall call,
        CallOptions options,
        @Nullable MemorySegment[] inputs,
        @Nullable MemorySegment[] outputs) {
      boolean isInPlace = false;
      for (int rank = 0; rank < inputs.length; rank++) {
        isInPlace |= Relation.of(inputs[rank], outputs[rank]) == Relation.SAME;
      }
      return new Parts(new CallShape(call, options, isInPlace), inputs, outputs);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Parts parts
          && shape.equals(parts.shape)
          && SegmentComparison.areSameViews(inputs, parts.inputs)
          && SegmentComparison.areSameViews(outputs, parts.outputs);
    }

    @Override
    public int hashCode() {
      int code = shape.hashCode();
      for (MemorySegment output : outputs) {
        code = 31 * code + (output == null ? 0 : Long.hashCode(output.address()));
      }
      return code;
    }
  }

  RankBindings(
      GroupCore core,
      Engine engine,
      GroupPlans plans,
      GroupBindings group,
      PlanMemory memory,
      @Nullable MessageBindings messages) {
    this.core = core;
    this.engine = engine;
    this.plans = plans;
    this.group = group;
    this.memory = memory;
    this.messages = messages;
    this.traces = new RankBinding.Traces(engine.waiting().clock());
  }

  /**
   * The traces of operations.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED} if the ranks are in several processes
   */
  public RankBinding.Traces traces() {
    core.requireAllRanksHere("a trace");
    return traces;
  }

  /** The bindings for processes that share no memory; null if they share it. */
  public @Nullable MessageBindings messages() {
    return messages;
  }

  /**
   * The binding of a call that all ranks make: the one they ran before, or a new one.
   *
   * @param queues the queues in which they run it
   * @param options the options without a deadline
   * @param inputs one entry per rank, which every thread can reach
   * @param outputs one entry per rank, which every thread can reach
   */
  public RankBinding bind(
      OperationQueues queues,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    Parts parts = Parts.of(call, options, inputs, outputs);
    RankBinding before = before(parts);
    return before != null ? before : bindAndKeep(parts, prepared(queues, parts));
  }

  /**
   * The same with a plan that leaves private buffers to their ranks: each list copies only the
   * buffers of its own rank, and no other list touches them.
   *
   * @param inputs one entry per rank; none is confined to a thread or lies in a mapped file
   * @param outputs the same
   * @return null if there is no such plan
   */
  public @Nullable RankBinding bindApart(
      OperationQueues queues,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    Parts parts = Parts.of(call, apart(options), inputs, outputs);
    RankBinding before = before(parts);
    if (before != null) {
      return before;
    }
    Prepared prepared = preparedApart(queues, parts);
    return prepared == null ? null : bindAndKeep(parts, prepared);
  }

  private static CallOptions apart(CallOptions options) {
    return options.withMode(WorkflowMode.OP_BASE);
  }

  private @Nullable RankBinding before(Parts parts) {
    RankBinding before = bound.find(parts);
    if (before != null && before.owner() instanceof AgreedPlan agreed && agreed.isUsable()) {
      choose(agreed.planned());
      if (agreed.isCurrent()) {
        return before;
      }
    }
    return null;
  }

  private RankBinding bindAndKeep(Parts parts, Prepared prepared) {
    RankBinding made = bind(prepared, RankBinding.nextNumber());
    bound.keep(parts, made, bytes(parts, made), () -> {});
    return made;
  }

  /** A plan and checked buffers of all ranks, ready to be bound. */
  private final class Prepared implements PreparedPlan {
    private final PlanForRanks plan;
    private final CallerBuffers buffers;

    Prepared(PlanForRanks plan, CallerBuffers buffers) {
      this.plan = plan;
      this.buffers = buffers;
    }

    @Override
    public SelectedPlan planned() {
      return plan.planned();
    }

    @Override
    public RankBinding bind(long number, List<@Nullable MemorySegment @Nullable []> present) {
      group.tell(memory, present);
      return RankBindings.this.bind(this, number);
    }
  }

  /**
   * Plans a call of ranks in several processes; all of them do this before they bind the plan. The
   * parameters are those of {@link #bind}.
   */
  public PreparedPlan prepare(
      OperationQueues queues,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    Prepared made = prepared(queues, Parts.of(call, options, inputs, outputs));
    group.provide(memory, made.planned());
    return made;
  }

  /** The same with a plan that leaves private buffers to their ranks; see {@link #bindApart}. */
  public @Nullable PreparedPlan prepareApart(
      OperationQueues queues,
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    Prepared made = preparedApart(queues, Parts.of(call, apart(options), inputs, outputs));
    if (made != null) {
      group.provide(memory, made.planned());
    }
    return made;
  }

  /** The memory that a rank of this process has for plans, by column; null where it has none. */
  public @Nullable MemorySegment[] present(int rank) {
    return group.present(memory, rank);
  }

  /** Allocates memory of this process's rank for joined plans; see {@link #present}. */
  public void prepare(Composite composite) {
    group.provide(memory, MemoryUse.of(composite.plan()));
  }

  /**
   * Binds joined plans that all ranks have prepared.
   *
   * @param number the number that they have agreed on
   * @param views a segment for each view of the composition, by its number
   * @param present the memory of each rank, as for {@link PreparedPlan#bind}
   */
  public RankBinding complete(
      Composite composite,
      CompiledPlan compiled,
      MemorySegment[] views,
      AgreedRun owner,
      long number,
      List<@Nullable MemorySegment @Nullable []> present) {
    group.tell(memory, present);
    @Nullable MemorySegment[][] segments = group.provide(memory, MemoryUse.of(composite.plan()));
    return engine.bindForRanks(number, compiled, segments, views, traces, owner);
  }

  private Prepared prepared(OperationQueues queues, Parts parts) {
    PlanForRanks plan = known.find(parts.shape());
    CallerBuffers buffers;
    if (plan == null) {
      CallOptions options = parts.shape().options();
      CollectiveCall call = parts.shape().call();
      buffers = plans.check(call, options, parts.inputs(), parts.outputs());
      plan = keep(queues, parts.shape(), plans.planned(call, options, buffers));
    } else {
      buffers =
          BoundBuffers.check(
              plan.planned(), parts.inputs(), parts.outputs(), core.names(), core.mappings());
    }
    choose(plan.planned());
    while (plan.planned().generation().isRetired()) {
      plan = keep(queues, parts.shape(), plans.planAgain(plan.planned()));
      choose(plan.planned());
    }
    return new Prepared(plan, buffers);
  }

  private @Nullable Prepared preparedApart(OperationQueues queues, Parts parts) {
    try {
      Prepared made = prepared(queues, parts);
      return isApart(made) ? made : null;
    } catch (TuttiException e) {
      if (e.code() != ErrorCode.UNSUPPORTED) {
        throw e;
      }
      return null;
    }
  }

  private boolean isApart(Prepared made) {
    CompiledPlan compiled = made.plan.compiled();
    boolean isApart = made.planned().packing() == null && compiled.keepsApart();
    for (int rank = 0; rank < core.rankSize(); rank++) {
      isApart &= isOnlyCopied(compiled, made.buffers.input(rank), rank, PARAM_INPUT);
      isApart &= isOnlyCopied(compiled, made.buffers.output(rank), rank, PARAM_OUTPUT);
    }
    return isApart;
  }

  private boolean isOnlyCopied(
      CompiledPlan compiled, @Nullable MemorySegment buffer, int rank, TransportMemType type) {
    return buffer == null || !core.reach().isPrivate(buffer) || compiled.takesArrays(rank, type);
  }

  private PlanForRanks keep(OperationQueues queues, CallShape shape, SelectedPlan planned) {
    Packing packing = planned.packing();
    HostEvents.Compile event = HostEvents.begin(HostEvents.Compile::new);
    CompiledPlan compiled =
        packing == null ? compiled(queues, planned) : queues.compile(packing.composite());
    HostEvents.end(event, () -> planned.facts(core.number()), null);
    PlanForRanks made = new PlanForRanks(planned, compiled, group.tally(planned));
    long bytes = BYTES_PER_TASK * compiled.taskCount();
    known.keep(shape, made, bytes, () -> group.settle(made.tally()));
    return made;
  }

  private static CompiledPlan compiled(OperationQueues queues, SelectedPlan planned) {
    ClonedPlan cloned = planned.cloned();
    return Optional.ofNullable(cloned)
        .flatMap(each -> each.compile(queues))
        .orElseGet(() -> queues.compile(planned.plan()));
  }

  private static long bytes(Parts parts, RankBinding binding) {
    long bytes = BYTES_PER_RANK * parts.inputs().length;
    for (int rank = 0; rank < parts.inputs().length; rank++) {
      MemorySegment input = parts.inputs()[rank];
      MemorySegment output = parts.outputs()[rank];
      bytes += (input == null ? 0 : input.byteSize()) + (output == null ? 0 : output.byteSize());
    }
    Packing packing =
        binding.owner() instanceof AgreedPlan agreed ? agreed.planned().packing() : null;
    return bytes + (packing == null ? 0 : packing.packedBytes());
  }

  /**
   * Publishes the plan before this thread checks whether the plan is retired. A thread that retires
   * the plan first marks it and then reads this field, so at least one of the two threads sees the
   * other.
   */
  private void choose(SelectedPlan planned) {
    chosen = planned;
    VarHandle.fullFence();
  }

  /** Whether the last chosen plan belongs to a generation. */
  public boolean hasChosen(Generation generation) {
    SelectedPlan last = chosen;
    return last != null && last.generation() == generation;
  }

  private RankBinding bind(Prepared prepared, long number) {
    PlanForRanks plan = prepared.plan;
    CallerBuffers buffers = prepared.buffers;
    SelectedPlan planned = plan.planned();
    HostEvents.Bind event = HostEvents.begin(HostEvents.Bind::new);
    @Nullable MemorySegment[][] segments = group.provide(memory, planned);
    AgreedPlan agreed = new AgreedPlan(core, buffers, plan.tally());
    Packing packing = planned.packing();
    RankBinding made =
        packing == null
            ? engine.bindForRanks(
                number, plan.compiled(), withBuffers(segments, buffers), traces, agreed)
            : engine.bindForRanks(
                number, plan.compiled(), segments, views(packing, buffers), traces, agreed);
    HostEvents.end(event, () -> planned.facts(core.number()), null);
    return made;
  }

  private static @Nullable MemorySegment[][] withBuffers(
      @Nullable MemorySegment[][] segments, CallerBuffers buffers) {
    for (int rank = 0; rank < segments.length; rank++) {
      segments[rank][PARAM_INPUT.ordinal()] = buffers.input(rank);
      segments[rank][PARAM_OUTPUT.ordinal()] = buffers.output(rank);
    }
    return segments;
  }

  private MemorySegment[] views(Packing packing, CallerBuffers buffers) {
    int ranks = buffers.inputs().length;
    @Nullable MemorySegment[] inputs = new MemorySegment[ranks];
    @Nullable MemorySegment[] outputs = new MemorySegment[ranks];
    Arrays.setAll(inputs, buffers::input);
    Arrays.setAll(outputs, buffers::output);
    if (core.job() != null) {
      return packing.views(inputs, outputs, group.packed(memory));
    }
    // Lives as long as the binding.
    MemorySegment packed = Arena.ofAuto().allocate(packing.packedBytes(), ALIGNMENT);
    return packing.views(inputs, outputs, packed);
  }
}
