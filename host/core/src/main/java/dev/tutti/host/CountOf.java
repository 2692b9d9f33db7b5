package dev.tutti.host;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Derives element counts from buffers. Nothing is rounded: a buffer that does not divide evenly is
 * refused.
 */
final class CountOf {

  private CountOf() {}

  /**
   * The elements of one buffer.
   *
   * @param what the buffer in words, for messages
   */
  static long elements(String what, MemorySegment segment, DataType type) {
    if (segment.byteSize() % type.size() != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "%s must be whole elements of %s, %d bytes each. Actual: %d bytes",
          what,
          type.label(),
          type.size(),
          segment.byteSize());
    }
    return segment.byteSize() / type.size();
  }

  /** The elements of one rank's buffer. */
  static long elements(String what, int rank, MemorySegment segment, DataType type) {
    // The text is built only when it is needed, because every blocking call comes through here.
    return segment.byteSize() % type.size() == 0
        ? segment.byteSize() / type.size()
        : elements("the " + what + " of rank " + rank, segment, type);
  }

  /** The elements of one of several equal blocks of a buffer. */
  static long block(String what, MemorySegment segment, DataType type, int blocks) {
    return block(what, elements(what, segment, type), blocks);
  }

  /** The elements of one of several equal blocks. */
  static long block(String what, long elements, int blocks) {
    if (elements % blocks != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "%s must be %d blocks of one size. Actual: %d elements",
          what,
          blocks,
          elements);
    }
    return elements / blocks;
  }

  /** The elements of the buffers of all ranks, which must be equal. */
  static long common(String what, MemorySegment[] segments, DataType type) {
    if (segments.length == 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "there must be one %s per rank. Actual: none", what);
    }
    long first = elements("the " + what + " of rank 0", present(what, segments[0], 0), type);
    for (int rank = 1; rank < segments.length; rank++) {
      long other =
          elements("the " + what + " of rank " + rank, present(what, segments[rank], rank), type);
      if (other != first) {
        throw new TuttiException(
            ErrorCode.INVALID_COUNT,
            "the %ss of all ranks must have the same size to derive the count; give an explicit"
                + " count with CollectiveCall. Actual: %d elements on rank 0, %d on rank %d",
            what,
            first,
            other,
            rank);
      }
    }
    return first;
  }

  /** The elements of a block of the buffers of all ranks, which must be equal. */
  static long commonBlock(String what, MemorySegment[] segments, DataType type) {
    common(what, segments, type);
    return block("the " + what + " of rank 0", segments[0], type, segments.length);
  }

  private static MemorySegment present(String what, @Nullable MemorySegment segment, int rank) {
    if (segment == null) {
      throw new TuttiException(
          ErrorCode.BUFFER_TOO_SMALL, "rank %d needs an %s. Actual: no buffer", rank, what);
    }
    return segment;
  }
}
