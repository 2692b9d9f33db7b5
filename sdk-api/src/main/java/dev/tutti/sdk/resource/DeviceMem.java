package dev.tutti.sdk.resource;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * A handle on a span of some rank's memory. It has no address and no data: plans are bound to
 * buffers later.
 *
 * @param rank the rank that owns the memory
 * @param type the kind of memory
 * @param offset bytes from the start of that memory
 * @param size bytes of this span
 */
public record DeviceMem(int rank, TransportMemType type, long offset, long size) {

  /** Checks the ranges. */
  public DeviceMem {
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
   * @throws TuttiException with {@link ErrorCode#OUT_OF_BOUNDS} if the part is not inside this span
   */
  public DeviceMem slice(long from, long bytes) {
    if (from < 0 || bytes < 0 || from > size - bytes) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "slice must lie inside %s memory of %d bytes. Actual: offset=%d, size=%d",
          type.label(),
          size,
          from,
          bytes);
    }
    return new DeviceMem(rank, type, offset + from, bytes);
  }

  /** The part that a slice describes. */
  public DeviceMem slice(Slice slice) {
    return slice(slice.offset(), slice.size());
  }

  /** Whether this span and another share at least one byte of one memory. */
  public boolean overlaps(DeviceMem other) {
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
