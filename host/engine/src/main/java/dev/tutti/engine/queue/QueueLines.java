package dev.tutti.engine.queue;

import dev.tutti.engine.ShortPlan;
import dev.tutti.engine.memory.SharedBell;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one group's queues, in this process or in memory that the processes of the ranks
 * share. In shared memory, each process writes the lines of its own queue and reads all lines.
 *
 * @param queues the number of queues
 * @param own the queues that run in this process
 * @param progress the progress of each queue, and the lines of decisions
 * @param decisions the line of {@code progress} in which this process announces its decisions
 * @param states the state of each queue
 * @param ended the last operation that has ended for each queue
 * @param started the last operation that each rank has started
 * @param failures the failed operations
 * @param bells wakes ranks of other processes; null if no memory is shared
 * @param areApart whether queues run in other processes whose lines are not visible here
 * @param rooms two rooms per queue for inputs that its rank shows, in shared memory; null if there
 *     are none. Ranks in one process do not need them: a copy takes longer than to meet again
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
    boolean areApart,
    @Nullable MemorySegment rooms) {

  /** The number of lines per queue in shared memory; two of them show progress. */
  private static final int KINDS = 6;

  /** More than a room, so that rooms and buffers do not begin at the same places of their pages. */
  private static final long ROOM_STRIDE = ShortPlan.ROOM_BYTES + 2 * QueueCells.LINE;

  /** Lines for queues that all run in this process. */
  static QueueLines ofHeap(int queues, int places) {
    int[] own = new int[queues];
    Arrays.setAll(own, queue -> queue);
    return new QueueLines(
        queues,
        own,
        QueueCells.aligned(queues + 1),
        queues,
        QueueCells.ofHeap(queues),
        QueueCells.ofHeap(queues),
        QueueCells.ofHeap(places),
        new FailuresOfProcess(null),
        null,
        false,
        null);
  }

  /**
   * Lines for queues of several processes that share no memory. Only the lines of this process's
   * queues are used, except for values that the others send in messages.
   *
   * @param own the queues of this process
   * @param teller sends failures to the others
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
        true,
        null);
  }

  private static boolean hasRooms(int queues) {
    return queues <= ShortPlan.MAX_LISTS;
  }

  private static long roomBytes(int queues) {
    return 2L * queues * ROOM_STRIDE;
  }

  /** The bytes of shared memory for the queues of a group, without rooms. */
  static long sharedBytes(int queues) {
    return (KINDS * (long) queues + 1) * QueueCells.LINE + SharedFailures.BYTES;
  }

  /** The bytes of shared memory for the queues of a group, with rooms if it is small. */
  static long sharedBytesWithRooms(int queues) {
    return sharedBytes(queues) + (hasRooms(queues) ? roomBytes(queues) : 0);
  }

  /**
   * Lines in shared memory, zero-filled at first, for queues that each run in their own process.
   *
   * @param own the queue of this process
   * @param memory of {@link #sharedBytes} bytes, or {@link #sharedBytesWithRooms}
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
        false,
        memory.byteSize() > sharedBytes(queues) ? memory.asSlice(sharedBytes(queues)) : null);
  }

  /** The bytes of input that each queue can show. */
  int room() {
    return rooms == null ? ShortPlan.LINE_BYTES : ShortPlan.ROOM_BYTES;
  }

  /**
   * The rooms of each queue, for its inputs in operations with an even number, then in odd ones;
   * empty if there are none.
   */
  MemorySegment[] allRooms() {
    MemorySegment all = rooms;
    return all == null
        ? new MemorySegment[0]
        : IntStream.range(0, 2 * queues)
            .mapToObj(at -> all.asSlice(at * ROOM_STRIDE, ShortPlan.ROOM_BYTES))
            .toArray(MemorySegment[]::new);
  }

  /** The queues that the queues of this process meet: all whose lines are visible here. */
  int[] met() {
    return areApart ? own : IntStream.range(0, queues).toArray();
  }

  /** The number of lines of decisions: one for each process whose lines are visible here. */
  int deciders() {
    return areShared() && !areApart ? queues : 1;
  }

  /** Whether other processes run queues of the group. */
  boolean areShared() {
    return own.length < queues;
  }
}
