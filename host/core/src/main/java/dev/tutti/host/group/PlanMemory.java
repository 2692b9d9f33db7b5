package dev.tutti.host.group;

import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
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

  private final List<NativeMemory> blocks = new ArrayList<>();
  private final @Nullable MemorySegment[][] segments;

  /** Stands where a plan has memory that it does not touch; shared by all ranks. */
  private @Nullable NativeMemory untouched;

  PlanMemory(int ranks) {
    this.segments = new MemorySegment[ranks][TYPES.length];
  }

  private static boolean isProvided(TransportMemType type) {
    return switch (type) {
      case CCL_INPUT, CCL_OUTPUT, SCRATCH, AIV_INPUT, AIV_OUTPUT -> true;
      case PARAM_INPUT, PARAM_OUTPUT -> false;
    };
  }

  /**
   * The memories for a plan, one row per rank and one column per kind; null where the plan has
   * none, and for the caller's input and output.
   *
   * @throws dev.tutti.sdk.TuttiException with code OUT_OF_MEMORY
   */
  @Nullable MemorySegment[][] provide(GroupPlan plan, MemoryUse use) {
    grow(plan, use);
    @Nullable MemorySegment[][] memory = new MemorySegment[plan.rankSize()][TYPES.length];
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TYPES) {
        long size = plan.rank(rank).memSize(type);
        if (size > 0 && isProvided(type)) {
          memory[rank][type.ordinal()] =
              use.end(rank, type) > 0 ? segments[rank][type.ordinal()] : untouched(size);
        }
      }
    }
    return memory;
  }

  /** Allocates what is missing for a plan as one block. */
  private void grow(GroupPlan plan, MemoryUse use) {
    long total = 0;
    long touched = 0;
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TYPES) {
        if (isMissing(plan, use, rank, type)) {
          total += room(plan.rank(rank).memSize(type));
          touched += use.end(rank, type);
        }
      }
    }
    if (total == 0) {
      return;
    }
    NativeMemory block = NativeMemory.reserve(total, touched * 2 >= total ? total : 0);
    blocks.add(block);
    long at = 0;
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TYPES) {
        if (isMissing(plan, use, rank, type)) {
          long size = plan.rank(rank).memSize(type);
          segments[rank][type.ordinal()] = block.segment().asSlice(at, size);
          block.touch(at, use.end(rank, type));
          at += room(size);
        }
      }
    }
  }

  private boolean isMissing(GroupPlan plan, MemoryUse use, int rank, TransportMemType type) {
    if (!isProvided(type) || use.end(rank, type) == 0) {
      return false;
    }
    MemorySegment present = segments[rank][type.ordinal()];
    return present == null || present.byteSize() < plan.rank(rank).memSize(type);
  }

  /** Large pieces start on a huge page, middle ones on a page, small ones on a cache line pair. */
  private static long room(long size) {
    long unit =
        size >= NativeMemory.HUGE_PAGE
            ? NativeMemory.HUGE_PAGE
            : size >= NativeMemory.PAGE ? NativeMemory.PAGE : LINE;
    return (size + unit - 1) / unit * unit;
  }

  private MemorySegment untouched(long size) {
    if (untouched == null || untouched.segment().byteSize() < size) {
      untouched = NativeMemory.reserve(size, 0);
      blocks.add(untouched);
    }
    return untouched.segment().asSlice(0, size);
  }

  @Override
  public void close() {
    blocks.forEach(NativeMemory::close);
    blocks.clear();
  }
}
