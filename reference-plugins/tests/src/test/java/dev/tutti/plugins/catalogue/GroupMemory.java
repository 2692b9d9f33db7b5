package dev.tutti.plugins.catalogue;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The memory of all ranks that a plan needs, with the same content for the same seed. */
final class GroupMemory {

  private final @Nullable MemorySegment[][] segments;

  private final boolean inPlace;

  /** New memory. */
  GroupMemory(GroupPlan plan, Arena arena, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    inPlace = plan.inPlace();
    segments = new MemorySegment[plan.rankSize()][TransportMemType.values().length];
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      for (TransportMemType type : TransportMemType.values()) {
        MemorySegment segment = arena.allocate(plan.rank(rank).memSize(type), 64);
        for (long at = 0; at + Float.BYTES <= segment.byteSize(); at += Float.BYTES) {
          segment.set(ValueLayout.JAVA_FLOAT, at, (float) random.nextDouble(-2, 2));
        }
        segments[rank][type.ordinal()] = segment;
      }
      shareInPlace(rank);
    }
  }

  private GroupMemory(GroupMemory from, Arena arena) {
    inPlace = from.inPlace;
    segments = new MemorySegment[from.segments.length][TransportMemType.values().length];
    for (int rank = 0; rank < segments.length; rank++) {
      for (int type = 0; type < segments[rank].length; type++) {
        MemorySegment content = Objects.requireNonNull(from.segments[rank][type]);
        segments[rank][type] = arena.allocate(content.byteSize(), 64).copyFrom(content);
      }
      shareInPlace(rank);
    }
  }

  /** Other memory with the same content. */
  GroupMemory copy(Arena arena) {
    return new GroupMemory(this, arena);
  }

  private void shareInPlace(int rank) {
    if (inPlace) {
      int input = TransportMemType.PARAM_INPUT.ordinal();
      segments[rank][TransportMemType.PARAM_OUTPUT.ordinal()] = segments[rank][input];
    }
  }

  /** By rank, then by kind of memory. */
  @Nullable MemorySegment[][] segments() {
    return segments;
  }

  MemorySegment output(int rank) {
    return Objects.requireNonNull(segments[rank][TransportMemType.PARAM_OUTPUT.ordinal()]);
  }
}
