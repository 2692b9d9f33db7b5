package dev.tutti.engine.queue;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Decides whether ranks that bring the same binding to an operation can run it without an
 * agreement. Thread-safe, except that one thread at a time may close it.
 */
final class QueueGate {
  /*
   * A thread that closes the gate writes it and then reads the progress of all queues. Operations
   * that all queues had entered by then continue as if the gate were open. A queue announces its
   * entry and then reads the gate, with a full fence between. So if not all queues had entered an
   * operation when the progress was read, the last one sees the gate closed for it. So do all
   * others, which read the gate after they have seen its entry.
   *
   * A gate that is closed again stays closed for the same operations. It is opened when ranks have
   * agreed on an operation; all of them check for that agreement before they rely on the gate.
   */

  private static final State OPEN = new State(0);
  private static final State CLOSING = new State(0);

  private final QueueProgress progress;
  private final AtomicReference<State> state;

  /**
   * The state of a gate that is closed for operations after a given one; states are compared by
   * identity.
   */
  static final class State {
    private final int after;

    private State(int after) {
      this.after = after;
    }
  }

  /**
   * Makes a gate. It is closed at first; if ranks of other processes cannot see it, it is always
   * open.
   *
   * @param isOpen whether it is open
   */
  QueueGate(QueueProgress progress, boolean isOpen) {
    this.progress = progress;
    this.state = new AtomicReference<>(isOpen ? OPEN : new State(0));
  }

  /** Whether ranks may run an operation if they bring the same binding. */
  boolean isOpenFor(long number) {
    State now = state.get();
    while (now == CLOSING) {
      Thread.onSpinWait();
      now = state.get();
    }
    return now == OPEN || (int) number - now.after <= 0;
  }

  /** Whether any queue is at work on an operation that all have entered. */
  boolean isAnyInside() {
    return progress.isAnyInside(progress.leastEntered());
  }

  /** The state to pass to {@link #open}. */
  State state() {
    return state.get();
  }

  /** Lets ranks that bring the same binding run, unless the gate was closed again in between. */
  void open(State seen) {
    if (seen != OPEN && seen != CLOSING) {
      state.compareAndSet(seen, OPEN);
    }
  }

  /**
   * Closes the gate: an operation that not all queues have entered needs a new agreement.
   *
   * @return whether no operation is under way
   */
  boolean close() {
    State before = state.getAndSet(CLOSING);
    VarHandle.fullFence();
    int entered = progress.leastEntered();
    boolean isQuiet = !progress.isAnyInside(entered);
    state.set(new State(before == OPEN ? entered : before.after));
    return isQuiet;
  }
}
