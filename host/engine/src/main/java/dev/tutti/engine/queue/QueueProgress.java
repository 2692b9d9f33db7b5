package dev.tutti.engine.queue;

import java.lang.invoke.VarHandle;

/**
 * The state that queues show each other: the progress of each queue, and the binding that it brings
 * to its operation.
 */
final class QueueProgress {

  /*
   * Each queue has two words in one line: the number of the binding that it brings, and its
   * progress. The progress has the operation in the upper half and the number of list items done in
   * the lower half, END when the queue has left. It only grows; differences are compared by their
   * sign, which stays right when the number overflows.
   *
   * The binding is written before the progress that shows an entry, and after the progress that
   * shows that the queue has left the previous operation. So if a thread sees a queue inside an
   * operation, reads the binding, and then sees it still inside, it has read that operation's
   * binding.
   *
   * After the lines of all queues, one more has the number of the operation that was decided last. If
   * processes share memory, each has its own. It may be any number of operations behind, so it has
   * the whole number, which does not overflow.
   */

  /** The lower half of a progress when the queue has left the operation. */
  private static final long END = Integer.MAX_VALUE;

  private static final int PROGRESS = 0;
  private static final int BINDING = 1;

  private final int queues;
  private final int decisions;
  private final int deciders;
  private final int looks;
  private final QueueCells cells;

  /**
   * Starts with queues that have entered no operation.
   *
   * @param looks the number of checks before a thread has to wait
   */
  QueueProgress(QueueLines lines, int looks) {
    this.queues = lines.queues();
    this.decisions = lines.decisions();
    this.deciders = lines.deciders();
    this.looks = looks;
    this.cells = lines.progress();
  }

  static long entry(long number) {
    return number << 32;
  }

  static long end(long number) {
    return entry(number) | END;
  }

  /** Announces this process's decision on an operation. */
  void decide(long number) {
    tell(decisions, number);
  }

  /** Whether this process has announced its decision on an operation. */
  boolean isDecided(long number) {
    return hasReached(decisions, number);
  }

  /** A line of decisions that has not reached an operation; -1 if all have. */
  int undecided(long number) {
    for (int line = queues; line < queues + deciders; line++) {
      if (!hasReached(line, number)) {
        return line;
      }
    }
    return -1;
  }

  /** Enters an operation with a binding, and issues a full fence after that. */
  void enter(int queue, long number, long binding) {
    VarHandle.storeStoreFence();
    cells.setOpaque(queue, BINDING, binding);
    tell(queue, entry(number));
    VarHandle.fullFence();
  }

  long brought(int queue) {
    return cells.get(queue, BINDING);
  }

  void leave(int queue, long number) {
    tell(queue, end(number));
  }

  void tell(int line, long progress) {
    cells.setRelease(line, PROGRESS, progress);
  }

  boolean hasReached(int line, long wanted) {
    return cells.getAcquire(line, PROGRESS) - wanted >= 0;
  }

  /** The last operation that a queue has entered: the lower half of its number. */
  int entered(int queue) {
    return (int) (cells.getAcquire(queue, PROGRESS) >>> 32);
  }

  /** Waits for a short while until a progress reaches a value. */
  boolean arrives(int line, long wanted) {
    for (int look = 0; look < looks; look++) {
      if (hasReached(line, wanted)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Whether a queue is in an operation: it has entered it and has not left it. */
  boolean isInside(int queue, long number) {
    long progress = cells.getAcquire(queue, PROGRESS);
    return distance(progress, entry(number)) == 0 && (int) progress != END;
  }

  /** Whether a queue is in an operation with another binding; false if it has left. */
  boolean differs(int queue, long number, long mine) {
    long brought = cells.getOpaque(queue, BINDING);
    VarHandle.loadLoadFence();
    return brought != mine && isInside(queue, number);
  }

  /** The last operation that all queues have entered, or left: the lower half of its number. */
  int leastEntered() {
    long least = cells.getAcquire(0, PROGRESS);
    for (int queue = 1; queue < queues; queue++) {
      long progress = cells.getAcquire(queue, PROGRESS);
      least = distance(progress, least) < 0 ? progress : least;
    }
    return (int) (least >>> 32);
  }

  /** Whether any queue is in an operation that all have entered. */
  boolean isAnyInside(int number) {
    for (int queue = 0; queue < queues; queue++) {
      if (isInside(queue, number)) {
        return true;
      }
    }
    return false;
  }

  /** The number of operations by which one progress is ahead of another. */
  private static int distance(long progress, long other) {
    return (int) (progress >>> 32) - (int) (other >>> 32);
  }
}
