package dev.tutti.host.group;

import dev.tutti.plugin.live.Generation;
import java.util.function.BooleanSupplier;

/** The possible holders of the run slot of a group. */
public abstract class SlotHolder {

  /** Whether what it runs was planned in a plugin's term of service. */
  public abstract boolean uses(Generation generation);

  /** Whether it records what the current thread would run. */
  public boolean recordsThisThread() {
    return false;
  }

  /** Whether it keeps the slot for later runs and runs nothing now. */
  public boolean isIdle() {
    return false;
  }

  /**
   * Leaves the slot to another one if it is idle.
   *
   * @param taken puts the other one into the slot; whether that came about
   * @return whether the slot was left
   */
  public boolean giveWay(BooleanSupplier taken) {
    return false;
  }

  /** What it does, in words that follow "the group is". */
  public abstract String doing();
}
