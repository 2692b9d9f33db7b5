package dev.tutti.simulator.flow;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The data actions that have one source and whose operands cover one segment each, as pairs of
 * segments. Most data actions are like this. Immutable once built, and safe for several threads.
 */
public final class Moves {

  /*
   * A walk changes to another rank after every few actions, and reads half a dozen arrays of each
   * rank's plan. With thousands of ranks, each read misses the caches and the TLB. The reader here
   * goes through the plans rank by rank, so the next entry of each array is in the cache. A walk
   * then finds all its data in one array.
   */

  /** The code of an action that is not a pair of segments. */
  public static final long NONE = 0;

  private static final int SEGMENT_BITS = 31;
  private static final long SEGMENT_MASK = (1L << SEGMENT_BITS) - 1;
  private static final long REDUCES = 1L << 62;
  private static final long CROSSES = 1L << 63;

  /** For each stream its actions that move data, in order; null if none is a pair of segments. */
  private final long[] @Nullable [] codes;

  private Moves(long[] @Nullable [] codes) {
    this.codes = codes;
  }

  /**
   * The moves of a plan.
   *
   * @param segments the segments of at least the memories that the plan writes
   * @param workers the number of threads, the calling one included
   */
  public static Moves of(FlatPlan plan, Segments segments, int workers) {
    long[] @Nullable [] codes = new long[plan.streams().size()] @Nullable [];
    RankRanges.map(
        plan.plan().rankSize(),
        workers,
        (from, to) -> {
          Reader reader = new Reader(plan, segments);
          for (int rank = from; rank < to; rank++) {
            reader.read(rank, codes);
          }
          return to;
        });
    return new Moves(codes);
  }

  /** Reads the moves of one rank after another. */
  private static final class Reader implements FlatPlan.AccessVisitor {
    private static final int FIRST_SIZE = 16;

    private final FlatPlan plan;
    private final Segments segments;
    private int first;

    /** For each stream of the current rank: its moves, their number, and whether one is a pair. */
    private long[][] found = {};

    private int[] count = {};
    private boolean[] isUseful = {};

    /** The number of sources of the current action; the segment of the last one, or -1. */
    private int sources;

    private int source;
    private int sourceRank;

    Reader(FlatPlan plan, Segments segments) {
      this.plan = plan;
      this.segments = segments;
    }

    /** Stores the moves of a rank's streams. */
    void read(int rank, long[] @Nullable [] codes) {
      first = plan.mainStream(rank);
      int streams = plan.endOfRank(rank) - first;
      if (streams > found.length) {
        found = new long[streams][FIRST_SIZE];
        count = new int[streams];
        isUseful = new boolean[streams];
      }
      Arrays.fill(count, 0);
      Arrays.fill(isUseful, false);
      plan.forEachAccess(rank, this);
      for (int stream = 0; stream < streams; stream++) {
        codes[first + stream] =
            isUseful[stream] ? Arrays.copyOf(found[stream], count[stream]) : null;
      }
    }

    @Override
    public void access(
        int stream, int event, int memory, long offset, long bytes, boolean isWrite) {
      int segment = segments.has(memory) ? segments.single(memory, offset, bytes) : -1;
      if (!isWrite) {
        sources++;
        source = segment;
        sourceRank = FlatPlan.memoryRank(memory);
        return;
      }
      boolean isPair = sources == 1 && source >= 0 && segment >= 0;
      sources = 0;
      add(stream - first, isPair ? code(stream, event, segment, memory) : NONE);
    }

    private long code(int stream, int event, int segment, int memory) {
      FlatStream own = plan.streams().get(stream);
      RankPlan code = own.plan(event);
      ActionKind kind = code.kind(own.action(event));
      return (kind == ActionKind.REDUCE ? REDUCES : 0)
          | (sourceRank != FlatPlan.memoryRank(memory) ? CROSSES : 0)
          | (long) segment << SEGMENT_BITS
          | source;
    }

    private void add(int stream, long code) {
      if (count[stream] == found[stream].length) {
        found[stream] = Arrays.copyOf(found[stream], 2 * count[stream]);
      }
      found[stream][count[stream]++] = code;
      isUseful[stream] |= code != NONE;
    }
  }

  /** Iterates over the moves of each stream. Not thread-safe. */
  public final class Cursor {
    private final int[] next = new int[codes.length];

    private Cursor() {}

    /** The next action of a stream that moves data, or NONE. */
    public long next(int stream) {
      long[] own = codes[stream];
      return own == null ? NONE : own[next[stream]++];
    }
  }

  /** Starts at the first action of every stream. */
  public Cursor cursor() {
    return new Cursor();
  }

  /** Whether a move reduces into its destination. */
  public static boolean reduces(long move) {
    return (move & REDUCES) != 0;
  }

  /** Whether a move goes from one rank to another. */
  public static boolean crosses(long move) {
    return (move & CROSSES) != 0;
  }

  /** The segment that is written. */
  public static int destination(long move) {
    return (int) (move >>> SEGMENT_BITS & SEGMENT_MASK);
  }

  /** The segment that is read. */
  public static int source(long move) {
    return (int) (move & SEGMENT_MASK);
  }
}
