package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PartOrder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the order that the parts of a composition need beyond the order that they have.
 *
 * <p>It walks the parts one after another, each in one legal order, with vector clocks. A lane is a
 * stream of a rank; a clock counts, for each lane, the data actions that are known to be done. If
 * two accesses conflict, the access of the later part must know the other one. If it does not, its
 * rank must begin the part only after the other rank has ended the earlier part. The rank then
 * knows what the other rank knew, so later accesses that this also orders need no further wait.
 */
final class Join implements Unroller.Sink, AccessHistory.Judge {

  private final int ranks;
  private final List<PartOrder> given;

  /** The first lane of each rank; one more entry than ranks. */
  private final int[] firstLane;

  /** Data actions so far, by lane. */
  private final int[] done;

  /** What each rank knows at the end of each part so far. */
  private final List<int[][]> ends = new ArrayList<>();

  private final Map<Long, AccessHistory> histories = new HashMap<>();
  private final BitSet waitsForOwnMemory = new BitSet();
  private final List<PartOrder> orders = new ArrayList<>();

  // ---- state of the part that is walked

  private int part;
  private final List<int[]> clocks = new ArrayList<>();
  private final List<Integer> rankOf = new ArrayList<>();
  private final List<Integer> laneOf = new ArrayList<>();
  private final List<Boolean> isOutermost = new ArrayList<>();
  private final int[] opened;
  private final List<PartOrder> found = new ArrayList<>();

  // ---- state of the signals under way

  private final List<int[]> events = new ArrayList<>();
  private final List<Integer> freeEvents = new ArrayList<>();

  // ---- state of the access that is judged

  private int stream;
  private boolean isOwnMemory;

  private Join(int ranks, int[] firstLane, List<PartOrder> given) {
    this.ranks = ranks;
    this.given = given;
    this.firstLane = firstLane;
    this.done = new int[firstLane[ranks]];
    this.opened = new int[ranks];
  }

  /**
   * The result of the walk.
   *
   * @param orders the order to add
   * @param waitsForOwnMemory the parts that wait because an earlier part of the same color still
   *     uses its own memory
   */
  record Result(List<PartOrder> orders, BitSet waitsForOwnMemory) {}

  /**
   * Walks plans over the memories of a composition.
   *
   * @param given the existing order
   */
  static Result of(int ranks, List<GroupPlan> plans, List<PartOrder> given) {
    List<List<Frame.Part>> opened = new ArrayList<>();
    List<Frame> roots = new ArrayList<>();
    int[] lanes = new int[ranks];
    for (GroupPlan plan : plans) {
      List<Frame.Part> all = new ArrayList<>();
      roots.add(Frame.open(plan, all));
      opened.add(all);
      int[] streams = new int[ranks];
      all.forEach(each -> streams[each.plan.rank()] += each.plan.streamCount());
      Arrays.setAll(lanes, rank -> Math.max(lanes[rank], streams[rank]));
    }
    int[] firstLane = new int[ranks + 1];
    for (int rank = 0; rank < ranks; rank++) {
      firstLane[rank + 1] = firstLane[rank] + lanes[rank];
    }
    Join join = new Join(ranks, firstLane, given);
    for (int part = 0; part < plans.size(); part++) {
      join.walk(part, roots.get(part), opened.get(part));
    }
    return new Result(join.orders, join.waitsForOwnMemory);
  }

  private void walk(int number, Frame root, List<Frame.Part> all) {
    part = number;
    clocks.clear();
    rankOf.clear();
    laneOf.clear();
    isOutermost.clear();
    found.clear();
    Arrays.fill(opened, 0);
    Unroller.walk(root, all, this);
    int[][] end = new int[ranks][];
    for (int each = 0; each < clocks.size(); each++) {
      if (isOutermost.get(each)) {
        int rank = rankOf.get(each);
        end[rank] = end[rank] == null ? clocks.get(each).clone() : merged(end[rank], each);
      }
    }
    ends.add(end);
    addNeeded();
  }

  private int[] merged(int[] into, int from) {
    merge(into, clocks.get(from));
    return into;
  }

  private static void merge(int[] into, int[] from) {
    for (int lane = 0; lane < into.length; lane++) {
      into[lane] = Math.max(into[lane], from[lane]);
    }
  }

  /** Keeps the waits that no other wait of the same rank implies. */
  private void addNeeded() {
    List<PartOrder> needed = new ArrayList<>(found);
    for (PartOrder order : found) {
      for (PartOrder other : needed) {
        if (other.laterRank() == order.laterRank()
            && !other.equals(order)
            && isPast(ends.get(other.part())[other.rank()], order)) {
          needed.remove(order);
          break;
        }
      }
    }
    needed.sort(Comparator.comparingInt(PartOrder::laterRank).thenComparingInt(PartOrder::rank));
    orders.addAll(needed);
  }

  /** Whether a clock knows all that a rank knew at the end of a part. */
  private boolean isPast(int[] clock, PartOrder order) {
    int[] end = ends.get(order.part())[order.rank()];
    for (int lane = 0; lane < end.length; lane++) {
      if (clock[lane] < end[lane]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int openStream(int rank, int parentStream) {
    clocks.add(parentStream >= 0 ? clocks.get(parentStream).clone() : beginning(rank));
    rankOf.add(rank);
    laneOf.add(firstLane[rank] + opened[rank]++);
    isOutermost.add(parentStream < 0);
    return clocks.size() - 1;
  }

  /** What a rank knows when it begins the part. */
  private int[] beginning(int rank) {
    if (part == 0) {
      return new int[done.length];
    }
    int[] clock = ends.get(part - 1)[rank].clone();
    for (PartOrder order : given) {
      if (order.laterRank() == rank && order.laterPart() == part) {
        merge(clock, ends.get(order.part())[order.rank()]);
      }
    }
    return clock;
  }

  @Override
  public void closeStream(int closed, int parentStream) {
    merge(clocks.get(parentStream), clocks.get(closed));
  }

  @Override
  public int post(int posting, Frame.Part from, int action) {
    int[] clock = clocks.get(posting);
    if (freeEvents.isEmpty()) {
      events.add(clock.clone());
      return events.size() - 1;
    }
    int event = freeEvents.removeLast();
    System.arraycopy(clock, 0, events.get(event), 0, clock.length);
    return event;
  }

  @Override
  public void await(int awaiting, Frame.Part from, int action, int event) {
    merge(clocks.get(awaiting), events.get(event));
    freeEvents.add(event);
  }

  @Override
  public void data(int ofStream, Frame.Part from, int action) {
    stream = ofStream;
    RankPlan plan = from.plan;
    int lane = laneOf.get(stream);
    int count = ++done[lane];
    clocks.get(stream)[lane] = count;
    long bytes = plan.bytes(action);
    var read = new AccessHistory.Access(lane, count, plan.rank(), part, false);
    for (int i = 0; i < plan.sourceCount(action); i++) {
      add(plan.srcRank(action, i), plan.srcType(action, i), plan.srcOffset(action, i), bytes, read);
    }
    var write = new AccessHistory.Access(lane, count, plan.rank(), part, true);
    add(plan.dstRank(action), plan.dstType(action), plan.dstOffset(action), bytes, write);
  }

  private void add(
      int owner, TransportMemType type, long from, long bytes, AccessHistory.Access access) {
    isOwnMemory = Composition.isPrivate(type);
    long memory = (long) owner * TransportMemType.values().length + type.ordinal();
    histories
        .computeIfAbsent(memory, m -> new AccessHistory())
        .add(from, from + bytes, access, this);
  }

  @Override
  public boolean isKnown(int lane, int count) {
    return clocks.get(stream)[lane] >= count;
  }

  @Override
  public void isMissing(int rank, int earlierPart) {
    int waiting = rankOf.get(stream);
    found.add(new PartOrder(rank, earlierPart, waiting, part));
    if (isOwnMemory) {
      waitsForOwnMemory.set(part);
    }
    for (int other = 0; other < clocks.size(); other++) {
      if (rankOf.get(other) == waiting) {
        merge(clocks.get(other), ends.get(earlierPart)[rank]);
      }
    }
  }
}
