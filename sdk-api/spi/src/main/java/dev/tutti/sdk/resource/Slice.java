package dev.tutti.sdk.resource;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * A part of some memory.
 *
 * @param offset bytes from the start
 * @param size bytes
 */
public record Slice(long offset, long size) {

  /** Checks the ranges. */
  public Slice {
    if (offset < 0 || size < 0) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "a slice needs offset and size of 0 or more. Actual: offset=%d, size=%d",
          offset,
          size);
    }
  }

  /**
   * Cuts {@code count} elements into {@code parts} consecutive slices. The first {@code count %
   * parts} slices have one element more than the others. So sizes differ by at most one element,
   * and slices may be empty. Use this method everywhere, so all ranks agree on the owner of each
   * element.
   *
   * @param count elements, 0 or more
   * @param parts slices, 1 or more
   * @param elementSize bytes of one element
   * @return {@code parts} slices in order, computed on demand
   */
  public static List<Slice> partition(long count, int parts, int elementSize) {
    return partition(count, parts, elementSize, 1);
  }

  /**
   * Cuts {@code count} elements into {@code parts} consecutive slices whose borders are multiples
   * of {@code alignment} elements. The method distributes whole blocks as {@link #partition(long,
   * int, int)} does; the last slice also gets the incomplete block at the end.
   *
   * @param count elements, 0 or more
   * @param parts slices, 1 or more
   * @param elementSize bytes of one element
   * @param alignment elements of one block, 1 or more
   * @return {@code parts} slices in order, computed on demand
   */
  public static List<Slice> partition(long count, int parts, int elementSize, long alignment) {
    if (count < 0 || parts < 1 || elementSize < 1 || alignment < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "a partition needs count >= 0, and parts, elementSize and alignment >= 1. Actual:"
              + " count=%d, parts=%d, elementSize=%d, alignment=%d",
          count,
          parts,
          elementSize,
          alignment);
    }
    if (count > Long.MAX_VALUE / elementSize) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "the bytes of a partition must fit in 63 bits. Actual: %d elements of %d bytes",
          count,
          elementSize);
    }
    return new Partition(count, parts, elementSize, alignment);
  }

  private static final class Partition extends AbstractList<Slice> implements RandomAccess {
    private final long count;
    private final int parts;
    private final int elementSize;
    private final long alignment;

    Partition(long count, int parts, int elementSize, long alignment) {
      this.count = count;
      this.parts = parts;
      this.elementSize = elementSize;
      this.alignment = alignment;
    }

    @Override
    public Slice get(int index) {
      if (index < 0 || index >= parts) {
        throw new TuttiException(
            ErrorCode.OUT_OF_BOUNDS, "slice must be 0 to %d. Actual: %d", parts - 1, index);
      }
      long start = start(index);
      return new Slice(start * elementSize, (start(index + 1) - start) * elementSize);
    }

    private long start(int index) {
      if (index == parts) {
        return count;
      }
      long blocks = count / alignment;
      return (blocks / parts * index + Math.min(index, blocks % parts)) * alignment;
    }

    @Override
    public int size() {
      return parts;
    }
  }
}
