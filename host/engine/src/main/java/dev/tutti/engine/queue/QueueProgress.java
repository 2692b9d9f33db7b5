package dev.tutti.engine.queue;

import java.lang.invoke.VarHandle;

/**
 * What queues tell each other: how far each one is, and what it brings to the operation it is in.
 */
final class QueueProgress {

  /*
   * Each queue has two words in one line: the number of the binding that it brings, and how far it is: the
   * operation in the upper half, the items done of its list in the lower half, END when it has left.
   * It only grows; differences are compared by their sign, which stays right when the number overflows.
   *
   * The binding is written before the progress that shows an entry and after the one that shows that the
   * operation before was left. So whoever sees a queue inside an operation, reads the binding and sees it inside
   * still has read that operation's binding.
   *
   * One more line tells which operation was decided last; each process has one of its own.
   */

  /** In the lower half of a progress: the operation is left. */
  private static final long END = Integer.MAX_VALUE;

  private static final int PROGRESS = 0;
  private static final int BINDING = 1;

  private final int queues;
  private final int decisions;
  private final int looks;
  private final QueueCells cells;

  /**
   * Queues of which none has entered anything.
   *
   * @param cells a line for each queue, and more
   * @param decisions the line where decisions are told
   * @param looks how often a thread looks for something before it has to wait
   */
  QueueProgress(QueueCells cells, int queues, int decisions, int looks) {
    this.queues = queues;
    this.decisions = decisions;
    this.looks = looks;
    this.cells = cells;
  }

  static long entry(long number) {
    return number << 32;
  }

  static long end(long number) {
    return entry(number) | END;
  }

  /** Where decisions are told. */
  int decisions() {
    return decisions;
  }

  /** Enters an operation with a binding; followed by a full fence. */
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

  /** Waits for a short while until a progress has reached a value. */
  boolean arrives(int line, long wanted) {
    for (int look = 0; look < looks; look++) {
      if (hasReached(line, wanted)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Whether a queue is in an operation, and has neither left it nor is before it. */
  boolean isInside(int queue, long number) {
    long progress = cells.getAcquire(queue, PROGRESS);
    return distance(progress, entry(number)) == 0 && (int) progress != END;
  }

  /** Whether a queue is in an operation with another binding. One that has left found the same. */
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

  /** How many operations one progress is ahead of another. */
  private static int distance(long progress, long other) {
    return (int) (progress >>> 32) - (int) (other >>> 32);
  }
}
