package dev.tutti.engine.kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs vectorised lanes in the background until they are compiled, then makes kernels use them. */
final class WarmUp {

  /*
   * Before it is compiled, vector code is a thousand times slower than after (milliseconds for 32
   * KiB) and allocates every vector. So a kernel starts on scalars. A daemon thread runs first the
   * scalars and then the vectors, on its own memory, until the vectors are faster than the scalars
   * and do not get any faster. If compiled vectors are not faster, as for types half as wide as a
   * vector, or if the machine has no vectors, the kernel does not change.
   *
   * A program's first operation needs the processors for its work, so the warm-up of a kernel
   * starts a moment later, unless it is requested. A requested warm-up does not wait for others.
   */

  private static final long MOMENT_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(25);
  private static final int SETTLED_WINDOWS = 2;

  /**
   * The number of windows without an allocation or an improvement that prove that code is compiled.
   */
  private static final int COMPILED_WINDOWS = 8;

  /**
   * The longest processor time of the thread. While others use the processor, the compiler does not
   * get it either.
   */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  /** The smallest number of runs before elapsed time counts. */
  private static final int LEAST_RUNS = 600;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Counts the allocations of threads; null if the JVM does not count them. */
  private static final com.sun.management.@Nullable ThreadMXBean ALLOCATIONS = allocations();

  private static final long IDLE_SECONDS = 1;

  private final ThreadPoolExecutor background = daemons();
  private final ThreadPoolExecutor asked = daemons();

  /** A kernel on its way to its full speed. */
  final class Ascent {

    private final Runnable warm;
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private final CountDownLatch isAsked = new CountDownLatch(1);
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Ascent(Runnable warm) {
      this.warm = warm;
    }

    /** Requests the warm-up; the future completes when the kernel has its full speed. */
    CompletableFuture<Void> ask() {
      if (isAsked.getCount() > 0) {
        isAsked.countDown();
        asked.execute(this::run);
      }
      return end;
    }

    private void runLater(long atNanos) {
      try {
        if (!isAsked.await(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void run() {
      if (isBegun.compareAndSet(false, true)) {
        try {
          warm.run();
          end.complete(null);
        } catch (RuntimeException | Error e) {
          end.completeExceptionally(e);
        }
      }
    }
  }

  private static ThreadPoolExecutor daemons() {
    ThreadPoolExecutor one =
        new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), WarmUp::daemon);
    one.allowCoreThreadTimeOut(true);
    return one;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "tutti-kernel-warm-up");
    thread.setDaemon(true);
    return thread;
  }

  /** Schedules the warm-up of a kernel. */
  Ascent start(AdaptiveKernel kernel, Lanes[] scalars, Supplier<Lanes[]> vectors) {
    Ascent ascent = new Ascent(() -> warm(kernel, scalars, vectors.get()));
    long at = System.nanoTime() + MOMENT_NS;
    background.execute(() -> ascent.runLater(at));
    return ascent;
  }

  @SuppressWarnings("ReferenceEquality") // a size without vectors holds the scalar lanes themselves
  private static void warm(AdaptiveKernel kernel, Lanes[] scalars, Lanes[] vectors) {
    Workload workload = new Workload();
    long[][] slow = settle(workload, kernel.with(scalars), none -> true);
    boolean[] adopted = new boolean[vectors.length];
    settle(
        workload,
        kernel.with(vectors),
        fast -> {
          boolean all = true;
          for (int size = 0; size < vectors.length; size++) {
            if (vectors[size] == scalars[size]) {
              adopted[size] = true;
            } else if (!adopted[size] && workload.isCompiled(size, fast[size], slow[size])) {
              kernel.use(size, vectors[size]);
              adopted[size] = true;
            }
            all &= adopted[size];
          }
          return all;
        });
  }

  /** Runs a kernel until its times are accepted and stable; returns the best ones by size class. */
  private static long[][] settle(
      Workload workload, AdaptiveKernel kernel, Predicate<long[][]> pleases) {
    long start = ownNanos();
    long[][] best = workload.times(kernel);
    int settled = 0;
    int compiled = 0;
    int runs = 0;
    while (settled < SETTLED_WINDOWS
        && compiled < COMPILED_WINDOWS
        && (runs < LEAST_RUNS || ownNanos() - start < PATIENCE_NS)) {
      long end = System.nanoTime() + WINDOW_NS;
      long before = allocatedBytes();
      do {
        workload.run(kernel);
        runs++;
      } while (System.nanoTime() - end < 0);
      boolean isFrugal = ALLOCATIONS != null && allocatedBytes() == before;
      boolean improved = improve(best, workload.times(kernel));
      settled = pleases.test(best) && !improved ? settled + 1 : 0;
      compiled = isFrugal && !improved ? compiled + 1 : 0;
    }
    return best;
  }

  private static com.sun.management.@Nullable ThreadMXBean allocations() {
    try {
      return THREADS instanceof com.sun.management.ThreadMXBean counting
              && counting.isThreadAllocatedMemorySupported()
              && counting.isThreadAllocatedMemoryEnabled()
          ? counting
          : null;
    } catch (LinkageError e) {
      // The module of this class is optional in a runtime.
      return null;
    }
  }

  private static long allocatedBytes() {
    return ALLOCATIONS == null ? 0 : ALLOCATIONS.getCurrentThreadAllocatedBytes();
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
}
