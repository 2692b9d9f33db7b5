package dev.tutti.verifier.gate;

import org.jspecify.annotations.Nullable;

/**
 * The threads of one worker of a gate: the worker itself and all threads that its calls start.
 * Names the call that each of them works for.
 */
final class CallGroup extends ThreadGroup {

  private volatile @Nullable GateCall<?> call;

  CallGroup(String name) {
    super(name);
  }

  /** Sets the call that the group works for; null for none. */
  void workFor(@Nullable GateCall<?> next) {
    call = next;
  }

  /** The call that a thread works for; null for a thread outside all gates. */
  static @Nullable GateCall<?> callOf(Thread thread) {
    for (ThreadGroup at = thread.getThreadGroup(); at != null; at = at.getParent()) {
      if (at instanceof CallGroup group) {
        return group.call;
      }
    }
    return null;
  }
}
