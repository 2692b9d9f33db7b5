package dev.tutti.host.engine;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the memories of all ranks. In place, a rank's input and output are one memory and have
 * one number.
 */
final class MemorySlots {

  static final TransportMemType[] TYPES = TransportMemType.values();

  /** Bytes of each memory that the plan touches. */
  private final long[] sizes;

  private final boolean inPlace;

  MemorySlots(GroupPlan plan) {
    this.inPlace = plan.inPlace();
    this.sizes = new long[plan.rankSize() * TYPES.length];
  }

  /** Notes that a plan touches a memory up to some byte. */
  void touch(int slot, long end) {
    sizes[slot] = Math.max(sizes[slot], end);
  }

  int of(int rank, TransportMemType type) {
    TransportMemType kind =
        inPlace && type == TransportMemType.PARAM_OUTPUT ? TransportMemType.PARAM_INPUT : type;
    return rank * TYPES.length + kind.ordinal();
  }

  int count() {
    return sizes.length;
  }

  /** Puts a rank's memory into its slot, after checking that it is large enough and reachable. */
  void set(MemorySegment[] slots, int rank, TransportMemType type, MemorySegment segment) {
    int slot = of(rank, type);
    if (inPlace && type == TransportMemType.PARAM_OUTPUT && sizes[slot] > 0) {
      MemorySegment input = slots[slot];
      if (input.address() != segment.address()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "the plan is in place: input and output of rank %d must be one memory",
            rank);
      }
    }
    if (segment.byteSize() < sizes[slot]) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL,
          "%s memory of rank %d needs %d bytes. Actual: %d bytes",
          type.label(),
          rank,
          sizes[slot],
          segment.byteSize());
    }
    if (!segment.isNative()) {
      throw new TuttiException(
          ErrorCode.BUFFER_UNAVAILABLE,
          "%s memory of rank %d must be off-heap; copy heap arrays to native memory first",
          type.label(),
          rank);
    }
    slots[slot] = segment;
  }

  /** All slots from one segment per rank and kind; null stands for memory of no bytes. */
  MemorySegment[] bind(@Nullable MemorySegment[][] memory) {
    if (memory.length * TYPES.length != sizes.length) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the plan has %d ranks. Actual: memory of %d ranks",
          sizes.length / TYPES.length,
          memory.length);
    }
    MemorySegment[] slots = new MemorySegment[sizes.length];
    java.util.Arrays.fill(slots, MemorySegment.NULL);
    for (int rank = 0; rank < memory.length; rank++) {
      for (TransportMemType type : TYPES) {
        MemorySegment segment =
            type.ordinal() < memory[rank].length ? memory[rank][type.ordinal()] : null;
        set(slots, rank, type, segment == null ? MemorySegment.NULL : segment);
      }
    }
    return slots;
  }
}
