package dev.tutti.testkit.planning;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** Reads how much a thread has allocated, where the platform counts that. */
final class AllocationMeter {

  /** What {@link #bytes} gives where nothing is counted. */
  static final long UNKNOWN = -1;

  private final com.sun.management.@Nullable ThreadMXBean bean;

  private AllocationMeter(com.sun.management.@Nullable ThreadMXBean bean) {
    this.bean = bean;
  }

  /** A meter of this platform. */
  static AllocationMeter create() {
    try {
      ThreadMXBean plain = ManagementFactory.getThreadMXBean();
      return new AllocationMeter(
          plain instanceof com.sun.management.ThreadMXBean counting
                  && counting.isThreadAllocatedMemorySupported()
                  && counting.isThreadAllocatedMemoryEnabled()
              ? counting
              : null);
    } catch (LinkageError e) {
      // The modules of management are optional parts of a runtime.
      return new AllocationMeter(null);
    }
  }

  /** The bytes of heap a live thread has allocated since its start, or {@link #UNKNOWN}. */
  long bytes(Thread thread) {
    return bean == null ? UNKNOWN : bean.getThreadAllocatedBytes(thread.threadId());
  }
}
