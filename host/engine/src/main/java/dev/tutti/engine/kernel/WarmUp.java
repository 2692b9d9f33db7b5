package dev.tutti.engine.kernel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Gives kernels their vectors in the background: daemon threads run one {@link Promotion} each. */
final class WarmUp {

  /*
   * A program's first operation needs the processors for its work, so the warm-up of a kernel
   * starts a moment later, unless it is requested. A requested warm-up does not wait for others.
   */

  private static final long MOMENT_NS = TimeUnit.SECONDS.toNanos(1);

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

  /**
   * Schedules the warm-up of a kernel.
   *
   * @param vectors makes new copies of the lanes of each size class; a size without vectors has the
   *     scalar lanes themselves
   */
  Ascent start(AdaptiveKernel kernel, Lanes[] scalars, Supplier<Lanes[]> vectors) {
    Ascent ascent = new Ascent(() -> new Promotion(kernel, scalars, vectors).run());
    long at = System.nanoTime() + MOMENT_NS;
    background.execute(() -> ascent.runLater(at));
    return ascent;
  }
}
