package dev.tutti.host.group;

import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.buffers.Reach;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a group provides to plans: staging buffers, scratch and AIV memory of each rank.
 * A group runs one plan at a time, so all plans share this memory; it grows when a plan needs more.
 * Older requests keep the memory they were bound to, so nothing is freed before the group is
 * closed.
 *
 * <p>Guarded by the lock of its group.
 */
final class PlanMemory implements AutoCloseable {

  private static final TransportMemType[] TYPES = TransportMemType.values();
  private static final long LINE = 128;

  /** The column of the memory in which a rank packs data with gaps. */
  static final int PACKED = TYPES.length;

  /** The column of the memory for data that other processes have sent to a rank. */
  private static final int RECEIVED = PACKED + 1;

  private final Reach reach;
  private final IntPredicate isLocal;
  private final List<NativeMemory> blocks = new ArrayList<>();
  private final @Nullable MemorySegment[][] segments;

  /**
   * Starts without memory.
   *
   * @param reach the allocator of the memory
   * @param isLocal whether a rank is in this process; the other processes allocate memory of their
   *     ranks and announce it
   */
  PlanMemory(int ranks, Reach reach, IntPredicate isLocal) {
    this.reach = reach;
    this.isLocal = isLocal;
    this.segments = new MemorySegment[ranks][RECEIVED + 1];
  }

  /**
   * The memory for a plan, one row per rank and one column per kind; null if the plan does not
   * touch the kind, and for the caller's input and output.
   *
   * @throws dev.tutti.sdk.TuttiException with code OUT_OF_MEMORY
   */
  @Nullable MemorySegment[][] provide(MemoryUse use) {
    grow(use);
    @Nullable MemorySegment[][] memory = new MemorySegment[use.rankSize()][TYPES.length];
    for (int i = 0; i < use.providedCount(); i++) {
      int rank = use.providedRank(i);
      int type = use.providedType(i).ordinal();
      memory[rank][type] = segments[rank][type];
    }
    return memory;
  }

  /** The memory in which a rank of this process packs data with gaps. */
  MemorySegment providePacked(int rank, long bytes) {
    return provide(rank, PACKED, bytes);
  }

  /** The memory that holds data for a rank of this process from its receipt until its use. */
  MemorySegment provideReceived(int rank, long bytes) {
    return provide(rank, RECEIVED, bytes);
  }

  private MemorySegment provide(int rank, int column, long bytes) {
    MemorySegment present = segments[rank][column];
    if (present == null || present.byteSize() < bytes) {
      NativeMemory block = reach.allocate(Math.max(bytes, 1));
      blocks.add(block);
      present = block.segment();
      segments[rank][column] = present;
    }
    return present;
  }

  /**
   * The present memory of a rank by column; null where there is none.
   *
   * @param rank a rank of this process
   */
  @Nullable MemorySegment[] present(int rank) {
    return segments[rank].clone();
  }

  /** Sets the memory that a rank of another process has announced. */
  void tell(int rank, @Nullable MemorySegment[] present) {
    segments[rank] = present.clone();
  }

  /** The memory in which a rank packs data with gaps; empty if it never did. */
  MemorySegment packed(int rank) {
    MemorySegment present = segments[rank][PACKED];
    return present == null ? MemorySegment.NULL : present;
  }

  /** Allocates the missing memory of a plan as one block. */
  private void grow(MemoryUse use) {
    long total = 0;
    long touched = 0;
    for (int i = 0; i < use.providedCount(); i++) {
      if (isMissing(use, i)) {
        total += room(use.size(use.providedRank(i), use.providedType(i)));
        touched += use.end(use.providedRank(i), use.providedType(i));
      }
    }
    if (total == 0) {
      return;
    }
    NativeMemory block = reach.reserve(total, touched * 2 >= total ? total : 0);
    blocks.add(block);
    long at = 0;
    for (int i = 0; i < use.providedCount(); i++) {
      if (isMissing(use, i)) {
        int rank = use.providedRank(i);
        TransportMemType type = use.providedType(i);
        long size = use.size(rank, type);
        segments[rank][type.ordinal()] = block.segment().asSlice(at, size);
        block.touch(at, use.end(rank, type));
        at += room(size);
      }
    }
  }

  private boolean isMissing(MemoryUse use, int number) {
    int rank = use.providedRank(number);
    TransportMemType type = use.providedType(number);
    if (!isLocal.test(rank)) {
      return false;
    }
    MemorySegment present = segments[rank][type.ordinal()];
    return present == null || present.byteSize() < use.size(rank, type);
  }

  /** Large pieces start at a huge page, medium ones at a page, small ones at two cache lines. */
  private static long room(long size) {
    long unit =
        size >= NativeMemory.HUGE_PAGE
            ? NativeMemory.HUGE_PAGE
            : size >= NativeMemory.PAGE ? NativeMemory.PAGE : LINE;
    return (size + unit - 1) / unit * unit;
  }

  @Override
  public void close() {
    blocks.forEach(reach::free);
    blocks.clear();
  }
}
