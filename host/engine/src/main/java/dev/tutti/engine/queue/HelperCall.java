package dev.tutti.engine.queue;

import dev.tutti.engine.Engine;
import dev.tutti.engine.SharedWork;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * Asks the helpers of an engine for help as long as there is something to help with. Thread-safe.
 */
final class HelperCall {

  private static final int NONE = -1;

  private final Engine engine;
  private final SharedWork work;
  private final BooleanSupplier isWanted;
  private final boolean isShared;

  /** Where the work stands among what the helpers look at. */
  private volatile int place = NONE;

  /**
   * No call yet.
   *
   * @param isWanted whether there is anything that a helper may come to do
   * @param isShared whether other processes have a part in the work
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

  /** Wakes helpers that sleep, if help is asked for. */
  void nudge() {
    if (place != NONE) {
      engine.nudge();
    }
  }

  /**
   * Asks no longer, unless help is wanted after all: whoever started something has not asked anew.
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
