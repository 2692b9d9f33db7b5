package dev.tutti.engine;

import dev.tutti.base.idle.Waiting;
import dev.tutti.base.text.Sentence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.StringJoiner;

/** Runs static lists. */
final class ListRun extends PlanRun {

  /*
   * A list is a coroutine: the thread that holds its claim runs it until it ends or has to wait for
   * another list. A thread whose list has to wait keeps the claim for a short while, then releases
   * it and looks for another list. So no thread blocks while there is work, any number of threads,
   * even one, can finish any number of lists, and a helper that wakes up late finds that the caller
   * has taken its list.
   *
   * Each list has one cache line of each of three arrays, so that no two threads write one line:
   *
   *   claim     FREE, TAKEN or ENDED. Taking is a compare-and-set with acquire, giving up a store
   *             with release: the position and the memory effects travel with the claim.
   *   position  the next task; written by the holder of the claim, read by anyone for a diagnosis.
   *   progress  run number in the upper half, items done in the lower half. Written by the holder
   *             with release after the tasks it speaks of, read by waiting lists with acquire. It
   *             only grows, also from run to run, so it is never cleared; waits look at the sign of
   *             the difference, which stays right when the run number overflows.
   *
   * No list is forgotten. A thread that releases a claim because its list has to wait reads the
   * awaited progress once more after the release; a thread that has published looks for free claims
   * after that. Both sides have a full fence between the store and the read, so at least one of the
   * two sees what the other has done, and takes the list.
   *
   * Before any claim is free, the caller does a piece of the first task of one list. `opened` holds
   * the number of bytes done; the claims publish it, too.
   *
   * `ended` counts lists that have ended; the last one makes the run done. A cancelled or failed
   * run drains: a list skips its tasks but still publishes, so that no other list waits for ever.
   */

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle ENDED_LISTS;

  static {
    try {
      ENDED_LISTS = MethodHandles.lookup().findVarHandle(ListRun.class, "ended", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Longs from one list's cell to the next: two cache lines, for the adjacent-line prefetcher. */
  private static final int STRIDE = 16;

  private static final int NONE = -1;

  private static final long FREE = 0;
  private static final long TAKEN = 1;
  private static final long ENDED = 2;

  private final TaskArrays[] lists;
  private final TaskRunner[] runners;
  private final Frame.OfPlan frames;
  private final int workers;
  private final int looks;
  private final long[] claim;
  private final long[] position;
  private final long[] progress;

  /** The list whose first task is begun before any list can be taken, or NONE. */
  private final int opening;

  /** How many bytes of that task are done. */
  private long opened;

  /** The run number in the upper half of a progress word; outside this class, only tests set it. */
  long run;

  private volatile int ended;

  ListRun(
      List<TaskArrays> programs,
      TaskRunner[] runners,
      Frame.OfPlan frames,
      int workers,
      Waiting waiting) {
    super(waiting.clock());
    this.looks = waiting.listLooks();
    this.lists = programs.toArray(TaskArrays[]::new);
    this.runners = runners;
    this.frames = frames;
    this.workers = workers;
    this.claim = new long[(lists.length + 1) * STRIDE];
    this.position = new long[(lists.length + 1) * STRIDE];
    this.progress = new long[(lists.length + 1) * STRIDE];
    this.opening = firstWithWork();
  }

  /** The first list that begins with data. */
  private int firstWithWork() {
    for (int list = 0; list < lists.length; list++) {
      byte[] op = lists[list].op;
      if (op.length > 0 && op[0] != TaskArrays.WAIT && op[0] != TaskArrays.PUBLISH) {
        return list;
      }
    }
    return NONE;
  }

  /** Each list's cell is the second of its stride, away from the array's header. */
  private static int cell(int list) {
    return (list + 1) * STRIDE;
  }

  @Override
  boolean isShared() {
    return lists.length > 1;
  }

  @Override
  void begin(long newTimeoutNanos) {
    clear(newTimeoutNanos);
    run += 1L << 32;
    for (TaskRunner runner : runners) {
      runner.turn();
    }
    opened = opening == NONE ? 0 : open(lists[opening], runners[opening]);
    ENDED_LISTS.setOpaque(this, 0);
    for (int list = 0; list < lists.length; list++) {
      position[cell(list)] = 0;
      CELL.setRelease(claim, cell(list), FREE);
    }
  }

  /** Does a piece of a list's first task and of the tasks that are tiled with it. */
  private long open(TaskArrays tasks, TaskRunner runner) {
    return tasks.op[0] == TaskArrays.TILED
        ? open(runner, 1, tasks.source[0], 0, tasks.bytes[0])
        : open(runner, 0, 1, 0, tasks.bytes[0]);
  }

  /** The bytes of a task that are done before its list is taken. */
  private long opened(int list, int task) {
    return task == 0 && list == opening ? opened : 0;
  }

  @Override
  boolean isDone() {
    return ended == lists.length;
  }

  @Override
  public boolean help(int worker) {
    boolean didWork = false;
    int first = worker % workers * lists.length / workers;
    for (int i = 0; i < lists.length; i++) {
      didWork |= tryList((first + i) % lists.length);
    }
    return didWork;
  }

  /** Runs a list as long as it is free and need not wait; true if it made progress. */
  boolean tryList(int list) {
    int cell = cell(list);
    boolean didWork = false;
    while ((long) CELL.getOpaque(claim, cell) == FREE
        && CELL.compareAndSet(claim, cell, FREE, TAKEN)) {
      long before = position[cell];
      boolean isAtEnd = advance(list);
      int at = (int) position[cell];
      didWork |= isAtEnd || at != before;
      CELL.setRelease(claim, cell, isAtEnd ? ENDED : FREE);
      VarHandle.fullFence();
      if (isAtEnd) {
        ENDED_LISTS.getAndAdd(this, 1);
        return true;
      }
      TaskArrays tasks = lists[list];
      if (!hasReached(cell(tasks.dst[at]), run + tasks.bytes[at])) {
        return didWork;
      }
    }
    return didWork;
  }

  /** Runs a list, whose claim this thread holds, until it ends or has to wait. */
  private boolean advance(int list) {
    try {
      return execute(list);
    } catch (Throwable t) {
      fail(t);
      return execute(list);
    }
  }

  /** Runs tasks from the list's position on; false if it has to wait for another list. */
  private boolean execute(int list) {
    TaskArrays tasks = lists[list];
    TaskRunner runner = runners[list];
    byte[] op = tasks.op;
    int cell = cell(list);
    int at = (int) position[cell];
    long budget = CHECK_BYTES;
    while (at < op.length) {
      position[cell] = at;
      if (budget < 0) {
        budget = CHECK_BYTES;
        checkClock();
      }
      switch (op[at]) {
        case TaskArrays.WAIT -> {
          if (!arrived(cell(tasks.dst[at]), run + tasks.bytes[at])) {
            return false;
          }
        }
        case TaskArrays.PUBLISH -> CELL.setRelease(progress, cell, run + tasks.bytes[at]);
        case TaskArrays.TILED -> {
          int count = tasks.source[at];
          work(runner, at + 1, count, opened(list, at), tasks.bytes[at]);
          budget -= tasks.bytes[at] * count;
          at += count;
        }
        default -> {
          work(runner, at, 1, opened(list, at), tasks.bytes[at]);
          budget -= tasks.bytes[at] + TASK_BYTES;
        }
      }
      at++;
    }
    position[cell] = at;
    return true;
  }

  /** Whether a list's progress has reached a value; the difference survives an overflow. */
  private boolean hasReached(int cell, long wanted) {
    return (long) CELL.getAcquire(progress, cell) - wanted >= 0;
  }

  /**
   * Waits for a short while until another list's progress has reached a value. Only spins: a thread
   * that has to wait for longer has other lists to run.
   */
  private boolean arrived(int cell, long wanted) {
    for (int look = 0; look < looks; look++) {
      if (hasReached(cell, wanted)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  @Override
  Positions undone() {
    Positions positions = new Positions(frames.parts());
    for (int list = 0; list < lists.length; list++) {
      TaskArrays tasks = lists[list];
      for (int at = (int) (long) CELL.getOpaque(position, cell(list)); at < tasks.size; at++) {
        positions.add(tasks, at);
      }
    }
    return positions;
  }

  @Override
  String unfinished() {
    StringJoiner text = new StringJoiner("\n  ", "\n  ", "");
    for (int list = 0; list < lists.length; list++) {
      TaskArrays tasks = lists[list];
      int at = (int) (long) CELL.getOpaque(position, cell(list));
      if (at < tasks.op.length) {
        String doing =
            switch (tasks.op[at]) {
              case TaskArrays.WAIT -> "waits";
              default -> "is";
            };
        text.add(Sentence.of("list %d %s at %s", list, doing, origin(tasks, at)));
      }
    }
    return text.toString();
  }

  private String origin(TaskArrays tasks, int at) {
    int action = tasks.action[at];
    Frame.Part part = frames.parts().get(tasks.part[at]);
    return action < 0 ? "rank " + part.plan.rank() : DeadlockText.at(part.plan, action);
  }
}
