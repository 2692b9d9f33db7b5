package dev.tutti.host;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Waits for what must come about, however busy the machine is. */
public final class Await {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(10);

  private Await() {}

  /** Waits until something is so; fails if it does not become so. */
  public static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not so after " + LIMIT);
      }
      pause();
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

  /** Waits for a latch; an interrupt fails. */
  public static void latch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
