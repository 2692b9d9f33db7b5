package dev.tutti.host.job;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.queue.OperationQueues;
import java.lang.foreign.MemorySegment;

/**
 * The shared memory of a group, in which its ranks publish their progress: lines for the operations
 * of all ranks, then for the transfers of each pair, then for the ends of captures.
 *
 * <p>The ranks show each other inputs of some KiB in this memory if there are more ranks than
 * processors, because to meet again then takes two switches of processes. Otherwise a copy takes
 * longer than to meet. The process that reserves the memory decides this, and its size tells the
 * others.
 *
 * @param memory the memory, of {@link #bytesToReserve} bytes
 * @param ranks the number of ranks of the group
 */
record GroupLines(MemorySegment memory, int ranks) {

  /** The size of the memory of a group that this process reserves. */
  static long bytesToReserve(int ranks) {
    boolean rooms = !Waiting.system().hasFreeCore(ranks);
    return OperationQueues.sharedBytes(ranks, rooms) + bytesOfOthers(ranks);
  }

  private static long bytesOfOthers(int ranks) {
    return (long) ranks * ranks * bytesOfPair() + bytesOfCaptures(ranks);
  }

  private long bytesOfAll() {
    return memory.byteSize() - bytesOfOthers(ranks);
  }

  private static long bytesOfCaptures(int ranks) {
    return OperationQueues.sharedBytes(ranks, false);
  }

  private static long bytesOfPair() {
    return OperationQueues.sharedBytes(2, false);
  }

  MemorySegment ofAll() {
    return memory.asSlice(0, bytesOfAll());
  }

  MemorySegment ofPair(int source, int destination) {
    long pair = (long) source * ranks + destination;
    return memory.asSlice(bytesOfAll() + pair * bytesOfPair(), bytesOfPair());
  }

  MemorySegment ofCaptures() {
    return memory.asSlice(memory.byteSize() - bytesOfCaptures(ranks));
  }
}
