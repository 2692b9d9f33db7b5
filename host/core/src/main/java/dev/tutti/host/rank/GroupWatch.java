package dev.tutti.host.rank;

import dev.tutti.engine.StreamPosition;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.RunSlot;
import dev.tutti.host.group.RunnableOperation;
import dev.tutti.host.group.SlotHolder;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.RankStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Reports the activity of a group, without stopping it. Thread-safe. */
public final class GroupWatch {

  private final GroupCore core;
  private final RunSlot slot;
  private final RankWatch ranks;

  public GroupWatch(GroupCore core, RankWatch ranks) {
    this.core = core;
    this.slot = core.slot();
    this.ranks = ranks;
  }

  public GroupActivity look() {
    SlotHolder holder = slot.running();
    long run = holder instanceof RunnableOperation runs ? runs.number() : 0;
    return new GroupActivity(holder == ranks.slot() ? null : holder, run, ranks.numbers());
  }

  /**
   * The current activity of the group.
   *
   * @param isStill whether to report what the ranks wait for
   */
  public GroupStatus status(boolean isStill) {
    SlotHolder holder = slot.running();
    if (slot.isClosed()) {
      return status(GroupStatus.State.CLOSED, "closed", List.of());
    }
    if (slot.isPoisoned()) {
      return status(
          GroupStatus.State.POISONED,
          "unusable after an earlier failure: " + slot.poisonCause(),
          List.of());
    }
    if (holder instanceof RunnableOperation running) {
      return isStill
          ? stillRunning(running)
          : status(GroupStatus.State.RUNNING, holder.doing(), List.of());
    }
    RankMeeting meeting = ranks.slot().running();
    if (meeting != null) {
      return status(
          GroupStatus.State.RUNNING,
          meeting.doing(),
          isStill ? ranks(meeting.positions()) : List.of());
    }
    List<RankStatus> waiting = waiting();
    if (holder != null && holder != ranks.slot()) {
      return status(GroupStatus.State.CAPTURING, holder.doing(), isStill ? waiting : List.of());
    }
    return waiting.isEmpty()
        ? status(GroupStatus.State.IDLE, "", isStill ? ofJob() : List.of())
        : status(
            GroupStatus.State.MEETING,
            "waiting for ranks that have not called",
            isStill ? waiting : List.of());
  }

  /**
   * All ranks of this process in a job, even idle ones, because ranks of other processes may wait
   * for them.
   */
  private List<RankStatus> ofJob() {
    return core.job() == null ? List.of() : ranks.status();
  }

  private GroupStatus status(GroupStatus.State state, String doing, List<RankStatus> ranks) {
    return new GroupStatus(core.number(), core.title(), core.rankSize(), state, doing, ranks);
  }

  private GroupStatus stillRunning(RunnableOperation running) {
    if (running.isComplete()) {
      return status(
          GroupStatus.State.RUNNING,
          running.doing() + ", which is complete, but its caller has not called test or await",
          List.of());
    }
    List<StreamPosition> positions = running.positions();
    String left = positions.isEmpty() ? running.unfinished() : "";
    return status(
        GroupStatus.State.RUNNING,
        running.doing() + (left.isBlank() ? "" : ":" + left),
        ranks(positions));
  }

  /**
   * The status of the group at the deadline of a run.
   *
   * @param doing the run, in words
   * @param positions the positions of its streams; none if they are not known
   */
  public GroupStatus late(String doing, List<StreamPosition> positions) {
    return status(
        GroupStatus.State.RUNNING, doing, positions.isEmpty() ? List.of() : ranks(positions));
  }

  /** The positions of a run's streams, and the ranks that wait for another operation. */
  private List<RankStatus> ranks(List<StreamPosition> positions) {
    List<RankStatus> all = new ArrayList<>();
    for (StreamPosition each : positions) {
      boolean isWaiting = each.waitsFor() != StreamPosition.NOBODY;
      all.add(
          new RankStatus(
              each.rank(),
              core.names().name(each.rank()),
              isWaiting ? RankStatus.State.WAITING : RankStatus.State.RUNNING,
              (isWaiting ? "waits at " : "is at ") + each.action(),
              isWaiting ? List.of(each.waitsFor()) : List.of(),
              each.source().equals("?") ? "" : each.source()));
    }
    ranks.status().stream().filter(RankStatus::isWaiting).forEach(all::add);
    all.sort(Comparator.comparingInt(RankStatus::rank));
    return all;
  }

  /** The ranks that wait, and those that they wait for. Each shared list is read once. */
  private List<RankStatus> waiting() {
    List<RankStatus> all = ranks.status();
    Set<List<Integer>> lists = Collections.newSetFromMap(new IdentityHashMap<>());
    all.forEach(each -> lists.add(each.waitsFor()));
    Set<Integer> awaited = new HashSet<>();
    lists.forEach(awaited::addAll);
    return all.stream().filter(each -> each.isWaiting() || awaited.contains(each.rank())).toList();
  }
}
