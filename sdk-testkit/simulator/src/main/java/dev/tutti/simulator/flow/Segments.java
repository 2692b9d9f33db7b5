package dev.tutti.simulator.flow;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Memories cut at every offset where an access of a plan begins or ends, so that each access covers
 * whole segments. Segments are numbered from 0, memory by memory in the order of their offsets.
 * Immutable once built, and safe for several threads.
 */
public final class Segments {

  /*
   * A set for each memory collects the boundaries and is sorted once. It keeps 8 bytes per segment,
   * and needs at most 24 while it collects. Most plans cut evenly, so a lookup first guesses the
   * place from the offset. It searches only if the guess and its neighbours are wrong.
   */
  private static final long[] NONE = {};

  private final long[] @Nullable [] bounds;

  /** For each memory the number of boundaries per byte. */
  private final double[] density;

  /** For each memory, the number of its first segment; the last entry is the number of segments. */
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
    return of(plans, wanted, 1);
  }

  /**
   * Cuts the memories that a plan writes.
   *
   * @param workers the number of threads, the calling one included
   */
  public static Segments ofWritten(FlatPlan plan, int workers) {
    return of(List.of(plan), plan::isWritten, workers);
  }

  private static Segments of(List<FlatPlan> plans, IntPredicate wanted, int workers) {
    @Nullable Bounds[] found = new @Nullable Bounds[plans.getFirst().memoryCount()];
    for (int memory = 0; memory < found.length; memory++) {
      found[memory] = wanted.test(memory) ? new Bounds(extent(plans, memory)) : null;
    }
    for (FlatPlan plan : plans) {
      RankRanges.map(
          plan.plan().rankSize(),
          workers,
          (from, to) -> {
            for (int rank = from; rank < to; rank++) {
              add(plan, rank, found);
            }
            return to;
          });
    }
    long[] @Nullable [] bounds = new long[found.length] @Nullable [];
    for (int memory = 0; memory < found.length; memory++) {
      Bounds set = found[memory];
      long[] sorted = set == null ? NONE : set.sorted();
      bounds[memory] = sorted.length == 0 ? null : sorted;
      found[memory] = null;
    }
    return new Segments(bounds);
  }

  private static long extent(List<FlatPlan> plans, int memory) {
    long extent = 0;
    for (FlatPlan plan : plans) {
      extent = Math.max(extent, plan.extent(memory));
    }
    return extent;
  }

  private static void add(FlatPlan plan, int rank, @Nullable Bounds[] found) {
    plan.forEachAccess(
        rank,
        (stream, event, memory, offset, bytes, isWrite) -> {
          Bounds set = found[memory];
          if (set != null) {
            set.add(offset);
            set.add(offset + bytes);
          }
        });
  }

  /** The number of segments. */
  public int count() {
    return base[base.length - 1];
  }

  /** Whether a memory is cut, that is, wanted and accessed. */
  public boolean has(int memory) {
    return bounds[memory] != null;
  }

  /**
   * The segment that starts at an offset.
   *
   * @param memory one that {@link #has} segments
   * @param offset the start of an access, or its end; the end gives the segment after the access
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

  /** The segment that an access covers, or -1 if it covers several. */
  public int single(int memory, long offset, long bytes) {
    int segment = at(memory, offset);
    return at(memory, offset + bytes) == segment + 1 ? segment : -1;
  }

  /**
   * The first segment of a memory; for the number after the last memory, the number of segments.
   */
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
