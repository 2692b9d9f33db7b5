package dev.tutti.mutation;

import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of a small plan that runs twice in a row, as a full table of the happens-before
 * relation of events. It serves to check the rules, so it shares nothing with them except the view
 * of a plan as streams of events.
 */
final class PlainOrder {

  /*
   * The table is computed from the definition: run the plan twice, one legal step at a time, pair
   * the signals of each notify in the order of their arrival, and close the relation. The second
   * run of a rank starts when its first has returned, and a slave stream starts when its rank has
   * entered.
   *
   * One run represents all if, on every notify, posts and awaits alternate in the relation itself,
   * and no await can begin to wait before the previous await has its signal (isSure). Then no
   * schedule can pair them in another way, and none can lose a signal.
   *
   * The caller of a rank owns its input and output before it enters and after it has returned, and
   * may write them: so BEGIN and END are events that write both. There are two runs, because a run
   * affects the next one: notifies, staging and scratch memory are the same.
   *
   * A barrier moves no data; its purpose is that no rank leaves before all have entered. So in a
   * barrier, each BEGIN writes a separate memory that every END of the same run reads.
   */

  private static final int RUNS = 2;

  /** The action numbers of BEGIN and END in keys. */
  private static final int BEGIN = -1;

  private static final int END = -2;

  /** Maps an action to the action of the original that it comes from. */
  interface Origin {
    int of(int rank, int action);
  }

  /** The key of an event, in this plan and in others that come from the same original. */
  private static long key(int run, int rank, int action) {
    return ((long) (action - END) * 1024 + rank) * RUNS + run;
  }

  private record Access(int memory, long from, long to, boolean isWrite) {
    boolean conflicts(Access other) {
      return memory == other.memory
          && from < other.to
          && other.from < to
          && (isWrite || other.isWrite);
    }
  }

  /**
   * One event of a run.
   *
   * @param previous the index of the event that must come before it: the previous one in its
   *     stream, or the event that starts its stream; -1 if there is none
   * @param same all events of this plan with its key
   */
  private record Event(
      int index, int previous, long key, List<Access> accesses, List<Event> same) {}

  /** One access of an event. */
  private record Use(Event event, Access access) {}

  /** Two events that conflict, in the order of the run. */
  private record Pair(Event first, Event second) {}

  private final FlatPlan plan;
  private final Origin origin;
  private final boolean isBarrier;
  private final List<Event> events = new ArrayList<>();

  /** For each event, the events that happen before it, and itself. */
  private final List<BitSet> past = new ArrayList<>();

  private final Map<Long, List<Event>> byKey = new HashMap<>();
  private final List<List<Event>> posts = new ArrayList<>();
  private final List<List<Event>> awaits = new ArrayList<>();
  private @Nullable List<Pair> conflicts;
  private final boolean isComplete;

  /**
   * Runs a plan.
   *
   * @param isBarrier whether the operation is a barrier
   */
  PlainOrder(FlatPlan plan, Origin origin, boolean isBarrier) {
    this.plan = plan;
    this.origin = origin;
    this.isBarrier = isBarrier;
    for (int cell = 0; cell < plan.cellCount(); cell++) {
      posts.add(new ArrayList<>());
      awaits.add(new ArrayList<>());
    }
    this.isComplete = run();
  }

  // ---- running

  /** One stream of one run. */
  private static final class Lane {
    final int run;
    final FlatStream code;
    int position;
    @Nullable Event last;

    Lane(int run, FlatStream code) {
      this.run = run;
      this.code = code;
    }
  }

  private boolean run() {
    List<Lane> lanes = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      for (FlatStream code : plan.streams()) {
        lanes.add(new Lane(run, code));
      }
    }
    int left = lanes.stream().mapToInt(lane -> lane.code.size()).sum();
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Lane lane : lanes) {
        while (lane.position < lane.code.size() && step(lane)) {
          moved = true;
          left--;
        }
      }
    }
    return left == 0;
  }

  /** Runs the next event of a lane unless it must wait. */
  private boolean step(Lane lane) {
    int sync = lane.code.sync(lane.position);
    Event post = null;
    if (FlatStream.isAwait(sync)) {
      int cell = FlatStream.cell(sync);
      int taken = awaits.get(cell).size();
      if (taken == posts.get(cell).size()) {
        return false;
      }
      post = posts.get(cell).get(taken);
    }
    Event before = lane.last;
    if (before == null && (lane.run > 0 || !lane.code.isMain())) {
      before = lane.code.isMain() ? border(lane, lane.run - 1, END) : border(lane, lane.run, BEGIN);
      if (before == null) {
        return false;
      }
    }
    long key = key(lane, sync);
    List<Event> same = byKey.computeIfAbsent(key, k -> new ArrayList<>(1));
    int previous = before == null ? -1 : before.index;
    Event event = new Event(events.size(), previous, key, accesses(lane, sync), same);
    BitSet known = new BitSet();
    known.set(event.index);
    if (before != null) {
      known.or(past.get(before.index));
    }
    if (post != null) {
      known.or(past.get(post.index));
    }
    events.add(event);
    past.add(known);
    same.add(event);
    if (sync >= 0) {
      (FlatStream.isPost(sync) ? posts : awaits).get(FlatStream.cell(sync)).add(event);
    }
    lane.last = event;
    lane.position++;
    return true;
  }

  private @Nullable Event border(Lane lane, int run, int border) {
    List<Event> found = byKey.get(key(run, lane.code.rank(), border));
    return found == null ? null : found.getFirst();
  }

  private long key(Lane lane, int sync) {
    int rank = lane.code.rank();
    int action =
        switch (sync) {
          case FlatStream.BEGIN -> BEGIN;
          case FlatStream.END -> END;
          default -> origin.of(rank, lane.code.action(lane.position));
        };
    return key(lane.run, rank, action);
  }

  private List<Access> accesses(Lane lane, int sync) {
    List<Access> accesses = new ArrayList<>();
    if (sync == FlatStream.DATA) {
      addData(lane, accesses);
    } else if (sync < 0) {
      addBorder(lane, sync == FlatStream.BEGIN, accesses);
    }
    return accesses;
  }

  private void addData(Lane lane, List<Access> accesses) {
    RankPlan code = lane.code.plan(lane.position);
    int action = lane.code.action(lane.position);
    long bytes = code.bytes(action);
    for (int i = 0; i < code.sourceCount(action); i++) {
      int memory = plan.memory(code.srcRank(action, i), code.srcType(action, i));
      long from = code.srcOffset(action, i);
      accesses.add(new Access(memory, from, from + bytes, false));
    }
    int memory = plan.memory(code.dstRank(action), code.dstType(action));
    long from = code.dstOffset(action);
    accesses.add(new Access(memory, from, from + bytes, true));
  }

  private void addBorder(Lane lane, boolean isBegin, List<Access> accesses) {
    int rank = lane.code.rank();
    for (TransportMemType type :
        List.of(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)) {
      long size = plan.plan().rank(rank).memSize(type);
      accesses.add(new Access(plan.memory(rank, type), 0, size, true));
    }
    int ranks = plan.plan().rankSize();
    for (int other = 0; isBarrier && other < ranks; other++) {
      if (!isBegin || other == rank) {
        int memory = plan.memoryCount() + lane.run * ranks + other;
        accesses.add(new Access(memory, 0, 1, isBegin));
      }
    }
  }

  private List<Pair> conflicts() {
    List<Pair> known = conflicts;
    if (known == null) {
      known = findConflicts();
      conflicts = known;
    }
    return known;
  }

  private List<Pair> findConflicts() {
    List<Pair> found = new ArrayList<>();
    Map<Integer, List<Use>> byMemory = new HashMap<>();
    for (Event event : events) {
      for (Access access : event.accesses) {
        List<Use> uses = byMemory.computeIfAbsent(access.memory, key -> new ArrayList<>());
        for (Use use : uses) {
          if (use.event.index != event.index && use.access.conflicts(access)) {
            found.add(new Pair(use.event, event));
          }
        }
        uses.add(new Use(event, access));
      }
    }
    return found;
  }

  // ---- judging

  private boolean isBefore(Event one, Event other) {
    return past.get(other.index).get(one.index);
  }

  /** Whether every schedule runs to its end, pairs the signals in one way and loses none. */
  boolean isSure() {
    for (int cell = 0; cell < posts.size(); cell++) {
      List<Event> posted = posts.get(cell);
      List<Event> awaited = awaits.get(cell);
      if (posted.size() != awaited.size()) {
        return false;
      }
      for (int k = 1; k < posted.size(); k++) {
        Event taken = awaited.get(k - 1);
        int previous = awaited.get(k).previous;
        if (!isBefore(taken, posted.get(k))
            || previous < 0
            || !past.get(previous).get(taken.index)) {
          return false;
        }
      }
    }
    return isComplete;
  }

  /**
   * Whether any two events that conflict in one of the plans are ordered in both, and in the same
   * way. All events that come from the same action of the original must agree. Events that only one
   * of the plans has are not compared with the other plan.
   */
  boolean agreesWith(PlainOrder other) {
    return isCoveredBy(other) && other.isCoveredBy(this);
  }

  private boolean isCoveredBy(PlainOrder other) {
    List<List<Event>> theirs = new ArrayList<>(events.size());
    for (Event event : events) {
      theirs.add(other.events(event.key));
    }
    for (Pair pair : conflicts()) {
      Event first = pair.first;
      Event second = pair.second;
      if (!isBefore(first, second)) {
        return false;
      }
      if (first.key != second.key
          && !(isAlwaysBefore(first.same, second.same)
              && other.isAlwaysBefore(theirs.get(first.index), theirs.get(second.index)))) {
        return false;
      }
    }
    return true;
  }

  private List<Event> events(long key) {
    return Objects.requireNonNullElse(byKey.get(key), List.<Event>of());
  }

  /** Whether all events of one list are before all of another; true if there are none. */
  private boolean isAlwaysBefore(List<Event> first, List<Event> second) {
    for (Event one : first) {
      for (Event two : second) {
        if (!isBefore(one, two)) {
          return false;
        }
      }
    }
    return true;
  }
}
