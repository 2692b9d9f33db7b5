package dev.tutti.verifier.order;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of a small plan as a full table of the happens-before relation, computed from the
 * definition: run the plan once, pair the signals, close the relation.
 */
final class Oracle {

  /** One event; {@code time} is its place in the run. */
  record Event(int stream, int event, int time) {}

  /** One access to a memory. */
  record Access(Event at, int memory, long from, long to, ActionKind kind, boolean isWrite) {}

  final FlatPlan plan;

  /** The events in the order of the run. */
  final List<Event> events = new ArrayList<>();

  /** For each event in that order, the events that happen before it, and itself. */
  final List<BitSet> past = new ArrayList<>();

  /** For each cell its posts and awaits in the order of the run. */
  final List<List<Event>> posts = new ArrayList<>();

  final List<List<Event>> awaits = new ArrayList<>();
  boolean isComplete;

  private final Map<Integer, FlatStream> user = new HashMap<>();

  Oracle(FlatPlan plan) {
    this.plan = plan;
    for (int cell = 0; cell < plan.cellCount(); cell++) {
      posts.add(new ArrayList<>());
      awaits.add(new ArrayList<>());
    }
    run();
  }

  private void run() {
    int count = plan.streams().size();
    int[] position = new int[count];
    int[] last = new int[count];
    int[] begin = new int[plan.plan().rankSize()];
    Arrays.fill(last, -1);
    List<ArrayDeque<Event>> waiting = new ArrayList<>();
    for (int cell = 0; cell < plan.cellCount(); cell++) {
      waiting.add(new ArrayDeque<>());
    }
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int stream = 0; stream < count; stream++) {
        FlatStream code = plan.streams().get(stream);
        if (position[stream] == code.size()) {
          continue;
        }
        int sync = code.sync(position[stream]);
        if (FlatStream.isAwait(sync) && waiting.get(FlatStream.cell(sync)).isEmpty()) {
          continue;
        }
        Event event = new Event(stream, position[stream]++, events.size());
        BitSet before = new BitSet();
        before.set(event.time);
        if (last[stream] >= 0) {
          before.or(past.get(last[stream]));
        } else if (!code.isMain()) {
          before.or(past.get(begin[code.rank()]));
        }
        if (sync == FlatStream.BEGIN) {
          begin[code.rank()] = event.time;
        } else if (FlatStream.isPost(sync)) {
          waiting.get(FlatStream.cell(sync)).add(event);
          posts.get(FlatStream.cell(sync)).add(event);
        } else if (FlatStream.isAwait(sync)) {
          before.or(past.get(waiting.get(FlatStream.cell(sync)).remove().time));
          awaits.get(FlatStream.cell(sync)).add(event);
        }
        last[stream] = event.time;
        events.add(event);
        past.add(before);
        moved = true;
      }
    }
    isComplete = true;
    for (int stream = 0; stream < count; stream++) {
      isComplete &= position[stream] == plan.streams().get(stream).size();
    }
  }

  boolean isBefore(Event one, Event other) {
    return past.get(other.time).get(one.time);
  }

  Event event(int stream, int event) {
    return events.stream().filter(e -> e.stream == stream && e.event == event).findFirst().get();
  }

  /** Whether post k + depth of a cell can come before await k. */
  boolean isLost(int depth) {
    for (int cell = 0; cell < posts.size(); cell++) {
      for (int k = 0; k + depth < posts.get(cell).size(); k++) {
        if (k >= awaits.get(cell).size()
            || !isBefore(awaits.get(cell).get(k), posts.get(cell).get(k + depth))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether every run pairs the signals as this one did: each notify has one stream that posts it
   * and one that awaits it, or its posts and awaits alternate in every run.
   */
  boolean isPairingSure() {
    boolean isSure = isComplete && !isLost(1) && !isStolen();
    boolean isTidy = true;
    for (int stream = 0; stream < plan.streams().size(); stream++) {
      FlatStream code = plan.streams().get(stream);
      for (int event = 0; event < code.size(); event++) {
        int sync = code.sync(event);
        isTidy &= sync < 0 || user.computeIfAbsent(sync, s -> code) == code;
      }
    }
    return isSure || isTidy;
  }

  boolean hasLeftOver() {
    for (int cell = 0; cell < posts.size(); cell++) {
      if (posts.get(cell).size() > awaits.get(cell).size()) {
        return true;
      }
    }
    return false;
  }

  boolean isStolen() {
    for (List<Event> all : awaits) {
      for (int k = 0; k + 1 < all.size(); k++) {
        Event next = all.get(k + 1);
        if (next.event == 0 || !isBefore(all.get(k), event(next.stream, next.event - 1))) {
          return true;
        }
      }
    }
    return false;
  }

  List<Access> accesses() {
    List<Access> all = new ArrayList<>();
    for (Event at : events) {
      FlatStream code = plan.streams().get(at.stream);
      if (code.sync(at.event) != FlatStream.DATA) {
        continue;
      }
      RankPlan own = code.plan(at.event);
      int action = code.action(at.event);
      long bytes = own.bytes(action);
      ActionKind kind = own.kind(action);
      for (int i = 0; i < own.sourceCount(action); i++) {
        int memory = plan.memory(own.srcRank(action, i), own.srcType(action, i));
        long from = own.srcOffset(action, i);
        all.add(new Access(at, memory, from, from + bytes, kind, false));
      }
      int memory = plan.memory(own.dstRank(action), own.dstType(action));
      long from = own.dstOffset(action);
      all.add(new Access(at, memory, from, from + bytes, kind, true));
    }
    return all;
  }

  static boolean conflict(Access one, Access other, boolean atomicReductions) {
    boolean areAtomic =
        atomicReductions
            && one.isWrite
            && other.isWrite
            && one.kind == ActionKind.REDUCE
            && other.kind == ActionKind.REDUCE
            && one.from == other.from
            && one.to == other.to;
    return one.memory == other.memory
        && one.from < other.to
        && other.from < one.to
        && (one.isWrite || other.isWrite)
        && !areAtomic;
  }

  /** Whether an event happens before the end of any stream of a rank, even if that gets stuck. */
  boolean isBeforeEnd(Event one, int rank) {
    return events.stream()
        .anyMatch(other -> plan.streams().get(other.stream).rank() == rank && isBefore(one, other));
  }
}
