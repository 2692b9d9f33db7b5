package dev.tutti.host;

import dev.tutti.engine.Cancellation;
import java.util.concurrent.CountDownLatch;

/**
 * Brings a run to a halt: one helper of the engine is held up before the first task that it takes,
 * and the caller waits for that before its second one. Never cancels.
 */
public final class HeldHelper implements Cancellation {

  private final CountDownLatch isHeld = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Thread caller;

  /** Whether the caller has begun the run, which it does before any helper knows of it. */
  private boolean hasBegun;

  /**
   * Holds a helper up.
   *
   * @param caller the thread that runs the request
   */
  public HeldHelper(Thread caller) {
    this.caller = caller;
  }

  @Override
  public boolean isRequested() {
    if (Thread.currentThread() != caller) {
      isHeld.countDown();
      Await.latch(release);
    } else if (hasBegun) {
      Await.latch(isHeld);
    } else {
      hasBegun = true;
    }
    return false;
  }

  /** Lets the run go on. */
  public void release() {
    release.countDown();
  }
}
