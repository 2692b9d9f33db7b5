package dev.tutti.engine.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The calls that warm a kernel up, on separate memory. */
final class Workload {

  /*
   * The compiler works from the profile of these calls. They have long loops, because otherwise it
   * does not unroll loops. They have every size class, number of sources and remainder, because
   * otherwise the first unusual one would throw the code away. But most ranges have one or two
   * vectors, because the number of calls triggers the compilation, and uncompiled vectors are slow.
   */

  private static final int LONG = 16 << 10;
  private static final int[] SHORT_LENGTHS = {8, 24, 40, 8, 16, 32};
  private static final int SHORT_REPEATS = 32;
  private static final int[] LENGTHS = {64, 4096, 88, 4096, 1000, LONG};

  private static final int[] TIMED_LENGTHS = {0, 8, 24, 40, LONG};
  private static final int MOST_TIMED_SOURCES = 5;
  private static final int MOST_SOURCES = 7;

  /** The speed that only compiled code reaches, on any machine: 6 GB/s in the nearest cache. */
  private static final int LEAST_BYTES_PER_NS = 6;

  /** The longest time of a call of compiled code, on any machine. */
  private static final int MOST_NS_PER_CALL = 150;

  private final MemorySegment[] segments = new MemorySegment[MOST_SOURCES + 1];
  private final long[] offsets = new long[segments.length];

  Workload() {
    Arena arena = Arena.ofAuto();
    for (int i = 0; i < segments.length; i++) {
      segments[i] = arena.allocate(LONG, 64);
    }
  }

  void run(AdaptiveKernel kernel) {
    for (int i = 0; i < SHORT_REPEATS; i++) {
      run(kernel, SHORT_LENGTHS);
    }
    run(kernel, LENGTHS);
  }

  private void run(AdaptiveKernel kernel, int[] lengths) {
    for (int length : lengths) {
      for (int count = 2; count <= MOST_SOURCES; count++) {
        fold(kernel, count, length);
      }
      kernel.reduce(segments[0], 0, segments[1], 0, length);
    }
  }

  /** The time of a call in units of 1/16 ns, by size class and number of sources. */
  long[][] times(AdaptiveKernel kernel) {
    long[][] times = new long[TIMED_LENGTHS.length][MOST_TIMED_SOURCES - 1];
    for (int size = 0; size < times.length; size++) {
      for (int i = 0; i < times[size].length; i++) {
        times[size][i] = time(kernel, 2 + i, TIMED_LENGTHS[size]);
      }
    }
    return times;
  }

  /**
   * Whether times are those of compiled vectors.
   *
   * @param scalar the times of compiled scalars
   */
  boolean isCompiled(int sizeClass, long[] times, long[] scalar) {
    for (int i = 0; i < times.length; i++) {
      long bytes = (3 + i) * (long) TIMED_LENGTHS[sizeClass];
      long limit = 16 * (MOST_NS_PER_CALL + bytes / LEAST_BYTES_PER_NS);
      if (times[i] > Math.min(limit, scalar[i] + scalar[i] / 2)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The bytes that a call of a kernel allocates, by size class and number of sources; 0 if the JVM
   * does not count them.
   */
  long[][] allocations(AdaptiveKernel kernel) {
    long[][] bytes = new long[TIMED_LENGTHS.length][MOST_TIMED_SOURCES - 1];
    for (int size = 0; size < bytes.length; size++) {
      for (int i = 0; i < bytes[size].length; i++) {
        long before = Allocations.ofThread();
        fold(kernel, 2 + i, TIMED_LENGTHS[size]);
        bytes[size][i] = Allocations.ofThread() - before;
      }
    }
    return bytes;
  }

  private long time(AdaptiveKernel kernel, int count, int length) {
    int calls = length < LONG ? 64 : 2;
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        fold(kernel, count, length);
      }
      best = Math.min(best, (System.nanoTime() - start) * 16 / calls);
    }
    return best;
  }

  private void fold(AdaptiveKernel kernel, int count, int length) {
    kernel.reduceFrom(segments[MOST_SOURCES], 0, segments, offsets, 0, count, length);
  }
}
