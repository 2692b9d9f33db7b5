package dev.tutti.host.group;

import dev.tutti.plugin.live.Generation;
import java.util.function.BooleanSupplier;

/** The possible holders of the run slot of a group. */
public abstract class SlotHolder {

  /** Whether it runs a plan of a generation. */
  public abstract boolean uses(Generation generation);

  /** Whether it records the operations of the current thread. */
  public boolean recordsThisThread() {
    return false;
  }

  /** Whether it keeps the slot for later runs and runs nothing now. */
  public boolean isIdle() {
    return false;
  }

  /**
   * Leaves the slot to another holder if it is idle.
   *
   * @param taken puts the other holder into the slot; returns whether it did
   * @return whether it left the slot
   */
  public boolean giveWay(BooleanSupplier taken) {
    return false;
  }

  /** Its activity, in words that follow "the group is". */
  public abstract String doing();
}
