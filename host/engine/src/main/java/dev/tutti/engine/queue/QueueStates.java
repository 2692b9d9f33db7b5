package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import java.util.List;

/**
 * The state of each queue. Only the thread that holds a queue's claim changes it; others may read
 * it, and see the state of a moment ago.
 */
final class QueueStates {

  /** The result of a phase in which a queue must wait. */
  static final int BLOCKED = -1;

  static final int OUTSIDE = 0;
  static final int ENTERED = 1;
  static final int UNDECIDED = 2;
  static final int RUNNING = 3;
  static final int DRAINING = 4;

  /** The value of {@link #waitsFor} for a queue whose ranks have not started its next operation. */
  static final long START = -1;

  private static final int CLAIM = 0;
  private static final int OPERATION = 1;
  private static final int POSITION = 2;
  private static final int PHASE = 3;
  private static final int SCAN = 4;
  private static final int DIFFERS = 5;
  private static final int WAITS_FOR = 6;
  private static final int WAIT_VALUE = 7;
  private static final int MET = 8;
  private static final int BRINGS = 9;

  private static final long FREE = 0;
  private static final long TAKEN = 1;

  private final QueueCells cells;

  /** Makes the states, one line per queue. */
  QueueStates(QueueCells cells) {
    this.cells = cells;
  }

  /** Takes the claim of a queue, if it is free. */
  boolean claim(int queue) {
    return cells.getOpaque(queue, CLAIM) == FREE && cells.compareAndSet(queue, CLAIM, FREE, TAKEN);
  }

  void release(int queue) {
    cells.setRelease(queue, CLAIM, FREE);
  }

  boolean isFree(int queue) {
    return cells.getAcquire(queue, CLAIM) == FREE;
  }

  /** The operation that a queue is in, or waits for. */
  long operation(int queue) {
    return cells.getOpaque(queue, OPERATION);
  }

  int phase(int queue) {
    return (int) cells.getOpaque(queue, PHASE);
  }

  void phase(int queue, int phase) {
    cells.setOpaque(queue, PHASE, phase);
  }

  /** Moves a queue to an operation that its ranks may not have started. */
  void next(int queue, long number) {
    cells.setOpaque(queue, OPERATION, number);
    phase(queue, OUTSIDE);
  }

  /** The current task of a queue. */
  int position(int queue) {
    return (int) cells.getOpaque(queue, POSITION);
  }

  void position(int queue, int task) {
    cells.setOpaque(queue, POSITION, task);
  }

  /** The queue that this queue checks next. */
  int scan(int queue) {
    return (int) cells.get(queue, SCAN);
  }

  void scan(int queue, int other) {
    cells.set(queue, SCAN, other);
  }

  /** Whether another queue is known to bring another binding. */
  boolean differs(int queue) {
    return cells.get(queue, DIFFERS) != 0;
  }

  void differs(int queue, boolean isKnown) {
    cells.set(queue, DIFFERS, isKnown ? 1 : 0);
  }

  /** The last operation in which a queue has seen all others, or past it. */
  long met(int queue) {
    return cells.get(queue, MET);
  }

  void met(int queue, long number) {
    cells.set(queue, MET, number);
  }

  /** The number of the binding that a queue brings. */
  long brings(int queue) {
    return cells.get(queue, BRINGS);
  }

  void brings(int queue, long binding) {
    cells.set(queue, BRINGS, binding);
  }

  /** Records the phase in which a queue must wait, and what it waits for. */
  int block(int queue, int phase, long waitsFor, long value) {
    phase(queue, phase);
    cells.setOpaque(queue, WAIT_VALUE, value);
    cells.setOpaque(queue, WAITS_FOR, waitsFor);
    return BLOCKED;
  }

  /**
   * The line whose progress a queue waits for, {@link #START}, or {@link RankBinding#MESSAGE}; both
   * are below 0.
   */
  long waitsFor(int queue) {
    return cells.getOpaque(queue, WAITS_FOR);
  }

  long waitValue(int queue) {
    return cells.getOpaque(queue, WAIT_VALUE);
  }

  boolean isRunning(int queue, long number) {
    return operation(queue) == number && phase(queue) == RUNNING;
  }

  /** The positions of the streams of an operation that a queue runs. */
  List<StreamPosition> positions(RankBinding binding, long number) {
    return binding.positions(list -> task(binding, list, number));
  }

  private int task(RankBinding binding, int queue, long number) {
    if (operation(queue) > number) {
      return binding.size(queue);
    }
    return isRunning(queue, number) ? position(queue) : 0;
  }
}
