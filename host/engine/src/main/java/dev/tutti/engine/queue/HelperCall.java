package dev.tutti.engine.queue;

import dev.tutti.base.idle.Helpers;
import dev.tutti.base.idle.SharedWork;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/** Asks the helpers of an engine for help as long as there is work for them. Thread-safe. */
final class HelperCall {

  private static final int NONE = -1;

  private final Helpers helpers;
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
  HelperCall(Helpers helpers, SharedWork work, BooleanSupplier isWanted, boolean isShared) {
    this.helpers = helpers;
    this.work = work;
    this.isWanted = isWanted;
    this.isShared = isShared;
  }

  /** Whether help was requested. */
  boolean areCalled() {
    return place != NONE;
  }

  /** Asks for help, and wakes a helper that sleeps, if any. */
  void call() {
    if (place != NONE) {
      helpers.callOne();
    } else if (isShared || helpers.areThereAny()) {
      publish();
    }
  }

  /** Wakes a helper that sleeps, if any, if help was requested. */
  void nudge() {
    if (place != NONE) {
      helpers.callOne();
    }
  }

  /**
   * Stops asking, unless help is still wanted: a thread that started an operation meanwhile has not
   * asked again.
   */
  synchronized void end() {
    if (isShared) {
      helpers.unshare(work);
    } else {
      helpers.withdraw(place);
    }
    place = NONE;
    VarHandle.fullFence();
    if (isWanted.getAsBoolean()) {
      publish();
    }
  }

  private synchronized void publish() {
    if (place == NONE && isShared) {
      helpers.share(work);
      place = 0;
    } else if (place == NONE) {
      place = helpers.publishLeft(work);
    }
  }
}
