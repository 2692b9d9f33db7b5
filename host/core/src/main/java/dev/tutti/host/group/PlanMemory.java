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
 * The memories that a group provides to plans: staging buffers, scratch and AIV memory of each
 * rank. As a group runs one plan at a time, all plans share them; they grow when a plan needs more.
 * Older requests keep what they were bound to, so nothing is freed before the group is closed.
 *
 * <p>Confined by the lock of its group.
 */
final class PlanMemory implements AutoCloseable {

  private static final TransportMemType[] TYPES = TransportMemType.values();
  private static final long LINE = 128;

  /** The column of the memory where a rank packs data with gaps. */
  static final int PACKED = TYPES.length;

  /** The column of the memory where a rank has what others have sent. */
  private static final int RECEIVED = PACKED + 1;

  private final Reach reach;
  private final IntPredicate isLocal;
  private final List<NativeMemory> blocks = new ArrayList<>();
  private final @Nullable MemorySegment[][] segments;

  /**
   * No memory yet.
   *
   * @param reach where it comes from
   * @param isLocal whether a rank is in this process; the others have memory of their own, which
   *     they tell
   */
  PlanMemory(int ranks, Reach reach, IntPredicate isLocal) {
    this.reach = reach;
    this.isLocal = isLocal;
    this.segments = new MemorySegment[ranks][RECEIVED + 1];
  }

  /**
   * The memories for a plan, one row per rank and one column per kind; null where the plan touches
   * none, and for the caller's input and output.
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

  /** Memory where a rank of this process packs data with gaps. */
  MemorySegment providePacked(int rank, long bytes) {
    return provide(rank, PACKED, bytes);
  }

  /** Memory where a rank of this process has what others have sent until it is used. */
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
   * The memories of a rank that there are; by column, null where there is none.
   *
   * @param rank of this process
   */
  @Nullable MemorySegment[] present(int rank) {
    return segments[rank].clone();
  }

  /** Takes memories that a rank of another process has told. */
  void tell(int rank, @Nullable MemorySegment[] present) {
    segments[rank] = present.clone();
  }

  /** Where a rank packs data with gaps; of no bytes if it never did. */
  MemorySegment packed(int rank) {
    MemorySegment present = segments[rank][PACKED];
    return present == null ? MemorySegment.NULL : present;
  }

  /** Allocates what is missing for a plan as one block. */
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

  /** Large pieces start on a huge page, middle ones on a page, small ones on a cache line pair. */
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
