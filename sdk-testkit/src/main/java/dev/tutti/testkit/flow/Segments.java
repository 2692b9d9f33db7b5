package dev.tutti.testkit.flow;

import dev.tutti.sdk.plan.RankPlan;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Memories cut at every offset where an access of a plan begins or ends: each access covers whole
 * segments. Segments are numbered from 0, memory by memory in the order of their offsets. Immutable
 * once built, and safe for several threads.
 */
public final class Segments {

  /*
   * Accesses come back to the same few boundaries, so a hash set per memory takes them in, and is
   * sorted once: 8 bytes a segment remain, and at most 24 are needed on the way. Most plans cut
   * evenly, so a look-up first guesses the place from the offset, and searches only if the guess
   * and its neighbours are wrong.
   */
  private final long[] @Nullable [] bounds;

  /** For each memory the number of boundaries per byte. */
  private final double[] density;

  /** For each memory the number of its first segment, and one entry more. */
  private final int[] base;

  private Segments(long[] @Nullable [] bounds) {
    this.bounds = bounds;
    this.base = new int[bounds.length + 1];
    this.density = new double[bounds.length];
    for (int memory = 0; memory < bounds.length; memory++) {
      long[] own = bounds[memory];
      int count = own == null ? 0 : own.length - 1;
      base[memory + 1] = Math.addExact(base[memory], count);
      if (own != null) {
        density[memory] = (double) count / (own[count] - own[0]);
      }
    }
  }

  /**
   * Cuts some memories of a plan.
   *
   * @param wanted the numbers of the memories that are of interest
   */
  public static Segments of(FlatPlan plan, IntPredicate wanted) {
    return of(List.of(plan), wanted);
  }

  /**
   * Cuts some memories where an access of any of several plans begins or ends.
   *
   * @param plans plans of the same ranks
   * @param wanted the numbers of the memories that are of interest
   */
  public static Segments of(List<FlatPlan> plans, IntPredicate wanted) {
    @Nullable Bounds[] found = new @Nullable Bounds[plans.getFirst().memoryCount()];
    for (int memory = 0; memory < found.length; memory++) {
      found[memory] = wanted.test(memory) ? new Bounds() : null;
    }
    for (FlatPlan plan : plans) {
      for (FlatStream stream : plan.streams()) {
        add(plan, stream, found);
      }
    }
    long[] @Nullable [] bounds = new long[found.length] @Nullable [];
    for (int memory = 0; memory < found.length; memory++) {
      Bounds set = found[memory];
      if (set != null && !set.isEmpty()) {
        bounds[memory] = set.sorted();
      }
      found[memory] = null;
    }
    return new Segments(bounds);
  }

  private static void add(FlatPlan plan, FlatStream stream, @Nullable Bounds[] found) {
    int size = stream.size();
    for (int event = 0; event < size; event++) {
      int action = stream.action(event);
      if (action != FlatStream.NO_ACTION) {
        RankPlan code = stream.plan(event);
        if (code.kind(action).isData()) {
          add(plan, code, action, found);
        }
      }
    }
  }

  private static void add(FlatPlan plan, RankPlan code, int action, @Nullable Bounds[] found) {
    long bytes = code.bytes(action);
    if (bytes == 0) {
      return;
    }
    int memory = plan.memory(code.dstRank(action), code.dstType(action));
    add(found[memory], code.dstOffset(action), bytes);
    int sources = code.sourceCount(action);
    for (int i = 0; i < sources; i++) {
      memory = plan.memory(code.srcRank(action, i), code.srcType(action, i));
      add(found[memory], code.srcOffset(action, i), bytes);
    }
  }

  private static void add(@Nullable Bounds set, long offset, long bytes) {
    if (set != null) {
      set.add(offset);
      set.add(offset + bytes);
    }
  }

  /** The number of segments. */
  public int count() {
    return base[base.length - 1];
  }

  /** Whether a memory is cut, that is wanted and touched. */
  public boolean has(int memory) {
    return bounds[memory] != null;
  }

  /**
   * The segment that starts at an offset.
   *
   * @param memory one that {@link #has} segments
   * @param offset the begin of an access, or the end: then the segment after the last one of it
   */
  public int at(int memory, long offset) {
    long[] own = bounds[memory];
    if (own == null) {
      throw new IllegalArgumentException("memory " + memory + " is not cut");
    }
    int last = own.length - 1;
    int guess = Math.clamp((long) ((offset - own[0]) * density[memory]), 0, last);
    if (own[guess] != offset) {
      guess += own[guess] < offset ? 1 : -1;
      if (guess < 0 || guess > last || own[guess] != offset) {
        guess = Arrays.binarySearch(own, offset);
      }
    }
    if (guess < 0) {
      throw new IllegalArgumentException(
          "no access of memory " + memory + " begins or ends at " + offset);
    }
    return base[memory] + guess;
  }

  /** The first segment of a memory, and of the memory after the last the number of segments. */
  public int first(int memory) {
    return base[memory];
  }

  /** The memory of a segment. */
  public int memory(int segment) {
    int index = Arrays.binarySearch(base, segment);
    if (index < 0) {
      return -index - 2;
    }
    while (base[index + 1] == segment) {
      index++;
    }
    return index;
  }

  /** Where a segment begins in its memory, in bytes. */
  public long start(int segment) {
    return bound(segment, 0);
  }

  /** Where a segment ends in its memory, in bytes. */
  public long end(int segment) {
    return bound(segment, 1);
  }

  private long bound(int segment, int shift) {
    int memory = memory(segment);
    long[] own = bounds[memory];
    if (own == null) {
      throw new IllegalArgumentException("there is no segment " + segment);
    }
    return own[segment - base[memory] + shift];
  }
}
