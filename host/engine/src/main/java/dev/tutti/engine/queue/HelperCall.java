package dev.tutti.engine.queue;

import dev.tutti.base.idle.SharedWork;
import dev.tutti.engine.Engine;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/** Asks the helpers of an engine for help as long as there is work for them. Thread-safe. */
final class HelperCall {

  private static final int NONE = -1;

  private final Engine engine;
  private final SharedWork work;
  private final BooleanSupplier isWanted;
  private final boolean isShared;

  /** The place of this work among all work that the helpers check. */
  private volatile int place = NONE;

  /**
   * Starts without a call.
   *
   * @param isWanted whether there is work for a helper
   * @param isShared whether other processes take part in the work
   */
  HelperCall(Engine engine, SharedWork work, BooleanSupplier isWanted, boolean isShared) {
    this.engine = engine;
    this.work = work;
    this.isWanted = isWanted;
    this.isShared = isShared;
  }

  /** Asks for help, and wakes helpers that sleep. */
  void call() {
    if (place != NONE) {
      engine.nudge();
    } else if (isShared || engine.hasHelpers()) {
      publish();
    }
  }

  /** Wakes helpers that sleep, if help was requested. */
  void nudge() {
    if (place != NONE) {
      engine.nudge();
    }
  }

  /**
   * Stops asking, unless help is still wanted: a thread that started an operation meanwhile has not
   * asked again.
   */
  synchronized void end() {
    if (isShared) {
      engine.unshare(work);
    } else {
      engine.withdraw(place);
    }
    place = NONE;
    VarHandle.fullFence();
    if (isWanted.getAsBoolean()) {
      publish();
    }
  }

  private synchronized void publish() {
    if (place == NONE && isShared) {
      engine.share(work);
      place = 0;
    } else if (place == NONE) {
      place = engine.publish(work);
    }
  }
}
