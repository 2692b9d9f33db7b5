package dev.tutti.engine.kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Runs vectorised lanes until they are compiled, then makes a kernel use them. */
final class Promotion {

  /*
   * Before it is compiled, vector code is a thousand times slower than after (milliseconds for 32
   * KiB) and allocates every vector. So a kernel starts on scalars. This thread runs first the
   * scalars and then the vectors, on its own memory, until the vectors are faster than the scalars
   * and do not get any faster. If compiled vectors are not faster, as for types half as wide as a
   * vector, or if the machine has no vectors, the kernel does not change.
   *
   * Compiled code may still allocate vectors: what the compiler inlines, and in which order,
   * depends on what the whole JVM has run before, and on its luck. It would do so for ever. So the
   * kernel does not use such code. A new copy of the lanes has a new profile and is compiled again.
   */

  private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(25);
  private static final int SETTLED_WINDOWS = 2;

  /**
   * The number of windows without an improvement that prove that code is compiled for good, if it
   * allocates nothing, or little.
   */
  private static final int COMPILED_WINDOWS = 8;

  /**
   * The smallest ratio of what vectors allocate before they are compiled to what they allocate
   * after. Only the optimising compiler removes allocations.
   */
  private static final int LEAST_SAVING = 4;

  /** The number of copies of the vectors that are tried. */
  private static final int COPIES = 4;

  /**
   * The longest processor time of the thread. While others use the processor, the compiler does not
   * get it either.
   */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  /** The smallest number of runs before elapsed time counts. */
  private static final int LEAST_RUNS = 600;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final AdaptiveKernel kernel;
  private final Lanes[] scalars;
  private final Supplier<Lanes[]> vectors;
  private final Workload workload = new Workload();
  private final boolean[] isAdopted = new boolean[Lanes.SIZE_CLASSES];

  /**
   * A promotion of a kernel.
   *
   * @param scalars the lanes that the kernel has
   * @param vectors makes new copies of the lanes of each size class; a size without vectors has the
   *     scalar lanes themselves
   */
  Promotion(AdaptiveKernel kernel, Lanes[] scalars, Supplier<Lanes[]> vectors) {
    this.kernel = kernel;
    this.scalars = scalars;
    this.vectors = vectors;
  }

  /** Runs to the end; the kernel then has its full speed. */
  void run() {
    long[][] slow = settle(new Trial(scalars, new long[0][]));
    Trial trial;
    int copies = 0;
    do {
      trial = new Trial(vectors.get(), slow);
      settle(trial);
      copies++;
    } while (trial.wasteful > 0 && copies < COPIES);
  }

  /** Runs lanes until they have their final speed; returns the best times by size class. */
  private long[][] settle(Trial trial) {
    long start = ownNanos();
    long[][] best = workload.times(trial.kernel);
    int settled = 0;
    int compiled = 0;
    int runs = 0;
    while (settled < SETTLED_WINDOWS
        && compiled < COMPILED_WINDOWS
        && (runs < LEAST_RUNS || ownNanos() - start < PATIENCE_NS)) {
      long end = System.nanoTime() + WINDOW_NS;
      long before = Allocations.ofThread();
      do {
        workload.run(trial.kernel);
        runs++;
      } while (System.nanoTime() - end < 0);
      boolean isFrugal = Allocations.ARE_COUNTED && Allocations.ofThread() == before;
      boolean improved = improve(best, workload.times(trial.kernel));
      trial.adopt(best);
      settled = trial.waiting == 0 && !improved ? settled + 1 : 0;
      compiled = (isFrugal || trial.isStuck()) && !improved ? compiled + 1 : 0;
    }
    return best;
  }

  /** The processor time of this thread, or the elapsed time if the machine does not report it. */
  private static long ownNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  private static boolean improve(long[][] best, long[][] now) {
    boolean improved = false;
    for (int size = 0; size < best.length; size++) {
      for (int i = 0; i < best[size].length; i++) {
        improved |= now[size][i] < best[size][i] - best[size][i] / 4;
        best[size][i] = Math.min(best[size][i], now[size][i]);
      }
    }
    return improved;
  }

  /** One copy of the vectors. */
  private final class Trial {

    private final Lanes[] lanes;
    private final long[][] slow;
    private final AdaptiveKernel kernel;

    /** What the lanes allocated before they were compiled. */
    private final long[][] uncompiled;

    /** The number of sizes whose vectors the kernel does not use yet. */
    private int waiting;

    /** How many of these are compiled, but allocate. */
    private int wasteful;

    Trial(Lanes[] lanes, long[][] slow) {
      this.lanes = lanes;
      this.slow = slow;
      this.kernel = Promotion.this.kernel.with(lanes);
      this.uncompiled = workload.allocations(kernel);
    }

    /** Makes the kernel use the vectors that are compiled. */
    @SuppressWarnings("ReferenceEquality") // a size without vectors has the scalar lanes themselves
    void adopt(long[][] fast) {
      long[][] allocated = workload.allocations(kernel);
      waiting = 0;
      wasteful = 0;
      for (int size = 0; size < lanes.length; size++) {
        if (lanes[size] == scalars[size] || isAdopted[size]) {
          continue;
        }
        boolean isFrugal = LongStream.of(allocated[size]).allMatch(bytes -> bytes == 0);
        if (isFrugal && workload.isCompiled(size, fast[size], slow[size])) {
          Promotion.this.kernel.use(size, lanes[size]);
          isAdopted[size] = true;
        } else {
          waiting++;
          wasteful += !isFrugal && allocatesLess(allocated[size], uncompiled[size]) ? 1 : 0;
        }
      }
    }

    private static boolean allocatesLess(long[] now, long[] before) {
      for (int i = 0; i < now.length; i++) {
        if (now[i] > before[i] / LEAST_SAVING) {
          return false;
        }
      }
      return true;
    }

    /** Whether only new copies can help. */
    boolean isStuck() {
      return wasteful > 0 && wasteful == waiting;
    }
  }
}
