package dev.tutti.verifier.gate;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Reads how much of the heap was in use after the last garbage collection, so that garbage does not
 * count. Thread-safe.
 */
final class HeapMeter {

  /**
   * If more than this share of the heap is in use, too little is left for the rest of the process.
   */
  private static final double FULL = 0.8;

  private final List<MemoryPoolMXBean> pools;
  private final long size;

  private HeapMeter(List<MemoryPoolMXBean> pools, long size) {
    this.pools = pools;
    this.size = size;
  }

  /** A meter of this process. */
  static HeapMeter create() {
    rehearse();
    try {
      return new HeapMeter(
          ManagementFactory.getMemoryPoolMXBeans().stream()
              .filter(pool -> pool.getType() == MemoryType.HEAP)
              .toList(),
          Runtime.getRuntime().maxMemory());
    } catch (LinkageError e) {
      // A runtime may lack the management modules.
      return new HeapMeter(List.of(), Runtime.getRuntime().maxMemory());
    }
  }

  /**
   * Runs the code for a full heap once, so that the classes it needs are loaded. A class whose
   * initialisation fails for lack of memory can never be used again.
   */
  private static void rehearse() {
    Breach _ = Breach.ofHeap(0, 0);
    StackTraceElement[] _ = Thread.currentThread().getStackTrace();
    RuntimeException _ = PluginFailure.of(new OutOfMemoryError());
  }

  /** The bytes that were in use after the last collection of each part of the heap. */
  long used() {
    long used = 0;
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage usage = pool.getCollectionUsage();
      used += usage == null ? 0 : usage.getUsed();
    }
    return used;
  }

  /** The maximum size of the heap in bytes. */
  long size() {
    return size;
  }

  /**
   * Whether the heap is nearly full because of a call.
   *
   * @param usedBefore the bytes that were in use when the call began
   * @param allocated the bytes that the call has allocated since
   */
  boolean isFilledBy(long usedBefore, long allocated) {
    long room = Math.max(0, size - usedBefore);
    return allocated > room / 2 && used() - usedBefore > room / 4 && isFull();
  }

  /**
   * Whether the heap, or the part of it that holds long-lived objects, is nearly full. If the
   * collector divides the heap, this part is the largest.
   */
  private boolean isFull() {
    return used() > FULL * size
        || pools.stream()
            .map(MemoryPoolMXBean::getCollectionUsage)
            .filter(usage -> usage != null && usage.getMax() > size / 2)
            .anyMatch(usage -> usage.getUsed() > FULL * usage.getMax());
  }
}
