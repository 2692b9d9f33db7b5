package dev.tutti.engine;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A plan of ranks that enter and leave on their own, bound to their buffers, with one list for each
 * rank. It keeps no state of its runs, except possibly the position of the run under way.
 */
public abstract sealed class RankBinding permits RankBinding.OfLists, MessageRun {

  /** The result of {@link #awaited} for a list that waits for a message. */
  public static final int MESSAGE = -2;

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number;
  private final Object owner;

  RankBinding(long number, Object owner) {
    this.number = number;
    this.owner = owner;
  }

  /** A number that no other binding of this process has. */
  public static long nextNumber() {
    return NUMBERS.incrementAndGet();
  }

  /** Carries progress between the lists while they run an operation. */
  public interface Signals {

    /** Whether a list has done that many items of an operation; may wait for a moment. */
    boolean hasCome(int list, long operation, long items);

    /** Reports the progress of a list to the other lists. */
    void tell(int list, long operation, long items);

    /** Records the position of a list, for status reports. */
    void isAt(int list, int task);

    /**
     * Whether the operation must end early. Lists ask between tasks, and in the middle of long
     * ones.
     */
    boolean isOver(long operation);
  }

  /** Distinguishes it from all other bindings that its ranks may run; never 0. */
  public final long number() {
    return number;
  }

  /** The owner that was passed when the plan was bound. */
  public final Object owner() {
    return owner;
  }

  /** The number of tasks of a list. */
  public abstract int size(int list);

  /** The list that a list waits for at a task, or {@link #MESSAGE}. */
  public abstract int awaited(int list, int task);

  /** The number of items that the awaited list must have done. */
  public abstract long awaitedItems(int list, int task);

  /**
   * Runs a list until it ends, has to wait, or the operation is over. One thread at a time runs a
   * list.
   *
   * @param from the task to continue with
   * @return the task that it has reached; {@link #size} at its end
   */
  public abstract int run(int list, long operation, int from, Signals signals);

  /**
   * Whether the lists write through the caches, so that a list can find there what it, or another
   * one, has touched before.
   */
  public boolean usesCaches() {
    return false;
  }

  /**
   * Whether each list can show its input and then compute its own results from the inputs of all;
   * the same for all lists. The lists then wait for each other only once, until all have entered
   * the operation.
   */
  public boolean isShort() {
    return false;
  }

  /** Shows the input of a list, before the list enters an operation. */
  public void show(int list, long operation, ShortPlan.Inputs inputs) {
    throw new IllegalStateException("the binding is not short");
  }

  /** Whether the lists do so in an operation that all have entered; a traced one runs all tasks. */
  public boolean isShortIn(long operation) {
    return false;
  }

  /** Computes the results of a list, once all lists have entered the operation. */
  public void compute(int list, long operation, ShortPlan.Inputs inputs) {
    throw new IllegalStateException("the binding is not short");
  }

  /**
   * Ends a list that will not continue, wherever it is: its last run may have thrown.
   *
   * @return whether others may have seen a part of its work, which cannot be undone
   */
  public boolean stop(int list) {
    return false;
  }

  /**
   * The positions of the streams in an operation.
   *
   * @param taskOf the task that each list has reached
   */
  public abstract List<StreamPosition> positions(IntUnaryOperator taskOf);

  /** The traces of operations that ranks run with their own threads. Thread-safe. */
  public static final class Traces {

    /*
     * No list begins an operation before all ranks have started it. A rank asks for the trace of an
     * operation before it starts the operation, so all lists know of it when they begin. If nobody
     * asks, a list compares its operation with one number, and its runners contain nothing for
     * traces.
     */
    private final Clock clock;

    /** The traces that ranks have asked for, by operation. */
    private final SortedMap<Long, Traced> asked = new TreeMap<>();

    /** The first operation in {@link #asked}. */
    private volatile long next = Long.MAX_VALUE;

    /** Traces nothing until it is asked. */
    public Traces(Clock clock) {
      this.clock = clock;
    }

    /**
     * Traces an operation that not all ranks have started.
     *
     * @return completes with the trace when the lists of all ranks have ended; if the operation
     *     fails, completes exceptionally, at the latest when a later operation is traced or run
     */
    public synchronized CompletionStage<RunTrace> of(long operation) {
      Traced traced = asked.computeIfAbsent(operation, each -> new Traced());
      next = asked.firstKey();
      return traced.trace.minimalCompletionStage();
    }

    /** The trace of an operation that a binding runs; null if nobody asked for it. */
    private @Nullable Traced of(long operation, OfLists binding) {
      dropUntil(operation - 1);
      synchronized (this) {
        Traced traced = asked.get(operation);
        if (traced != null && traced.runners.isEmpty()) {
          traced.begin(binding, clock);
        }
        return traced;
      }
    }

    /** Drops the traces of operations that have failed. */
    private void dropUntil(long last) {
      List<Traced> dropped;
      synchronized (this) {
        SortedMap<Long, Traced> old = asked.headMap(last + 1);
        dropped = List.copyOf(old.values());
        old.clear();
        next = asked.isEmpty() ? Long.MAX_VALUE : asked.firstKey();
      }
      dropped.forEach(
          each ->
              each.trace.completeExceptionally(
                  new TuttiException(
                      ErrorCode.CANCELLED, "the operation failed, so there is no trace of it")));
    }

    /** Notes that a list has ended; the last one completes the trace. */
    private void ended(Traced traced) {
      synchronized (this) {
        traced.left--;
        if (traced.left > 0) {
          return;
        }
        asked.values().remove(traced);
        next = asked.isEmpty() ? Long.MAX_VALUE : asked.firstKey();
      }
      traced.trace.complete(traced.build(clock.nanoTime()));
    }
  }

  /** One traced operation, guarded by its {@link Traces}. */
  private static final class Traced {

    private final CompletableFuture<RunTrace> trace = new CompletableFuture<>();

    /** By list; empty before the first list begins. Each runner belongs to its list. */
    private List<TaskRunner.Traced> runners = List.of();

    private Frame.@Nullable OfPlan frames;
    private long begin;
    private int left;

    private void begin(OfLists binding, Clock clock) {
      frames = binding.compiled.frames();
      runners = binding.compiled.tracedRunners(binding.slots, clock);
      left = runners.size();
      begin = clock.nanoTime();
    }

    private RunTrace build(long end) {
      TraceBuilder builder = new TraceBuilder(Objects.requireNonNull(frames), begin);
      for (int list = 0; list < runners.size(); list++) {
        runners.get(list).noteIn(builder, list);
      }
      return builder.build(end - begin);
    }
  }

  /** Lists that report their progress to each other, and reach each other's memory. */
  static final class OfLists extends RankBinding {

    private final CompiledPlan compiled;
    private final TaskArrays[] lists;
    private final TaskRunner[] runners;
    private final MemorySegment[] slots;
    private final Traces traces;

    private final @Nullable ShortPlan shortPlan;

    /** The parts of the short plan, by list; each belongs to the thread that runs its list. */
    private final ShortPlan.@Nullable Part[] parts;

    OfLists(
        CompiledPlan compiled, MemorySegment[] slots, Traces traces, Object owner, long number) {
      super(number, owner);
      this.compiled = compiled;
      this.slots = slots;
      this.traces = traces;
      this.lists = compiled.lists().toArray(TaskArrays[]::new);
      List<TaskRunner> all = new ArrayList<>();
      for (TaskArrays list : lists) {
        all.add(compiled.newRunner(list, slots));
      }
      this.runners = all.toArray(TaskRunner[]::new);
      this.shortPlan = compiled.shortPlan();
      this.parts = new ShortPlan.Part[lists.length];
    }

    @Override
    public boolean usesCaches() {
      return !compiled.streams();
    }

    @Override
    public boolean isShort() {
      return shortPlan != null;
    }

    @Override
    public void show(int list, long operation, ShortPlan.Inputs inputs) {
      shortPlan().show(list, slots, operation, inputs);
    }

    @Override
    public boolean isShortIn(long operation) {
      return shortPlan != null && operation < traces.next;
    }

    @Override
    public void compute(int list, long operation, ShortPlan.Inputs inputs) {
      ShortPlan.Part part = parts[list];
      if (part == null) {
        part = shortPlan().part(list, slots, compiled::newRunner, inputs);
        parts[list] = part;
      }
      part.compute(operation, inputs);
    }

    private ShortPlan shortPlan() {
      ShortPlan plan = shortPlan;
      if (plan == null) {
        throw new IllegalStateException("the binding is not short");
      }
      return plan;
    }

    @Override
    public int size(int list) {
      return lists[list].op.length;
    }

    @Override
    public int awaited(int list, int task) {
      return lists[list].dst[task];
    }

    @Override
    public long awaitedItems(int list, int task) {
      return lists[list].bytes[task];
    }

    @Override
    public int run(int list, long operation, int from, Signals signals) {
      Traced traced = operation >= traces.next ? traces.of(operation, this) : null;
      if (traced == null) {
        return run(runners[list], list, operation, from, signals);
      }
      int at = run(traced.runners.get(list), list, operation, from, signals);
      if (signals.isOver(operation)) {
        traces.dropUntil(operation);
      } else if (at == size(list)) {
        traces.ended(traced);
      }
      return at;
    }

    private int run(TaskRunner runner, int list, long operation, int from, Signals signals) {
      TaskArrays tasks = lists[list];
      byte[] op = tasks.op;
      int at = from;
      while (at < op.length && !signals.isOver(operation)) {
        signals.isAt(list, at);
        switch (op[at]) {
          case TaskArrays.WAIT -> {
            if (!signals.hasCome(tasks.dst[at], operation, tasks.bytes[at])) {
              return at;
            }
          }
          case TaskArrays.PUBLISH -> signals.tell(list, operation, tasks.bytes[at]);
          case TaskArrays.TILED -> {
            int count = tasks.source[at];
            work(runner, at + 1, count, tasks.bytes[at], operation, signals);
            at += count;
          }
          default -> work(runner, at, 1, tasks.bytes[at], operation, signals);
        }
        at++;
      }
      signals.isAt(list, at);
      runner.turn();
      return at;
    }

    /** Runs some neighbouring tasks in pieces. Between pieces, it checks whether it must end. */
    private static void work(
        TaskRunner runner, int first, int count, long bytes, long operation, Signals signals) {
      for (long done = 0; done < bytes; done += PlanRun.CHECK_BYTES) {
        if (done > 0 && signals.isOver(operation)) {
          return;
        }
        long piece = Math.min(PlanRun.CHECK_BYTES, bytes - done);
        if (count == 1) {
          runner.run(first, done, piece);
        } else {
          runner.runTiled(first, count, done, done + piece);
        }
      }
    }

    @Override
    public List<StreamPosition> positions(IntUnaryOperator taskOf) {
      Positions undone = new Positions(compiled.frames().parts());
      for (int list = 0; list < lists.length; list++) {
        for (int at = taskOf.applyAsInt(list); at < lists[list].size; at++) {
          undone.add(lists[list], at);
        }
      }
      return compiled.positions(undone);
    }
  }
}
