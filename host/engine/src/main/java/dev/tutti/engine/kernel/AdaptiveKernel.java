package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kernel that starts with scalars and changes to vectors when these have become faster. */
final class AdaptiveKernel implements ReduceKernel {

  private final DataType type;
  private final ReduceOp op;
  private final int elementMask;
  private final boolean divides;

  /**
   * The lanes of each size class. Read without synchronisation, written by one thread: whichever
   * array a racing reader sees, the results have the same bits. The fence before the write makes
   * sure that the reader sees the filled array, because it reaches the contents through the
   * reference.
   */
  private Lanes[] lanes;

  AdaptiveKernel(DataType type, ReduceOp op, Lanes[] lanes) {
    this(type, op, false, lanes);
  }

  private AdaptiveKernel(DataType type, ReduceOp op, boolean divides, Lanes[] lanes) {
    this.divides = divides;
    this.type = type;
    this.op = op;
    this.elementMask = type.size() - 1;
    this.lanes = lanes;
  }

  /** A kernel whose lanes divide instead of adding. */
  static AdaptiveKernel dividing(DataType type, Lanes[] lanes) {
    return new AdaptiveKernel(type, ReduceOp.SUM, true, lanes);
  }

  /** Changes to other lanes of the same type and reduction for one size class. */
  void use(int sizeClass, Lanes faster) {
    Lanes[] next = lanes.clone();
    next[sizeClass] = faster;
    VarHandle.storeStoreFence();
    lanes = next;
  }

  /** Another kernel of the same type and reduction. */
  AdaptiveKernel with(Lanes[] others) {
    return new AdaptiveKernel(type, op, others);
  }

  @Override
  public void reduce(
      MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long bytes) {
    checkLength(bytes);
    combine(dst, dstOffset, dst, dstOffset, src, srcOffset, bytes);
  }

  @Override
  public void reduceFrom(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      long bytes) {
    checkLength(bytes);
    if (count == 2) {
      MemorySegment b = sources[from + 1];
      combine(
          dst,
          dstOffset,
          sources[from],
          offsets[from] + shift,
          b,
          offsets[from + 1] + shift,
          bytes);
    } else if (count > 2) {
      fold(dst, dstOffset, sources, offsets, from, count, shift, bytes);
    } else {
      copy(dst, dstOffset, sources, offsets, from, count, shift, bytes);
    }
  }

  private void combine(
      MemorySegment dst,
      long dstOffset,
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      long bytes) {
    Lanes[] current = lanes;
    for (long done = 0; done < bytes; done += Lanes.MAX_BYTES) {
      int length = (int) Math.min(bytes - done, Lanes.MAX_BYTES);
      current[Lanes.sizeClass(length)].combine(
          dst, dstOffset + done, a, aOffset + done, b, bOffset + done, length);
    }
  }

  private void fold(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      long bytes) {
    Lanes[] current = lanes;
    for (long done = 0; done < bytes; done += Lanes.MAX_BYTES) {
      int length = (int) Math.min(bytes - done, Lanes.MAX_BYTES);
      current[Lanes.sizeClass(length)].fold(
          dst, dstOffset + done, sources, offsets, from, count, shift + done, length);
    }
  }

  private static void copy(
      MemorySegment dst,
      long dstOffset,
      MemorySegment[] sources,
      long[] offsets,
      int from,
      int count,
      long shift,
      long bytes) {
    if (count < 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a reduction needs at least one source. Actual: count=%d",
          count);
    }
    MemorySegment.copy(sources[from], offsets[from] + shift, dst, dstOffset, bytes);
  }

  private void checkLength(long bytes) {
    if (bytes < 0 || (bytes & elementMask) != 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "a length must be a non-negative number of whole elements. Actual: bytes=%d, type=%s with"
              + " %d bytes an element",
          bytes,
          type.label(),
          type.size());
    }
  }

  @Override
  public @Nullable StreamingSum streamingSum(int sources, int destinations) {
    return op == ReduceOp.SUM && !divides ? StreamingSum.of(type, sources, destinations) : null;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s of %s", divides ? "division" : op.label(), type.label());
  }
}
