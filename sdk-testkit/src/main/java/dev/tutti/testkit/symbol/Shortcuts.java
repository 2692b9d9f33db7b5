package dev.tutti.testkit.symbol;

import dev.tutti.sdk.plan.ActionKind;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;
import dev.tutti.testkit.flow.Segments;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The actions that have one source and touch one segment with each operand, which are most, as
 * pairs of segments. For one walk.
 */
final class Shortcuts {

  /*
   * A walk hops from rank to rank after every few actions, and of each rank's plan it touches half a
   * dozen arrays. With thousands of ranks each touch misses the caches and the page tables. Here plans
   * are read stream by stream, where the next entry of each array is at hand, and the walk finds all
   * that it needs in one array.
   */

  /** An action that is none of these. */
  static final long NONE = -1;

  private static final int SEGMENT_BITS = 31;
  private static final long SEGMENT_MASK = (1L << SEGMENT_BITS) - 1;
  private static final long REDUCES = 1L << 62;

  private final FlatPlan plan;
  private final Segments segments;
  private final Goal goal;

  /** For each stream its actions that move data; null if none is a pair of segments. */
  private final long[] @Nullable [] codes;

  /** For each stream the number of actions that the walk has come to. */
  private final int[] next;

  Shortcuts(FlatPlan plan, Segments segments, Goal goal) {
    this.plan = plan;
    this.segments = segments;
    this.goal = goal;
    List<FlatStream> streams = plan.streams();
    this.codes = new long[streams.size()][];
    this.next = new int[streams.size()];
    for (int stream = 0; stream < codes.length; stream++) {
      codes[stream] = read(streams.get(stream));
    }
  }

  private long @Nullable [] read(FlatStream stream) {
    long[] found = new long[16];
    int count = 0;
    boolean isUseful = false;
    int size = stream.size();
    for (int event = 0; event < size; event++) {
      int action = stream.action(event);
      if (action == FlatStream.NO_ACTION || !stream.plan(event).kind(action).isData()) {
        continue;
      }
      if (count == found.length) {
        found = Arrays.copyOf(found, count * 2);
      }
      found[count] = code(stream.plan(event), action);
      isUseful |= found[count++] != NONE;
    }
    return isUseful ? Arrays.copyOf(found, count) : null;
  }

  private long code(RankPlan own, int action) {
    long bytes = own.bytes(action);
    if (bytes == 0 || own.kind(action) == ActionKind.REDUCE_FROM) {
      return NONE;
    }
    boolean reduces = own.kind(action) == ActionKind.REDUCE;
    if (reduces && (own.dataType(action) != goal.type || own.reduceOp(action) != goal.op)) {
      return NONE;
    }
    int dst = plan.memory(own.dstRank(action), own.dstType(action));
    int src = plan.memory(own.srcRank(action, 0), own.srcType(action, 0));
    if (!segments.has(src)) {
      return NONE;
    }
    long to = single(dst, own.dstOffset(action), bytes);
    long from = single(src, own.srcOffset(action, 0), bytes);
    return to < 0 || from < 0 ? NONE : (reduces ? REDUCES : 0) | (to << SEGMENT_BITS) | from;
  }

  private int single(int memory, long from, long bytes) {
    int segment = segments.at(memory, from);
    return segments.at(memory, from + bytes) == segment + 1 ? segment : -1;
  }

  /** The code of the next action of a stream that moves data, or NONE. */
  long next(int stream) {
    long[] own = codes[stream];
    return own == null ? NONE : own[next[stream]++];
  }

  static boolean reduces(long code) {
    return (code & REDUCES) != 0;
  }

  /** The segment that is written. */
  static int destination(long code) {
    return (int) ((code >>> SEGMENT_BITS) & SEGMENT_MASK);
  }

  /** The segment that is read. */
  static int source(long code) {
    return (int) (code & SEGMENT_MASK);
  }
}
