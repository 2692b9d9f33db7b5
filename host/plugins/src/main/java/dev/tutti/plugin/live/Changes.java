package dev.tutti.plugin.live;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Allows one change of plugins at a time, and none after the end. A thread that plans or runs does
 * not wait here, unless its own plan has failed. Thread-safe.
 */
final class Changes {

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean isClosed;

  /**
   * Reads the state without waiting for a current change, which may be partly visible.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} after the end
   */
  <T> T look(Supplier<T> look) {
    requireOpen();
    return look.get();
  }

  private void requireOpen() {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the host is closed");
    }
  }

  /**
   * Makes a change; a change may be part of another.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} after the end
   */
  <T> T make(Supplier<T> change) {
    lock.lock();
    try {
      requireOpen();
      return change.get();
    } finally {
      lock.unlock();
    }
  }

  /** Makes a change, or does nothing after the end. */
  <T> T makeOr(T otherwise, Supplier<T> change) {
    lock.lock();
    try {
      return isClosed ? otherwise : change.get();
    } finally {
      lock.unlock();
    }
  }

  /** Makes the last change, once. */
  void end(Runnable last) {
    lock.lock();
    try {
      if (!isClosed) {
        isClosed = true;
        last.run();
      }
    } finally {
      lock.unlock();
    }
  }
}
