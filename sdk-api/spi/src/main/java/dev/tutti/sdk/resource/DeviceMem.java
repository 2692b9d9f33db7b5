package dev.tutti.sdk.resource;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Optional;

/**
 * A handle for a span of some rank's memory. It has no address and no data, because plans are bound
 * to buffers later.
 *
 * @param rank the rank that owns the memory
 * @param type the kind of memory
 * @param offset bytes from the start of that memory
 * @param size bytes of this span
 */
public record DeviceMem(int rank, TransportMemType type, long offset, long size) {

  /** Checks the ranges. */
  public DeviceMem {
    Arguments.require(type, "type");
    if (rank < 0 || offset < 0 || size < 0 || offset > Long.MAX_VALUE - size) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "memory needs rank, offset and size of 0 or more. Actual: rank=%d, offset=%d, size=%d",
          rank,
          offset,
          size);
    }
  }

  /**
   * A part of this span.
   *
   * @param from bytes from the start of this span
   * @param bytes size of the part
   * @throws TuttiException with {@link ErrorCode#RESOURCE_MISMATCH} if this memory is empty because
   *     the executor did not request it; with {@link ErrorCode#OUT_OF_BOUNDS} if the part is
   *     outside this span for another reason
   */
  public DeviceMem slice(long from, long bytes) {
    if (from < 0 || bytes < 0 || from > size - bytes) {
      throw outside(from, bytes);
    }
    return new DeviceMem(rank, type, offset + from, bytes);
  }

  private TuttiException outside(long from, long bytes) {
    Optional<String> asked = type.askedIn();
    if (size == 0 && from >= 0 && bytes > 0 && asked.isPresent()) {
      return new TuttiException(
          ErrorCode.RESOURCE_MISMATCH,
          "rank %d has 0 bytes of %s memory here; ask for it in %s. Actual slice: offset=%d,"
              + " size=%d",
          rank,
          type.label(),
          asked.get(),
          from,
          bytes);
    }
    return new TuttiException(
        ErrorCode.OUT_OF_BOUNDS,
        "slice must lie inside %s memory of %d bytes; clip it%s. Actual: offset=%d, size=%d",
        type.label(),
        size,
        asked.map(method -> ", or ask for more in " + method).orElse(""),
        from,
        bytes);
  }

  /** The part of this span that a slice describes. */
  public DeviceMem slice(Slice slice) {
    Arguments.require(slice, "slice");
    return slice(slice.offset(), slice.size());
  }

  /** Whether this span and another share at least one byte of one memory. */
  public boolean overlaps(DeviceMem other) {
    Arguments.require(other, "other");
    return rank == other.rank
        && type == other.type
        && size > 0
        && other.size > 0
        && offset < other.offset + other.size
        && other.offset < offset + size;
  }

  @Override
  public String toString() {
    return "rank " + rank + " " + type.label() + "[" + offset + ", " + (offset + size) + ")";
  }
}
