package dev.tutti.engine;

import dev.tutti.base.idle.Clock;

/**
 * Runs a plan of a single list on the calling thread: a loop over tasks, without any
 * synchronisation. It checks for the deadline and a cancellation after a fixed number of bytes.
 */
final class InlineRun extends PlanRun {

  private final Clock clock;
  private final TaskArrays tasks;
  private final TaskRunner runner;
  private final Frame.OfPlan frames;
  private int position;
  private long timeout = Long.MAX_VALUE;

  InlineRun(TaskArrays tasks, TaskRunner runner, Frame.OfPlan frames, Clock clock) {
    super(clock);
    this.clock = clock;
    this.tasks = tasks;
    this.runner = runner;
    this.frames = frames;
  }

  @Override
  boolean isShared() {
    return false;
  }

  /** The time counts from the first reading of the clock. */
  @Override
  void begin(long newTimeoutNanos) {
    timeout = newTimeoutNanos;
    position = 0;
    runner.turn();
  }

  @Override
  boolean isDone() {
    return position == tasks.op.length;
  }

  /** Runs the remaining tasks; stops early at the deadline or a cancellation. */
  @Override
  public boolean help(int worker) {
    byte[] op = tasks.op;
    int at = position;
    long budget = CHECK_BYTES;
    boolean hasLooked = false;
    long startNanos = 0;
    while (at < op.length) {
      position = at;
      boolean isTiled = op[at] == TaskArrays.TILED;
      int first = isTiled ? at + 1 : at;
      int count = isTiled ? tasks.source[at] : 1;
      long bytes = tasks.bytes[at];
      for (long done = 0; done < bytes; done += CHECK_BYTES) {
        long piece = Math.min(CHECK_BYTES, bytes - done);
        if (isTiled) {
          runner.runTiled(first, count, done, done + piece);
        } else {
          runner.run(first, done, piece);
        }
        budget -= piece * count + TASK_BYTES;
        if (budget < 0) {
          budget = CHECK_BYTES;
          long now = clock.nanoTime();
          startNanos = hasLooked ? startNanos : now;
          hasLooked = true;
          boolean isLast = done + piece == bytes && first + count == op.length;
          if ((now - startNanos > timeout || isCancelled()) && !isLast) {
            return true;
          }
        }
      }
      at = first + count;
    }
    position = at;
    return true;
  }

  @Override
  Positions undone() {
    Positions positions = new Positions(frames.parts());
    for (int at = position; at < tasks.size; at++) {
      positions.add(tasks, at);
    }
    return positions;
  }

  @Override
  String unfinished() {
    int at = Math.min(position, tasks.op.length - 1);
    return at < 0 || tasks.action[at] < 0
        ? ""
        : "\n  the calling thread is at "
            + DeadlockText.at(frames.parts().get(tasks.part[at]).plan, tasks.action[at]);
  }
}
