package dev.tutti.host.group;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;

import dev.tutti.engine.Composite;
import dev.tutti.engine.Engine;
import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.MessagePlan;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.message.Wire;
import dev.tutti.host.buffers.Aliasing.Relation;
import dev.tutti.host.buffers.CallerBuffers;
import dev.tutti.host.buffers.SegmentComparison;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.job.GroupProcesses;
import dev.tutti.host.job.MessageLinks;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.host.watch.HostEvents;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds the plans of a group whose processes share no memory. An agreement of ranks depends only on
 * their calls, not on their buffers. So if all ranks know a call, a rank with other buffers binds
 * its plan without a new agreement. Thread-safe.
 */
public final class MessageBindings {

  private static final int FEW_BINDINGS = 8;

  /** The largest size of all buffers that bindings keep alive. */
  private static final long MAX_BYTES = 64 << 20;

  private static final int MOST_PLANS = 256;

  private final GroupCore core;
  private final Engine engine;
  private final GroupPlans plans;
  private final Provider provider;
  private final Route route;

  /** The plans that the ranks have agreed on; each counts as one byte. Guarded by this. */
  private final RecentlyUsed<CallShape, Agreed> agreed = new RecentlyUsed<>(1, MOST_PLANS);

  /** Guarded by this. */
  private final RecentlyUsed<Parts, Bound> bound = new RecentlyUsed<>(FEW_BINDINGS, MAX_BYTES);

  /** The group's memory and counters for plans. */
  interface Provider {

    /** The group's memory that a plan needs; see {@link PlanMemory#provide}. */
    @Nullable MemorySegment[][] memories(SelectedPlan planned);

    /** The same for joined plans. */
    @Nullable MemorySegment[][] memories(MemoryUse use);

    /** The memory for data that other processes have sent to ranks of this process. */
    MemorySegment staging(long bytes);

    /** The memory in which each rank packs data with gaps. */
    MemorySegment[] packed();

    /** Counts the runs of a plan by ranks. */
    RunTally tally(SelectedPlan planned);

    /** Adds the runs of a plan that is no longer kept to the counters. */
    void settle(RunTally tally);
  }

  /**
   * The route of a plan's data to other processes.
   *
   * @param processes the processes of the group's ranks
   * @param links the links to the other processes
   * @param queue the queue of the rank of this process that runs the messages of all
   * @param isTransfer whether only two ranks run the plans, concurrently with the operations of all
   *     ranks
   */
  record Route(GroupProcesses processes, MessageLinks links, int queue, boolean isTransfer) {}

  /** A call with the buffers of the ranks of this process; both have one entry per rank. */
  private record Parts(
      CallShape shape, @Nullable MemorySegment[] inputs, @Nullable MemorySegment[] outputs) {

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

    long bytes() {
      return bytes(inputs) + bytes(outputs);
    }

    private static long bytes(@Nullable MemorySegment[] buffers) {
      long bytes = 0;
      for (MemorySegment each : buffers) {
        bytes += each == null ? 0 : each.byteSize();
      }
      return bytes;
    }
  }

  /** A plan that ranks have agreed on for a call. It holds no buffers. */
  public static final class Agreed implements AgreedMessages {
    private final CallShape shape;
    private final long number;
    private final SelectedPlan planned;
    private final MessagePlan messages;
    private final Wire wire;
    private final RunTally tally;

    private Agreed(
        CallShape shape,
        long number,
        SelectedPlan planned,
        MessagePlan messages,
        Wire wire,
        RunTally tally) {
      this.shape = shape;
      this.number = number;
      this.planned = planned;
      this.messages = messages;
      this.wire = wire;
      this.tally = tally;
    }

    /** The call. */
    public CallShape shape() {
      return shape;
    }

    @Override
    public long number() {
      return number;
    }

    /** The plan. */
    public SelectedPlan planned() {
      return planned;
    }

    @Override
    public boolean isRetired() {
      return planned.generation().isRetired();
    }

    @Override
    public ChosenPlan chosen() {
      return ChosenPlan.of(planned);
    }
  }

  /**
   * An agreed plan, bound to the buffers of this process's ranks.
   *
   * @param agreed the plan
   * @param binding the plan with the buffers
   */
  public record Bound(Agreed agreed, RankBinding binding) {}

  MessageBindings(GroupCore core, Engine engine, GroupPlans plans, Provider provider, Route route) {
    this.core = core;
    this.engine = engine;
    this.plans = plans;
    this.provider = provider;
    this.route = route;
  }

  /**
   * Whether input and output of a rank are the same memory, in an operation where this must hold
   * for all ranks or none. In other operations, such a rank uses a copy of its input.
   */
  public static boolean isInPlace(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    return Relation.of(input, output) == Relation.SAME && isSameForAll(call);
  }

  /** Whether an operation is in place on all ranks or on none. */
  private static boolean isSameForAll(CollectiveCall call) {
    return switch (call.operation()) {
      case ALL_REDUCE, SCAN, EXCLUSIVE_SCAN -> true;
      default -> false;
    };
  }

  /** Whether a rank must copy its input, because others cannot know that it is its output. */
  public static boolean needsCopy(
      CollectiveCall call, @Nullable MemorySegment input, @Nullable MemorySegment output) {
    return Relation.of(input, output) == Relation.SAME && !isSameForAll(call);
  }

  /** The key of a call. Either all ranks of this process are in place, or none is. */
  private Parts partsOf(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    int own = route.processes().first(route.processes().own());
    CallShape shape = new CallShape(call, options, isInPlace(call, inputs[own], outputs[own]));
    return new Parts(shape, inputs, outputs);
  }

  /**
   * The bound plan of this process's ranks for a call of all of them, if the ranks have agreed on
   * it before and the version of the plugin that made it still serves; else null.
   *
   * @param options the options without a deadline
   * @param inputs one entry per rank of the group; null for those of other processes
   * @param outputs the same
   */
  public synchronized @Nullable Bound known(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    Parts parts = partsOf(call, options, inputs, outputs);
    Agreed found = agreed.find(parts.shape());
    return found == null || found.isRetired() ? null : bound(parts, found);
  }

  /**
   * As {@link #known}, for a call that other ranks already run with an agreed plan. The version of
   * the plugin may no longer serve here.
   *
   * @param number the number of the agreement
   */
  public synchronized @Nullable Bound agreed(
      CollectiveCall call,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs,
      long number) {
    Parts parts = partsOf(call, options, inputs, outputs);
    Agreed found = agreed.find(parts.shape());
    return found == null || found.number() != number ? null : bound(parts, found);
  }

  private Bound bound(Parts parts, Agreed plan) {
    Bound before = bound.find(parts);
    return before != null && before.agreed().number() == plan.number() ? before : bind(parts, plan);
  }

  /** Whether a bound plan is still {@link #known}; allocates nothing. */
  public synchronized boolean isKnown(Bound last) {
    Agreed found = agreed.find(last.agreed().shape());
    return found != null && found.number() == last.agreed().number() && !found.isRetired();
  }

  /**
   * Plans a call; all ranks do this before they agree.
   *
   * @param asked the options of the call without a deadline, which are later part of its key
   * @param options the options with which it is planned
   * @param inputs as for {@link #known}
   * @param outputs the same
   */
  public PreparedPlan prepare(
      CollectiveCall call,
      CallOptions asked,
      CallOptions options,
      @Nullable MemorySegment[] inputs,
      @Nullable MemorySegment[] outputs) {
    Parts parts = partsOf(call, asked, inputs, outputs);
    CallerBuffers buffers =
        plans.checkOwn(call, options, core::isLocal, inputs, outputs, parts.shape().inPlace());
    SelectedPlan planned = plans.planned(call, options, buffers);
    Packing packing = planned.packing();
    int[] processOf = route.processes().numbers();
    HostEvents.Compile event = HostEvents.begin(HostEvents.Compile::new);
    MessagePlan messages =
        packing == null
            ? engine.compileForMessages(planned.plan(), processOf)
            : engine.compileForMessages(packing.composite(), processOf);
    HostEvents.end(event, () -> planned.facts(core.number()), null);
    var _ = provider.memories(planned);
    return new PreparedPlan() {
      @Override
      public SelectedPlan planned() {
        return planned;
      }

      @Override
      public RankBinding bind(long number, List<@Nullable MemorySegment @Nullable []> present) {
        return keep(parts, number, planned, messages);
      }
    };
  }

  private synchronized RankBinding keep(
      Parts parts, long number, SelectedPlan planned, MessagePlan messages) {
    RunTally tally = provider.tally(planned);
    Wire wire = route.links().newWire(route.isTransfer(), number);
    Agreed made = new Agreed(parts.shape(), number, planned, messages, wire, tally);
    agreed.keep(parts.shape(), made, 1, () -> provider.settle(tally));
    return bind(parts, made).binding();
  }

  private Bound bind(Parts parts, Agreed plan) {
    int own = route.processes().own();
    SelectedPlan planned = plan.planned();
    CallShape shape = parts.shape();
    CallerBuffers buffers =
        plans.checkOwn(
            shape.call(),
            shape.options(),
            core::isLocal,
            parts.inputs(),
            parts.outputs(),
            shape.inPlace());
    HostEvents.Bind event = HostEvents.begin(HostEvents.Bind::new);
    @Nullable MemorySegment[][] segments = provider.memories(planned);
    MemorySegment staging = provider.staging(plan.messages.stagingBytes(own));
    Packing packing = planned.packing();
    MemorySegment[] views = new MemorySegment[0];
    if (packing == null) {
      for (int rank : route.processes().ownRanks()) {
        @Nullable MemorySegment[] ofRank = segments[rank];
        ofRank[PARAM_INPUT.ordinal()] = buffers.input(rank);
        ofRank[PARAM_OUTPUT.ordinal()] = buffers.output(rank);
      }
    } else {
      views = views(packing, buffers);
    }
    RankBinding binding =
        plan.messages.bind(
            own,
            segments,
            views,
            staging,
            plan.wire,
            route.queue(),
            plan.number(),
            new AgreedPlan(core, buffers, plan.tally));
    HostEvents.end(event, () -> planned.facts(core.number()), null);
    Bound made = new Bound(plan, binding);
    bound.keep(parts, made, parts.bytes(), () -> {});
    return made;
  }

  /** Compiles joined plans, and allocates the group's memory for them. */
  public MessagePlan compile(Composite composite) {
    MessagePlan compiled = engine.compileForMessages(composite, route.processes().numbers());
    var _ = provider.memories(MemoryUse.of(composite.plan()));
    return compiled;
  }

  /**
   * Makes an agreement on joined plans.
   *
   * @param title the name of a run
   * @param number the number that all ranks have agreed on
   */
  public JoinedMessages join(
      String title,
      long number,
      Composite composite,
      MessagePlan messages,
      AgreedCapture.Operations operations) {
    Wire wire = route.links().newWire(route.isTransfer(), number);
    return new JoinedMessages(title, number, composite, messages, wire, operations);
  }

  /**
   * Binds joined plans for this process.
   *
   * @param views a segment for each view of the composition, by its number; placeholders for those
   *     of other processes
   */
  public RankBinding bind(JoinedMessages joined, MemorySegment[] views, AgreedCapture run) {
    int own = route.processes().own();
    return joined
        .messages()
        .bind(
            own,
            provider.memories(MemoryUse.of(joined.composite().plan())),
            views,
            provider.staging(joined.messages().stagingBytes(own)),
            joined.wire(),
            route.queue(),
            joined.number(),
            run);
  }

  private MemorySegment[] views(Packing packing, CallerBuffers buffers) {
    @Nullable MemorySegment[] inputs = new MemorySegment[core.rankSize()];
    @Nullable MemorySegment[] outputs = new MemorySegment[core.rankSize()];
    Arrays.setAll(inputs, buffers::input);
    Arrays.setAll(outputs, buffers::output);
    MemorySegment[] packed = provider.packed();
    List<MemorySegment> own = new ArrayList<>();
    for (int rank = 0; rank < packed.length; rank++) {
      own.add(core.isLocal(rank) ? packed[rank] : packing.absent(rank));
    }
    return packing.views(inputs, outputs, own.toArray(MemorySegment[]::new));
  }
}
