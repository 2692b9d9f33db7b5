package dev.tutti.host;

import dev.tutti.host.engine.Cancellation;
import java.util.concurrent.CountDownLatch;

/**
 * A run of a request in which one helper of the engine is held up before the first task that it
 * takes, so that the run comes to a halt until it is released.
 */
public final class PausedRun implements AutoCloseable {

  private final CountDownLatch isHeld = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Thread caller;

  /** Whether the caller has begun the run, which it does before any helper knows of it. */
  private boolean hasBegun;

  private PausedRun(Request request) {
    caller = Thread.ofPlatform().daemon().unstarted(() -> request.run(cancellation()));
  }

  /** Starts a request that is large enough for the help of other threads. */
  public static PausedRun start(Request request) {
    PausedRun run = new PausedRun(request);
    run.caller.start();
    return run;
  }

  /** Asked before each task: when the caller has begun, it waits until a helper is held. */
  private Cancellation cancellation() {
    return () -> {
      if (Thread.currentThread() == caller) {
        if (hasBegun) {
          Await.latch(isHeld);
        }
        hasBegun = true;
      } else {
        isHeld.countDown();
        Await.latch(release);
      }
      return false;
    };
  }

  /** Lets the run go on, and waits for its end. */
  @Override
  public void close() throws InterruptedException {
    release.countDown();
    caller.join();
  }
}
