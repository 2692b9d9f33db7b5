package dev.tutti.testkit.mutation;

import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of a small plan that runs twice in a row, as a full table of which event happens before
 * which. Shares nothing with the rules but the view of a plan as streams of events: it is what they
 * are compared with.
 */
final class PlainOrder {

  /*
   * The table is worked out by definition: run the plan twice, one legal step at a time, pair the
   * signals of each notify in the order in which they came, and close the relation. The second run
   * of a rank starts when its first has returned, and a slave stream when its rank has entered.
   *
   * One run stands for all if on every notify posts and awaits alternate in the relation itself
   * (isSure): then no schedule can pair them in another way, and none can lose a signal.
   *
   * The caller of a rank owns its input and output before it enters and after it has returned, and
   * may write them: so BEGIN and END are events that write both. Two runs, because what one run
   * leaves behind is the next one's business: notifies, staging and scratch memory are the same.
   *
   * A barrier moves no data; what it is for is that no rank leaves before all have entered. So
   * there BEGIN writes a memory of its own that every END of the same run reads.
   */

  private static final int RUNS = 2;

  /** The numbers of BEGIN and END among a rank's actions. */
  private static final int BEGIN = -1;

  private static final int END = -2;

  /** Says from which action of the original an action comes. */
  interface Origin {
    int of(int rank, int action);
  }

  /** What an event is, in this plan and in others that come from the same original. */
  private record Key(int run, int rank, int action) {}

  private record Access(int memory, long from, long to, boolean isWrite) {
    boolean conflicts(Access other) {
      return memory == other.memory
          && from < other.to
          && other.from < to
          && (isWrite || other.isWrite);
    }
  }

  private record Event(int index, Key key, List<Access> accesses) {
    boolean conflicts(Event other) {
      return accesses.stream().anyMatch(one -> other.accesses.stream().anyMatch(one::conflicts));
    }
  }

  /** Two events that conflict, the one that came first in the run first. */
  private record Pair(Event first, Event second) {}

  private final FlatPlan plan;
  private final Origin origin;
  private final boolean isBarrier;
  private final List<Event> events = new ArrayList<>();

  /** For each event those that happen before it, and itself. */
  private final List<BitSet> past = new ArrayList<>();

  private final Map<Key, List<Event>> byKey = new HashMap<>();
  private final List<List<Event>> posts = new ArrayList<>();
  private final List<List<Event>> awaits = new ArrayList<>();
  private final List<Pair> conflicts = new ArrayList<>();
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
    findConflicts();
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

  /** Runs the next event of a lane if it need not wait. */
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
    Event event = new Event(events.size(), key(lane, sync), accesses(lane, sync));
    BitSet known = new BitSet();
    known.set(event.index);
    for (Event earlier : new Event[] {before, post}) {
      if (earlier != null) {
        known.or(past.get(earlier.index));
      }
    }
    events.add(event);
    past.add(known);
    byKey.computeIfAbsent(event.key, key -> new ArrayList<>()).add(event);
    if (sync >= 0) {
      (FlatStream.isPost(sync) ? posts : awaits).get(FlatStream.cell(sync)).add(event);
    }
    lane.last = event;
    lane.position++;
    return true;
  }

  private @Nullable Event border(Lane lane, int run, int border) {
    List<Event> found = byKey.get(new Key(run, lane.code.rank(), border));
    return found == null ? null : found.getFirst();
  }

  private Key key(Lane lane, int sync) {
    int rank = lane.code.rank();
    int action =
        switch (sync) {
          case FlatStream.BEGIN -> BEGIN;
          case FlatStream.END -> END;
          default -> origin.of(rank, lane.code.action(lane.position));
        };
    return new Key(lane.run, rank, action);
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

  private void findConflicts() {
    Map<Integer, List<Event>> byMemory = new HashMap<>();
    for (Event event : events) {
      for (int memory : event.accesses.stream().map(Access::memory).distinct().toList()) {
        List<Event> users = byMemory.computeIfAbsent(memory, key -> new ArrayList<>());
        for (Event user : users) {
          if (user.conflicts(event)) {
            conflicts.add(new Pair(user, event));
          }
        }
        users.add(event);
      }
    }
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
        if (!isBefore(awaited.get(k - 1), posted.get(k))) {
          return false;
        }
      }
    }
    return isComplete;
  }

  /**
   * Whether each two events that both plans have, and that conflict in either of them, are ordered
   * in both, and in the same way. Events that come from one action of the original must all agree;
   * what only one of the plans has is not compared.
   */
  boolean agreesWith(PlainOrder other) {
    return isCoveredBy(other) && other.isCoveredBy(this);
  }

  private boolean isCoveredBy(PlainOrder other) {
    for (Pair pair : conflicts) {
      if (!isBefore(pair.first, pair.second)) {
        return false;
      }
      Key first = pair.first.key;
      Key second = pair.second.key;
      if (!first.equals(second)
          && !(isAlwaysBefore(first, second) && other.isAlwaysBefore(first, second))) {
        return false;
      }
    }
    return true;
  }

  /** Whether all events of one key are before all of another one; true if there are none. */
  private boolean isAlwaysBefore(Key first, Key second) {
    List<Event> later = Objects.requireNonNullElse(byKey.get(second), List.<Event>of());
    return Objects.requireNonNullElse(byKey.get(first), List.<Event>of()).stream()
        .allMatch(one -> later.stream().allMatch(two -> isBefore(one, two)));
  }
}
