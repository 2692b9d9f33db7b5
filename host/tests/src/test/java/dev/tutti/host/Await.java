package dev.tutti.host;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits for what must come about, however busy the machine is. */
public final class Await {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration CLOSE_POLL = Duration.ofNanos(200_000);

  private static final int SPINS = 100;

  private Await() {}

  /** Waits until something is so; fails if it does not become so. */
  public static void until(BooleanSupplier condition) {
    until(condition, POLL);
  }

  /** As {@link #until(BooleanSupplier)}, with short pauses for measurements. */
  public static void untilClosely(BooleanSupplier condition) {
    until(condition, CLOSE_POLL);
  }

  private static void until(BooleanSupplier condition, Duration poll) {
    if (!comes(condition, poll)) {
      throw new AssertionError("not so after " + LIMIT);
    }
  }

  /** Waits until something is so, and says whether it became so. */
  public static boolean comes(BooleanSupplier condition) {
    return comes(condition, POLL);
  }

  private static boolean comes(BooleanSupplier condition, Duration poll) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      pause(poll);
    }
    return true;
  }

  /**
   * Polls without a pause until it returns true; fails if it never does. After a while, it yields
   * the processor between calls, because another thread may have to do something first.
   */
  public static void spin(BooleanSupplier isDone) {
    long end = System.nanoTime() + LIMIT.toNanos();
    for (int calls = 0; !isDone.getAsBoolean(); calls++) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not done after " + LIMIT);
      }
      if (calls < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  /** Waits until something is so that comes about when garbage is collected. */
  public static void collection(BooleanSupplier condition) {
    until(
        () -> {
          System.gc();
          return condition.getAsBoolean();
        });
  }

  /** Waits for a latch; fails if it stays closed, or at an interrupt. */
  public static void latch(CountDownLatch latch) {
    try {
      if (!latch.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AssertionError("closed after " + LIMIT);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until all threads of a barrier have come; fails if they do not come. */
  public static void barrier(CyclicBarrier barrier) {
    try {
      int ignored = barrier.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause(Duration poll) {
    try {
      Thread.sleep(poll);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
