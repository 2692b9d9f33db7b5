package dev.tutti.host.job;

import dev.tutti.engine.queue.OperationQueues;
import java.lang.foreign.MemorySegment;

/**
 * The shared memory of a group, in which its ranks publish their progress: lines for the operations
 * of all ranks, then for the transfers of each pair, then for the ends of captures.
 *
 * @param memory the memory, of {@link #bytes} bytes
 * @param ranks the number of ranks of the group
 */
record GroupLines(MemorySegment memory, int ranks) {

  /** The size of the memory of a group. */
  static long bytes(int ranks) {
    return bytesOfAll(ranks) + (long) ranks * ranks * bytesOfPair() + bytesOfCaptures(ranks);
  }

  private static long bytesOfAll(int ranks) {
    return OperationQueues.sharedBytesWithRooms(ranks);
  }

  private static long bytesOfCaptures(int ranks) {
    return OperationQueues.sharedBytes(ranks);
  }

  private static long bytesOfPair() {
    return OperationQueues.sharedBytes(2);
  }

  MemorySegment ofAll() {
    return memory.asSlice(0, bytesOfAll(ranks));
  }

  MemorySegment ofPair(int source, int destination) {
    long pair = (long) source * ranks + destination;
    return memory.asSlice(bytesOfAll(ranks) + pair * bytesOfPair(), bytesOfPair());
  }

  MemorySegment ofCaptures() {
    return memory.asSlice(bytes(ranks) - bytesOfCaptures(ranks), bytesOfCaptures(ranks));
  }
}
