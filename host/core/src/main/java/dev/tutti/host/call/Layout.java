package dev.tutti.host.call;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the elements of an operation in a buffer, like MPI's derived types. All numbers
 * are in elements of the operation's data type. A layout lists blocks in the order of the data. If
 * an operation has more elements than the layout, the layout repeats; each repetition starts {@link
 * #extent} elements after the previous one.
 *
 * <p>For example, {@code vector(rows, 1, width).withExtent(1)} describes the columns of a row-major
 * matrix of {@code rows × width} elements: n repetitions are the first n columns, one after
 * another.
 *
 * <p>Immutable.
 */
public final class Layout {

  private static final Layout CONTIGUOUS = new Layout(new long[1], new long[] {1}, 1);

  /** Blocks that touch are merged, so equal layouts have equal blocks. */
  private final long[] starts;

  private final long[] lengths;
  private final long elements;
  private final long span;
  private final long extent;

  /** Computed once: every call looks up layouts, and their blocks do not change. */
  private final int hash;

  private Layout(long[] starts, long[] lengths, long extent) {
    this.starts = starts;
    this.lengths = lengths;
    this.extent = extent;
    long sum = 0;
    long end = 0;
    for (int i = 0; i < starts.length; i++) {
      sum += lengths[i];
      end = Math.max(end, starts[i] + lengths[i]);
    }
    this.elements = sum;
    this.span = end;
    this.hash =
        31 * (31 * Long.hashCode(extent) + Arrays.hashCode(starts)) + Arrays.hashCode(lengths);
  }

  /** Contiguous elements, the default of every operation. */
  public static Layout contiguous() {
    return CONTIGUOUS;
  }

  /**
   * Blocks of one length at equal distances, the first at 0.
   *
   * @param blocks 1 to 65,536
   * @param blockLength elements of a block, 1 or more
   * @param stride elements from the start of a block to the start of the next, 0 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if a value is out of its range
   */
  public static Layout vector(int blocks, long blockLength, long stride) {
    if (blocks < 1 || blocks > LayoutBlocks.MAX_BLOCKS || blockLength < 1 || stride < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a vector needs 1 to %d blocks, a block length of 1 or more and a stride of 0 or more."
              + " Actual: %d blocks, block length %d, stride %d",
          LayoutBlocks.MAX_BLOCKS,
          blocks,
          blockLength,
          stride);
    }
    long[] starts = new long[blocks];
    long[] lengths = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      starts[i] = checked(i, stride);
      lengths[i] = blockLength;
    }
    return of(starts, lengths);
  }

  private static long checked(long factor, long stride) {
    if (stride > Long.MAX_VALUE / 2 / LayoutBlocks.MAX_BLOCKS) {
      throw tooFar();
    }
    return factor * stride;
  }

  /**
   * Blocks of any lengths at any positions.
   *
   * @param blockLengths elements of each block, 0 or more, and at least one of them more than 0; at
   *     most 65,536 blocks
   * @param displacements the first element of each block, 0 or more
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if a value is out of its range,
   *     or the two are not equally long
   */
  public static Layout indexed(long[] blockLengths, long[] displacements) {
    Arguments.require(blockLengths, "blockLengths");
    Arguments.require(displacements, "displacements");
    if (blockLengths.length != displacements.length
        || blockLengths.length > LayoutBlocks.MAX_BLOCKS) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "an indexed layout needs as many displacements as block lengths, and at most %d. Actual:"
              + " %d block lengths, %d displacements",
          LayoutBlocks.MAX_BLOCKS,
          blockLengths.length,
          displacements.length);
    }
    for (int i = 0; i < blockLengths.length; i++) {
      if (blockLengths[i] < 0 || displacements[i] < 0) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "block lengths and displacements must be 0 or more. Actual: block %d has length %d and"
                + " displacement %d",
            i,
            blockLengths[i],
            displacements[i]);
      }
    }
    return of(displacements, blockLengths);
  }

  /** Merges blocks that touch, and leaves empty ones out. */
  private static Layout of(long[] starts, long[] lengths) {
    LayoutBlocks blocks = new LayoutBlocks();
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] > Long.MAX_VALUE / 4 || lengths[i] > Long.MAX_VALUE / 4 / starts.length) {
        throw tooFar();
      }
      blocks.add(starts[i], lengths[i]);
    }
    if (blocks.size() == 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a layout must have at least one element. Actual: none");
    }
    Layout made = new Layout(blocks.starts(), blocks.lengths(), 0);
    return made.withExtent(made.span);
  }

  private static TuttiException tooFar() {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT, "a layout must end within 61 bits of elements");
  }

  /**
   * The same blocks, repeated at another distance.
   *
   * @param newExtent elements from one repetition to the next, 1 or more; less than {@link #span}
   *     lets repetitions interleave
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is out of its range
   */
  public Layout withExtent(long newExtent) {
    if (newExtent < 1 || newExtent > Long.MAX_VALUE / 4) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the extent of a layout must be 1 or more elements. Actual: %d",
          newExtent);
    }
    return new Layout(starts, lengths, newExtent);
  }

  /** The elements of one repetition that hold data. */
  public long elements() {
    return elements;
  }

  /** The elements from the start of the buffer to the end of the last block of one repetition. */
  public long span() {
    return span;
  }

  /** The elements from one repetition to the next; the span unless set. */
  public long extent() {
    return extent;
  }

  /** Whether the data lies at the start of the buffer without gaps, in order. */
  public boolean isContiguous() {
    return starts.length == 1 && starts[0] == 0 && extent == elements;
  }

  /** The elements of a buffer that holds a number of repetitions; -1 if the number is too large. */
  public long span(long repetitions) {
    if (repetitions == 0) {
      return 0;
    }
    return repetitions - 1 > (Long.MAX_VALUE / 2 - span) / extent
        ? -1
        : (repetitions - 1) * extent + span;
  }

  /** The most elements of data that a buffer holds in whole repetitions. */
  public long elementsWithin(long bufferElements) {
    return bufferElements < span ? 0 : ((bufferElements - span) / extent + 1) * elements;
  }

  /**
   * All blocks of a number of repetitions.
   *
   * @throws TuttiException with {@link ErrorCode#PLAN_TOO_LARGE} if there are too many
   */
  public LayoutBlocks blocks(long repetitions) {
    LayoutBlocks blocks = new LayoutBlocks();
    if (starts.length == 1 && extent == lengths[0]) {
      blocks.add(starts[0], repetitions * extent);
      return blocks;
    }
    for (long i = 0; i < repetitions; i++) {
      for (int block = 0; block < starts.length; block++) {
        blocks.add(i * extent + starts[block], lengths[block]);
      }
    }
    return blocks;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (other == this) {
      return true;
    }
    return other instanceof Layout that
        && hash == that.hash
        && extent == that.extent
        && Arrays.equals(starts, that.starts)
        && Arrays.equals(lengths, that.lengths);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** For example {@code "contiguous"} or {@code "3 blocks of 6 elements in 14, extent 14"}. */
  @Override
  public String toString() {
    return isContiguous()
        ? "contiguous"
        : Sentence.of(
            "%d blocks of %d elements in %d, extent %d", starts.length, elements, span, extent);
  }
}
