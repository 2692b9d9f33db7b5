package dev.tutti.engine.queue;

import java.lang.invoke.VarHandle;

/**
 * Says whether ranks that bring the same binding to an operation need no other agreement.
 * Thread-safe, except that one thread at a time may close it.
 */
final class QueueGate {

  /*
   * Whoever closes the gate writes it and then reads the progress of all queues. A queue tells its entry and
   * then reads the gate, with a full fence between. So if not all had entered an operation when the progress was read,
   * the last one sees the gate closed, and so do all others, which read the gate after they have seen its entry.
   */

  private final QueueProgress progress;
  private volatile State state = State.CLOSED;

  private enum State {
    OPEN,
    /** It is found out whether it can be closed: a matter of microseconds. */
    CLOSING,
    CLOSED
  }

  QueueGate(QueueProgress progress) {
    this.progress = progress;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  /** Lets ranks that bring the same binding run, until {@link #close}. */
  void open() {
    state = State.OPEN;
  }

  /**
   * Lets nothing begin any more without a new agreement.
   *
   * @return whether nothing is under way; if something is, the gate stays open
   */
  boolean close() {
    state = State.CLOSING;
    VarHandle.fullFence();
    boolean isQuiet = !progress.isAnyInside();
    state = isQuiet ? State.CLOSED : State.OPEN;
    return isQuiet;
  }

  boolean isClosed() {
    while (state == State.CLOSING) {
      Thread.onSpinWait();
    }
    return state == State.CLOSED;
  }
}
