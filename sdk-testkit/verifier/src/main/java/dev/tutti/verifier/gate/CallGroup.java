package dev.tutti.verifier.gate;

import org.jspecify.annotations.Nullable;

/**
 * The threads of one worker of a gate: the worker itself and all threads that its calls start. Says
 * of each of them which call it works for.
 */
final class CallGroup extends ThreadGroup {

  private volatile @Nullable GateCall<?> call;

  CallGroup(String name) {
    super(name);
  }

  /** Begins to work for a call, or for none. */
  void workFor(@Nullable GateCall<?> next) {
    call = next;
  }

  /** The call that a thread works for; null for a thread of no gate. */
  static @Nullable GateCall<?> callOf(Thread thread) {
    for (ThreadGroup at = thread.getThreadGroup(); at != null; at = at.getParent()) {
      if (at instanceof CallGroup group) {
        return group.call;
      }
    }
    return null;
  }
}
