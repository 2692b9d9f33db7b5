package dev.tutti.host.group;

import dev.tutti.plugin.live.Generation;

/** Who may have the run slot of a group. */
public abstract class SlotHolder {

  /** Whether what it runs was planned in a plugin's term of service. */
  public abstract boolean uses(Generation generation);

  /** Whether it records what the current thread would run. */
  public boolean recordsThisThread() {
    return false;
  }

  /** What it does, in words that follow "the group is". */
  public abstract String doing();
}
