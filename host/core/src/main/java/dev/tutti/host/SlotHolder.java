package dev.tutti.host;

import dev.tutti.plugin.live.Generation;

/** Who may have the run slot of a group. */
abstract class SlotHolder {

  /** Whether what it runs was planned in a plugin's term of service. */
  abstract boolean uses(Generation generation);

  /** Whether it records what the current thread would run. */
  boolean recordsThisThread() {
    return false;
  }

  /** What it does, in words that follow "the group is". */
  abstract String doing();
}
