package dev.tutti.host.rank;

import dev.tutti.host.group.RunSlot;
import dev.tutti.host.group.SlotHolder;
import dev.tutti.plugin.live.Generation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the run slot of a group for all operations that its ranks run with their own threads, and
 * keeps it between operations. A caller that drives the whole group gets the slot while no rank
 * runs anything. The ranks then have to agree again, which takes the slot back. Thread-safe.
 */
final class RankSlot extends SlotHolder {

  private final RunSlot slot;
  private final List<RankMeeting> meetings = new CopyOnWriteArrayList<>();

  RankSlot(RunSlot slot) {
    this.slot = slot;
  }

  /** Adds a meeting whose ranks run operations in this slot. */
  void add(RankMeeting meeting) {
    meetings.add(meeting);
  }

  List<RankMeeting> meetings() {
    return meetings;
  }

  /**
   * Takes the slot, unless the ranks have it.
   *
   * @throws dev.tutti.sdk.TuttiException if the group runs something else, or cannot run any more
   */
  @SuppressWarnings("ReferenceEquality") // Identity matters: it is this object, or another one.
  synchronized void take() {
    if (slot.running() != this) {
      boolean ignored = slot.acquire(this);
    }
    slot.requireUsable();
  }

  @Override
  public synchronized boolean giveWay(BooleanSupplier taken) {
    boolean areQuiet = true;
    for (RankMeeting meeting : meetings) {
      areQuiet &= meeting.queues().close();
    }
    return areQuiet && taken.getAsBoolean();
  }

  @Override
  public boolean isIdle() {
    return running() == null;
  }

  /** A meeting whose ranks run an operation, or null. */
  @Nullable RankMeeting running() {
    for (RankMeeting meeting : meetings) {
      if (meeting.queues().isRunning()) {
        return meeting;
      }
    }
    return null;
  }

  @Override
  public synchronized boolean uses(Generation generation) {
    boolean isUsed = false;
    for (RankMeeting meeting : meetings) {
      isUsed |= !meeting.queues().close() && meeting.uses(generation);
    }
    return isUsed;
  }

  @Override
  public String doing() {
    RankMeeting running = running();
    return running == null ? "running what its ranks started" : running.doing();
  }
}
