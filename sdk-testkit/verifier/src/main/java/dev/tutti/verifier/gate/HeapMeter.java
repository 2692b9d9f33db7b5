package dev.tutti.verifier.gate;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Reads how much of the heap was in use after its last collections, so that garbage does not count.
 * Thread-safe.
 */
final class HeapMeter {

  /** The share of the heap in use above which too little is left for everything else. */
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
      // The modules of management are optional parts of a runtime.
      return new HeapMeter(List.of(), Runtime.getRuntime().maxMemory());
    }
  }

  /**
   * Runs the code for a full heap once, so that the JDK's classes for it are loaded: a class that
   * cannot be initialised because memory is short can never be used again.
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

  /** The bytes that the heap may have. */
  long size() {
    return size;
  }

  /**
   * Whether the heap is nearly full, and a call is to blame for it.
   *
   * @param usedBefore what was in use when the call began
   * @param allocated what it has allocated since
   */
  boolean isFilledBy(long usedBefore, long allocated) {
    long room = Math.max(0, size - usedBefore);
    return allocated > room / 2 && used() - usedBefore > room / 4 && isFull();
  }

  /** If the heap is divided, long-lived objects may have one part for themselves, the largest. */
  private boolean isFull() {
    return used() > FULL * size
        || pools.stream()
            .map(MemoryPoolMXBean::getCollectionUsage)
            .filter(usage -> usage != null && usage.getMax() > size / 2)
            .anyMatch(usage -> usage.getUsed() > FULL * usage.getMax());
  }
}
