package dev.tutti.host;

/**
 * A run of a request in which one helper of the engine is held before its first task, so that the
 * run stops until the helper is released.
 */
public final class PausedRun implements AutoCloseable {

  private final Thread caller;
  private final HeldHelper helper;

  private PausedRun(Request request) {
    caller = Thread.ofPlatform().daemon().unstarted(() -> run(request));
    helper = new HeldHelper(caller);
  }

  private void run(Request request) {
    request.operation().run(helper);
  }

  /** Starts a request that is large enough for the help of other threads. */
  public static PausedRun start(Request request) {
    PausedRun run = new PausedRun(request);
    run.caller.start();
    return run;
  }

  /** Lets the run go on, and waits for its end. */
  @Override
  public void close() throws InterruptedException {
    helper.release();
    caller.join();
  }
}
