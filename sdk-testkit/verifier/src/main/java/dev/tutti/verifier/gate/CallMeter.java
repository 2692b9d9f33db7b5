package dev.tutti.verifier.gate;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * Reads the processor time and memory that a thread has used so far, if the platform counts them.
 * Thread-safe.
 */
final class CallMeter {

  /** The result if the platform does not count. */
  static final long UNKNOWN = -1;

  private final @Nullable ThreadMXBean times;
  private final com.sun.management.@Nullable ThreadMXBean allocations;

  private CallMeter(
      @Nullable ThreadMXBean times, com.sun.management.@Nullable ThreadMXBean allocations) {
    this.times = times;
    this.allocations = allocations;
  }

  /** A meter of this platform. */
  static CallMeter create() {
    try {
      ThreadMXBean bean = ManagementFactory.getThreadMXBean();
      boolean countsTime = bean.isThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled();
      return new CallMeter(countsTime ? bean : null, allocations(bean));
    } catch (LinkageError e) {
      // A runtime may lack the management modules.
      return blind();
    }
  }

  private static com.sun.management.@Nullable ThreadMXBean allocations(ThreadMXBean bean) {
    try {
      return bean instanceof com.sun.management.ThreadMXBean counting
              && counting.isThreadAllocatedMemorySupported()
              && counting.isThreadAllocatedMemoryEnabled()
          ? counting
          : null;
    } catch (LinkageError e) {
      // A runtime may have the module for processor time but lack this one.
      return null;
    }
  }

  /** A meter for a platform that counts nothing. */
  static CallMeter blind() {
    return new CallMeter(null, null);
  }

  /** Whether processor times are counted. */
  boolean countsTime() {
    return times != null;
  }

  /** The processor time of a live thread since its start, in nanoseconds, or {@link #UNKNOWN}. */
  long processorNanos(Thread thread) {
    return times == null ? UNKNOWN : times.getThreadCpuTime(thread.threadId());
  }

  /** The bytes of heap that a live thread has allocated since its start, or {@link #UNKNOWN}. */
  long bytes(Thread thread) {
    return allocations == null ? UNKNOWN : allocations.getThreadAllocatedBytes(thread.threadId());
  }
}
