package dev.tutti.engine;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A plan as flat programs, without memory. Immutable; any number of bindings share it. */
public final class CompiledPlan {

  private final MemorySlots slots;
  private final Frame.OfPlan frames;
  private final ReduceKernel[] kernels;
  private final List<TaskArrays> lists;
  private final @Nullable TaskGraph graph;
  private final @Nullable IntConsumer rankDone;
  private final int workers;
  private final boolean streams;
  private final SignalCount signals;

  CompiledPlan(
      MemorySlots slots,
      Frame.OfPlan frames,
      ReduceKernel[] kernels,
      Programs.Program program,
      @Nullable IntConsumer rankDone,
      int workers,
      boolean streams) {
    this.slots = slots;
    this.frames = frames;
    this.kernels = kernels;
    this.lists = List.copyOf(program.lists());
    this.graph = program.graph();
    this.rankDone = rankDone;
    this.workers = workers;
    this.streams = streams;
    this.signals = program.signals();
  }

  MemorySlots slots() {
    return slots;
  }

  /** The number of static lists; 0 in dynamic mode. */
  public int listCount() {
    return lists.size();
  }

  /** Whether the plan runs as a graph of tasklets. */
  public boolean isDynamic() {
    return graph != null;
  }

  /** The number of tasks, joints, waits and publications. */
  public int taskCount() {
    return graph != null ? graph.nodes : lists.stream().mapToInt(list -> list.size).sum();
  }

  /** Whether a rank's memory is only copied to and fro, so that it may be bound to an array. */
  public boolean takesArrays(int rank, TransportMemType type) {
    return slots.isOnlyCopied(rank, type);
  }

  /** Whether a view of a composition is only copied to and fro. */
  public boolean takesArray(int view) {
    return slots.isOnlyCopied(view);
  }

  /**
   * Where the streams of a run stand; may be called while it goes on, and is then true for some
   * moment of each stream. Empty in dynamic mode, which does not keep an order.
   */
  List<StreamPosition> positions(PlanRun run) {
    return positions(run.undone());
  }

  /** Where the streams stand if so much is not done; empty if that cannot be told. */
  List<StreamPosition> positions(@Nullable Positions undone) {
    return undone == null ? List.of() : undone.of(frames.root());
  }

  @Nullable TaskGraph graph() {
    return graph;
  }

  Frame.OfPlan frames() {
    return frames;
  }

  TaskRunner newRunner(TaskArrays list, MemorySegment[] bound) {
    return new TaskRunner(list, kernels, bound, streams);
  }

  List<TaskArrays> lists() {
    return lists;
  }

  /** How many of the plan's signals are left. */
  public SignalCount signals() {
    return signals;
  }

  /** How long a run would take under a machine model. The same on every rank and at every time. */
  public RunEstimate estimate(MachineModel machine) {
    double strangers = graph == null ? 1 : (workers - 1.0) / workers;
    TaskTimes times =
        new TaskTimes(machine, slots.touchedBytes(), streams, strangers * machine.foreignByte());
    if (graph != null) {
      GraphTiming timing = new GraphTiming(graph, workers, times, machine);
      double nanos = machine.start() + machine.share() + timing.play();
      return new RunEstimate(nanos, times.tasks(), times.bytes(), timing.busyWorkers());
    }
    boolean isShared = lists.size() > 1;
    ListTiming timing = new ListTiming(lists, isShared ? workers : 1, times, machine);
    double nanos = machine.start() + (isShared ? machine.share() : 0) + timing.play();
    return new RunEstimate(nanos, times.tasks(), times.bytes(), timing.busyWorkers());
  }

  /** Makes the running state for bound memory, and the runners that must hear of other memory. */
  PlanRun newRun(MemorySegment[] bound, List<TaskRunner> runners, Waiting waiting) {
    if (graph != null) {
      for (int worker = 0; worker < workers; worker++) {
        runners.add(new TaskRunner(graph.tasks, kernels, bound, streams));
      }
      return new GraphRun(graph, runners.toArray(TaskRunner[]::new), frames, rankDone, waiting);
    }
    for (TaskArrays list : lists) {
      runners.add(new TaskRunner(list, kernels, bound, streams));
    }
    return lists.size() == 1
        ? new InlineRun(lists.getFirst(), runners.getFirst(), frames, waiting.clock())
        : new ListRun(lists, runners.toArray(TaskRunner[]::new), frames, workers, waiting);
  }

  /** Mode and size, for people. */
  @Override
  public String toString() {
    return isDynamic()
        ? "dynamic, " + taskCount() + " tasklets"
        : "static, " + listCount() + " lists, " + taskCount() + " tasks";
  }
}
