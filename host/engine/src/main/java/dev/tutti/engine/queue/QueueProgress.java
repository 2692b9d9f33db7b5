package dev.tutti.engine.queue;

import dev.tutti.engine.ShortPlan;
import java.lang.invoke.VarHandle;

/**
 * The state that queues show each other: the progress of each queue, and the binding that it brings
 * to its operation.
 */
final class QueueProgress {

  /*
   * Each queue has its progress in one line with the number of the binding that it brings, and with
   * the input of its rank if the binding is short. The progress has the operation in the upper half and the number of list items done in
   * the lower half, END when the queue has left. It only grows; differences are compared by their
   * sign, which stays right when the number overflows.
   *
   * The binding is written before the progress that shows an entry. Another one is written after
   * the progress that shows that the queue has left the previous operation. So if a thread sees a
   * queue inside an operation, reads the binding, and then sees it still inside, it has read that
   * operation's binding.
   *
   * A queue that has run a short operation does not show in its line that it has left: peers poll
   * the line, and each write takes it away from them. They find the end where the queue notes it.
   *
   * Inputs of even and odd operations have different words. A queue overwrites its input only once
   * all others have entered the operation after it, and have left it.
   *
   * After the lines of all queues, one more has the number of the operation that was decided last. If
   * processes share memory, each has its own. It may be any number of operations behind, so it has
   * the whole number, which does not overflow.
   */

  /** The lower half of a progress when the queue has left the operation. */
  private static final long END = Integer.MAX_VALUE;

  private static final int PROGRESS = 0;
  private static final int BINDING = 1;
  private static final int INPUT = 2;

  /**
   * The number of the rank's processor, from 1; 0 if it is not known. It is in the next cache line,
   * because it seldom changes and the first one changes with each operation.
   */
  private static final int PROCESSOR = 8;

  private final int queues;
  private final int decisions;
  private final int deciders;
  private final int looks;
  private final QueueCells cells;
  private final QueueCells ended;

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
    this.ended = lines.ended();
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

  /** Makes the next entries bring another binding; the queue is outside. */
  void bring(int queue, long lastNumber, long binding) {
    leave(queue, lastNumber);
    VarHandle.storeStoreFence();
    cells.setOpaque(queue, BINDING, binding);
  }

  /**
   * Enters an operation. A queue does not read its own line before that: the read would wait until
   * the line, which peers poll, is here again, and so would the entry.
   */
  void enter(int queue, long number) {
    tell(queue, entry(number));
  }

  /** Shows a word of a queue's input, before the queue enters the operation. */
  void show(int queue, long number, int word, long value) {
    cells.set(queue, input(number, word), value);
  }

  /** A word of the input of a queue that has entered the operation. */
  long shown(int queue, long number, int word) {
    return cells.get(queue, input(number, word));
  }

  private static int input(long number, int word) {
    return INPUT + ShortPlan.LINE_WORDS * ((int) number & 1) + word;
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

  /** Notes the processor of a queue's rank; it is written only if it changes. */
  void runsOn(int queue, int processor) {
    long noted = processor + 1L;
    if (cells.getOpaque(queue, PROCESSOR) != noted) {
      cells.setOpaque(queue, PROCESSOR, noted);
    }
  }

  /** The processor that was noted for a queue's rank; negative if it is not known. */
  int processor(int queue) {
    return (int) cells.getOpaque(queue, PROCESSOR) - 1;
  }

  /** Whether another queue's rank was noted on the processor of a queue's; false if unknown. */
  boolean runsHere(int queue, int other) {
    long processor = cells.getOpaque(queue, PROCESSOR);
    return processor != 0 && processor == cells.getOpaque(other, PROCESSOR);
  }

  /**
   * Whether another queue's rank was noted on another processor than a queue's; false if unknown.
   */
  boolean runsElsewhere(int queue, int other) {
    long processor = cells.getOpaque(queue, PROCESSOR);
    long others = cells.getOpaque(other, PROCESSOR);
    return processor != 0 && others != 0 && processor != others;
  }

  /** Whether a queue is in an operation: it has entered it and has not left it. */
  boolean isInside(int queue, long number) {
    long progress = cells.getAcquire(queue, PROGRESS);
    return distance(progress, entry(number)) == 0
        && (int) progress != END
        && (int) ended.getAcquire(queue, 0) != (int) number;
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
