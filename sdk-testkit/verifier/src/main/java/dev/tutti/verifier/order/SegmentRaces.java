package dev.tutti.verifier.order;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import java.util.Arrays;
import java.util.BitSet;

/** All accesses to some segments, in the order of a walk, to compare them with one another. */
final class SegmentRaces implements Walk.Visitor {

  /** Decides the order of two conflicting accesses. */
  interface Judge {
    /**
     * Whether access 1 happens before access 2.
     *
     * @param isWrite1 whether access 1 writes
     * @param isWrite2 whether access 2 writes
     */
    boolean isBefore(
        int stream1,
        int event1,
        boolean isWrite1,
        int stream2,
        int event2,
        boolean isWrite2,
        int segment);
  }

  /*
   * An access is dropped as soon as a later access covers it: the later one happens after it and
   * conflicts with everything that it conflicts with. An access that races with the dropped one
   * also races with the later one. So each access that races with an earlier access is still
   * compared with at least one access that it races with.
   */
  private static final int NODE = 3;
  private static final int NIL = -1;

  private final FlatPlan plan;
  private final Segments segments;
  private final boolean atomicReductions;

  /**
   * The segments of interest, ascending. {@link #head} and {@link #tail} are the ends of each one's
   * list of accesses.
   */
  private final int[] wanted;

  private final int[] head;
  private final int[] tail;

  /** The nodes of the lists: (stream and kind, event, next). */
  private int[] pool = new int[NODE << 6];

  private int poolEnd;

  SegmentRaces(FlatPlan plan, Segments segments, BitSet wanted, boolean atomicReductions) {
    this.plan = plan;
    this.segments = segments;
    this.atomicReductions = atomicReductions;
    this.wanted = wanted.stream().toArray();
    this.head = new int[this.wanted.length];
    this.tail = new int[this.wanted.length];
    Arrays.fill(head, NIL);
    new Walk(plan, this).run();
  }

  @Override
  public void data(int stream, int event) {
    FlatStream code = plan.streams().get(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    for (int i = 0; i < own.sourceCount(action); i++) {
      int memory = plan.memory(own.srcRank(action, i), own.srcType(action, i));
      add(memory, own.srcOffset(action, i), own.bytes(action), Layers.READ, stream, event);
    }
    int memory = plan.memory(own.dstRank(action), own.dstType(action));
    boolean isAtomic = atomicReductions && own.kind(action) == ActionKind.REDUCE;
    int kind = isAtomic ? Layers.UPDATE : Layers.WRITE;
    add(memory, own.dstOffset(action), own.bytes(action), kind, stream, event);
  }

  private void add(int memory, long offset, long bytes, int kind, int stream, int event) {
    if (bytes == 0 || !segments.has(memory)) {
      return;
    }
    int to = segments.at(memory, offset + bytes);
    int found = Arrays.binarySearch(wanted, segments.at(memory, offset));
    for (int i = found < 0 ? -1 - found : found; i < wanted.length && wanted[i] < to; i++) {
      if (poolEnd == pool.length) {
        pool = Arrays.copyOf(pool, Math.multiplyExact(poolEnd, 2));
      }
      pool[poolEnd] = (stream << 2) | kind;
      pool[poolEnd + 1] = event;
      pool[poolEnd + 2] = NIL;
      if (head[i] == NIL) {
        head[i] = poolEnd;
      } else {
        pool[tail[i] + 2] = poolEnd;
      }
      tail[i] = poolEnd;
      poolEnd += NODE;
    }
  }

  /** Asks about the conflicting accesses of each segment. */
  void judge(Judge judge) {
    for (int i = 0; i < wanted.length; i++) {
      judge(wanted[i], head[i], judge);
    }
  }

  private void judge(int segment, int first, Judge judge) {
    int[] kept = new int[8];
    int size = 0;
    for (int later = first; later != NIL; later = pool[later + 2]) {
      int remaining = 0;
      for (int i = 0; i < size; i++) {
        if (!isCovered(kept[i], later, segment, judge)) {
          kept[remaining++] = kept[i];
        }
      }
      if (remaining == kept.length) {
        kept = Arrays.copyOf(kept, remaining * 2);
      }
      kept[remaining] = later;
      size = remaining + 1;
    }
  }

  /** Asks about two accesses if they conflict. True if the later one covers the earlier one. */
  private boolean isCovered(int earlier, int later, int segment, Judge judge) {
    int stream1 = pool[earlier] >>> 2;
    int stream2 = pool[later] >>> 2;
    int kind1 = pool[earlier] & 3;
    int kind2 = pool[later] & 3;
    boolean isSameStream = stream1 == stream2;
    if (agree(earlier, later)) {
      return isSameStream;
    }
    boolean isBefore =
        isSameStream
            || judge.isBefore(
                stream1,
                pool[earlier + 1],
                kind1 != Layers.READ,
                stream2,
                pool[later + 1],
                kind2 != Layers.READ,
                segment);
    return isBefore && kind2 == Layers.WRITE;
  }

  private boolean agree(int earlier, int later) {
    int kind = pool[earlier] & 3;
    return kind == (pool[later] & 3)
        && (kind == Layers.READ
            || (kind == Layers.UPDATE
                && SameReduction.test(
                    plan.streams().get(pool[earlier] >>> 2),
                    pool[earlier + 1],
                    plan.streams().get(pool[later] >>> 2),
                    pool[later + 1])));
  }
}
