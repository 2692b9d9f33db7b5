package dev.tutti.engine.queue;

import dev.tutti.engine.memory.SharedBell;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.IntPredicate;

/**
 * Wakes the threads of ranks in other processes. Each queue has a word that shows whether its
 * rank's thread sleeps. One more line counts the sleeping threads, so that the words need not be
 * read while none sleeps. Thread-safe.
 */
final class QueueBells {

  private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle BELL = ValueLayout.JAVA_INT.varHandle();

  private final MemorySegment memory;
  private final int queues;
  private final int own;
  private final MemorySegment ownBell;
  private final MemorySegment time = SharedBell.newTime();

  /**
   * Makes bells in shared memory, which must be zero-filled at first.
   *
   * @param memory a line for each queue, and one more
   * @param own the queue of this process
   */
  QueueBells(MemorySegment memory, int queues, int own) {
    this.memory = memory;
    this.queues = queues;
    this.own = own;
    this.ownBell = word(own);
  }

  private static long bell(int queue) {
    return (queue + 1) * QueueCells.LINE;
  }

  private MemorySegment word(int queue) {
    return memory.asSlice(bell(queue), Integer.BYTES);
  }

  /**
   * Announces that this process's rank is about to sleep; its thread must then check for work
   * again.
   */
  void lieDown() {
    BELL.setVolatile(memory, bell(own), 1);
    long ignored = (long) COUNT.getAndAdd(memory, 0L, 1L);
    VarHandle.fullFence();
  }

  /** Sleeps until this queue's bell is rung, or for a time. */
  void sleep(long nanos) {
    SharedBell.await(ownBell, 1, nanos, time);
  }

  void getUp() {
    BELL.setVolatile(memory, bell(own), 0);
    long ignored = (long) COUNT.getAndAdd(memory, 0L, -1L);
  }

  /** Whether any rank's thread sleeps, or is about to. */
  boolean doAnySleep() {
    return (long) COUNT.getOpaque(memory, 0L) > 0;
  }

  /** Wakes the rank of this process, if it sleeps. */
  void ringOwn() {
    ring(own);
  }

  /** Wakes the rank of a queue, if it sleeps. */
  private void ring(int queue) {
    if ((int) BELL.getVolatile(memory, bell(queue)) != 0
        && BELL.compareAndSet(memory, bell(queue), 1, 0)) {
      SharedBell.ring(word(queue));
    }
  }

  /**
   * Wakes the ranks of other processes that can continue.
   *
   * @param canGoOn whether a queue can continue
   */
  void ringOthers(IntPredicate canGoOn) {
    for (int queue = 0; queue < queues; queue++) {
      if (queue != own && canGoOn.test(queue)) {
        ring(queue);
      }
    }
  }
}
