package dev.tutti.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

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
   * Ends a list that will not continue.
   *
   * @param task the task that it has reached
   * @return whether others may have seen a part of its work, which cannot be undone
   */
  public boolean stop(int list, int task) {
    return false;
  }

  /**
   * The positions of the streams in an operation.
   *
   * @param taskOf the task that each list has reached
   */
  public abstract List<StreamPosition> positions(IntUnaryOperator taskOf);

  /** Lists that report their progress to each other, and reach each other's memory. */
  static final class OfLists extends RankBinding {

    private final CompiledPlan compiled;
    private final TaskArrays[] lists;
    private final TaskRunner[] runners;

    OfLists(CompiledPlan compiled, MemorySegment[] slots, Object owner, long number) {
      super(number, owner);
      this.compiled = compiled;
      this.lists = compiled.lists().toArray(TaskArrays[]::new);
      List<TaskRunner> all = new ArrayList<>();
      for (TaskArrays list : lists) {
        all.add(compiled.newRunner(list, slots));
      }
      this.runners = all.toArray(TaskRunner[]::new);
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
      TaskArrays tasks = lists[list];
      TaskRunner runner = runners[list];
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
