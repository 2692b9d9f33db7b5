package dev.tutti.sdk.plan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory operands of a plan's data actions, as arrays. A memory is an int: the rank above three
 * bits of memory kind. A REDUCE_FROM keeps the number of its sources in {@code srcMem} and the
 * index of the first one in {@code srcOffset}.
 */
final class Operands {

  private final int[] dstMem;
  private final long[] dstOffset;
  private final int[] srcMem;
  private final long[] srcOffset;
  private final long[] bytes;
  private final int[] listedMem;
  private final long[] listedOffset;

  Operands(
      int[] dstMem,
      long[] dstOffset,
      int[] srcMem,
      long[] srcOffset,
      long[] bytes,
      int[] listedMem,
      long[] listedOffset) {
    this.dstMem = dstMem;
    this.dstOffset = dstOffset;
    this.srcMem = srcMem;
    this.srcOffset = srcOffset;
    this.bytes = bytes;
    this.listedMem = listedMem;
    this.listedOffset = listedOffset;
  }

  long bytes(int index) {
    return bytes[index];
  }

  int dstMem(int index) {
    return dstMem[index];
  }

  long dstOffset(int index) {
    return dstOffset[index];
  }

  int sourceCount(int index, ActionKind kind) {
    return kind == ActionKind.REDUCE_FROM ? srcMem[index] : 1;
  }

  int srcMem(int index, ActionKind kind, int source) {
    return kind == ActionKind.REDUCE_FROM ? listedMem[listed(index, source)] : srcMem[index];
  }

  long srcOffset(int index, ActionKind kind, int source) {
    return kind == ActionKind.REDUCE_FROM ? listedOffset[listed(index, source)] : srcOffset[index];
  }

  private int listed(int index, int source) {
    java.util.Objects.checkIndex(source, srcMem[index]);
    return (int) srcOffset[index] + source;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Operands that
        && Arrays.equals(dstMem, that.dstMem)
        && Arrays.equals(dstOffset, that.dstOffset)
        && Arrays.equals(srcMem, that.srcMem)
        && Arrays.equals(srcOffset, that.srcOffset)
        && Arrays.equals(bytes, that.bytes)
        && Arrays.equals(listedMem, that.listedMem)
        && Arrays.equals(listedOffset, that.listedOffset);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(dstMem) + Arrays.hashCode(dstOffset))
        + Arrays.hashCode(bytes);
  }
}
