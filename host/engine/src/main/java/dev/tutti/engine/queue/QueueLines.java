package dev.tutti.engine.queue;

import dev.tutti.engine.memory.SharedBell;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the queues of one group keep: in this process, or in memory that the processes of the ranks
 * share. In shared memory each process writes the lines of its own queue and reads all.
 *
 * @param queues the number of queues
 * @param own the queues that are run in this process
 * @param progress how far each queue is, and where decisions are told
 * @param decisions the line of {@code progress} where this process tells its decisions
 * @param states where each queue stands
 * @param ended the last operation that has ended for each queue
 * @param started the last operation that each rank has started
 * @param failures the operations that end in failure
 * @param bells wakes ranks of other processes; null where no memory is shared
 * @param areApart whether queues run in other processes whose lines are not seen here
 */
record QueueLines(
    int queues,
    int[] own,
    QueueCells progress,
    int decisions,
    QueueCells states,
    QueueCells ended,
    QueueCells started,
    FailedOperations failures,
    @Nullable QueueBells bells,
    boolean areApart) {

  /** Kinds of lines in shared memory; of the first there are two for each queue. */
  private static final int KINDS = 6;

  /** Lines on the heap, for queues that all run in this process. */
  static QueueLines ofHeap(int queues, int places) {
    int[] own = new int[queues];
    Arrays.setAll(own, queue -> queue);
    return new QueueLines(
        queues,
        own,
        QueueCells.ofHeap(queues + 1),
        queues,
        QueueCells.ofHeap(queues),
        QueueCells.ofHeap(queues),
        QueueCells.ofHeap(places),
        new FailuresOfProcess(null),
        null,
        false);
  }

  /**
   * Lines on the heap, for queues of several processes, which share no memory: only the lines of
   * this process's queues say anything, but for what the others tell in messages.
   *
   * @param own the queues of this process
   * @param teller tells the others of failures
   */
  static QueueLines apart(int queues, int[] own, FailuresOfProcess.Teller teller) {
    QueueLines all = ofHeap(queues, queues);
    return new QueueLines(
        queues,
        own.clone(),
        all.progress,
        all.decisions,
        all.states,
        all.ended,
        all.started,
        new FailuresOfProcess(teller),
        null,
        true);
  }

  /** The bytes of shared memory for the queues of a group. */
  static long sharedBytes(int queues) {
    return (KINDS * (long) queues + 1) * QueueCells.LINE + SharedFailures.BYTES;
  }

  /**
   * Lines in shared memory, zero-filled at first, for queues that run in a process each.
   *
   * @param own the queue of this process
   */
  static QueueLines shared(int queues, int own, MemorySegment memory) {
    long block = queues * QueueCells.LINE;
    return new QueueLines(
        queues,
        new int[] {own},
        QueueCells.in(memory.asSlice(0, 2 * block)),
        queues + own,
        QueueCells.in(memory.asSlice(2 * block, block)),
        QueueCells.in(memory.asSlice(3 * block, block)),
        QueueCells.in(memory.asSlice(4 * block, block)),
        new SharedFailures(memory.asSlice(KINDS * block + QueueCells.LINE, SharedFailures.BYTES)),
        SharedBell.isAvailable()
            ? new QueueBells(memory.asSlice(5 * block, block + QueueCells.LINE), queues, own)
            : null,
        false);
  }

  /** The queues that those of this process meet: all whose lines are seen here. */
  int[] met() {
    return areApart ? own : IntStream.range(0, queues).toArray();
  }

  /** Whether other processes run queues of the group. */
  boolean areShared() {
    return own.length < queues;
  }
}
