package dev.tutti.engine;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.Programs.RankLists;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
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

  /** The list of each rank; empty if the ranks start together. */
  private final int[] listOf;

  private final @Nullable ShortPlan shortPlan;
  private final @Nullable IntConsumer rankDone;
  private final int workers;
  private final boolean streams;
  private final SignalCount signals;

  /**
   * How long a run of a compiled plan would take, and what it consists of.
   *
   * @param nanos the time of one run of many, in nanoseconds
   * @param tasks data tasks of all ranks
   * @param bytes bytes that those tasks read and write
   * @param workers threads that have work to do
   */
  public record RunEstimate(double nanos, int tasks, long bytes, int workers) {}

  /**
   * How many of a plan's signals are left in a program.
   *
   * @param awaits AWAIT actions of the plan, those of nested plans included
   * @param waits points of the program at which one list or node waits for another; waits that the
   *     order of a list or an earlier wait implies are dropped
   */
  public record SignalCount(long awaits, long waits) {}

  CompiledPlan(
      MemorySlots slots,
      Frame.OfPlan frames,
      ReduceKernel[] kernels,
      Programs.Program program,
      RankLists rankLists,
      @Nullable IntConsumer rankDone,
      int workers,
      boolean streams) {
    this.slots = slots;
    this.frames = frames;
    this.kernels = kernels;
    this.lists = List.copyOf(program.lists());
    this.graph = program.graph();
    this.listOf = rankLists.listOf();
    this.shortPlan =
        rankLists.count() == 0 ? null : ShortPlan.of(lists, slots, listOf, rankLists.room());
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

  /**
   * Whether the plan only copies to and from a rank's memory, so that an array may be bound to it.
   */
  public boolean takesArrays(int rank, TransportMemType type) {
    return slots.isOnlyCopied(rank, type);
  }

  /** Whether the plan only copies to and from a view of a composition. */
  public boolean takesArray(int view) {
    return slots.isOnlyCopied(view);
  }

  /** How the lists run if each computes its results from the inputs of all; null if they cannot. */
  @Nullable ShortPlan shortPlan() {
    return shortPlan;
  }

  /**
   * Whether each list touches the callers' memory of its own ranks only; for a plan of ranks that
   * enter and leave on their own.
   */
  public boolean keepsApart() {
    boolean areApart = true;
    for (int list = 0; list < lists.size(); list++) {
      TaskArrays tasks = lists.get(list);
      for (int task = 0; task < tasks.size; task++) {
        for (int i = Tiling.RESULT;
            Tiling.isData(tasks.op[task]) && i < Tiling.sources(tasks, task);
            i++) {
          int slot = Tiling.slot(tasks, task, i);
          areApart &= tasks.isPrivate(slot) || listOf[tasks.rank(slot)] == list;
        }
      }
    }
    return areApart;
  }

  /**
   * The positions of the streams of a run. During the run, each position was true at some moment.
   * Empty in dynamic mode, which does not keep an order.
   */
  List<StreamPosition> positions(PlanRun run) {
    return positions(run.undone());
  }

  /**
   * The positions of the streams, derived from the undone actions; empty if these are not known.
   */
  List<StreamPosition> positions(@Nullable Positions undone) {
    return undone == null ? List.of() : undone.of(frames.root());
  }

  @Nullable TaskGraph graph() {
    return graph;
  }

  Frame.OfPlan frames() {
    return frames;
  }

  /** Whether results go past the caches. */
  boolean streams() {
    return streams;
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
    return play(machine, null);
  }

  /** When each action of a run would begin and end under a machine model. */
  public RunTrace expected(MachineModel machine) {
    Arguments.require(machine, "machine");
    TraceBuilder trace = new TraceBuilder(frames, -Math.round(head(machine)));
    return trace.build(Math.round(play(machine, trace).nanos()));
  }

  /** How long it takes until the first task begins. */
  private double head(MachineModel machine) {
    boolean isShared = graph != null || lists.size() > 1;
    return machine.start() + (isShared ? machine.share() : 0);
  }

  private RunEstimate play(MachineModel machine, @Nullable TraceBuilder trace) {
    double strangers = graph == null ? 1 : (workers - 1.0) / workers;
    TaskTimes times =
        new TaskTimes(machine, slots.touchedBytes(), streams, strangers * machine.foreignByte());
    if (graph != null) {
      GraphTiming timing = new GraphTiming(graph, workers, times, machine, trace);
      double nanos = head(machine) + timing.play();
      return new RunEstimate(nanos, times.tasks(), times.bytes(), timing.busyWorkers());
    }
    int players = lists.size() > 1 ? workers : 1;
    ListTiming timing = new ListTiming(lists, players, times, machine, trace);
    double nanos = head(machine) + timing.play();
    return new RunEstimate(nanos, times.tasks(), times.bytes(), timing.busyWorkers());
  }

  /**
   * Makes the running state for bound memory. Adds its runners, which must be rebound when the
   * memory changes.
   */
  PlanRun newRun(MemorySegment[] bound, List<TaskRunner> runners, Waiting waiting) {
    programs().forEach(program -> runners.add(newRunner(program, bound)));
    return newRun(runners, waiting);
  }

  /** Runners for bound memory that note when each task begins and ends. */
  List<TaskRunner.Traced> tracedRunners(MemorySegment[] bound, Clock clock) {
    return programs().stream()
        .map(program -> new TaskRunner.Traced(program, kernels, bound, streams, clock))
        .toList();
  }

  /** The program of each runner. */
  private List<TaskArrays> programs() {
    return graph == null ? lists : Collections.nCopies(workers, graph.tasks);
  }

  /** Makes the running state for runners of bound memory. */
  PlanRun newRun(List<? extends TaskRunner> runners, Waiting waiting) {
    if (graph != null) {
      return new GraphRun(graph, runners.toArray(TaskRunner[]::new), frames, rankDone, waiting);
    }
    return lists.size() == 1
        ? new InlineRun(lists.getFirst(), runners.getFirst(), frames, waiting.clock())
        : new ListRun(lists, runners.toArray(TaskRunner[]::new), frames, workers, waiting);
  }

  /** Mode and size, as text. */
  @Override
  public String toString() {
    return isDynamic()
        ? "dynamic, " + taskCount() + " tasklets"
        : "static, " + listCount() + " lists, " + taskCount() + " tasks";
  }
}
