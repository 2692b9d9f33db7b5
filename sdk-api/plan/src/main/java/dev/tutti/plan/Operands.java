package dev.tutti.plan;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory operands of a plan's data actions, as arrays. A memory is an int: the index of its
 * rank in the table of peers, above three bits of memory kind. So ranks that do the same with
 * different peers share the arrays of memories.
 *
 * <p>A REDUCE_FROM has a list of sources instead of one. Its {@code srcMem} is the index at which
 * the list begins: first the number of sources, then the sources. Its {@code srcOffset} has no
 * meaning and equals its {@code dstOffset}.
 */
final class Operands {

  private static final TransportMemType[] MEM_TYPES = TransportMemType.values();

  /**
   * The ranks that own the memories, in the order of their first use; this rank itself comes first.
   */
  private final int[] peers;

  private final int[] dstMem;
  private final Column dstOffset;
  private final int[] srcMem;
  private final Column srcOffset;
  private final Column bytes;
  private final int[] listedMem;
  private final Column listedOffset;

  /** The marks at which the operands of one rank's plan begin and end, by operand number. */
  record Marks(
      int[] dstStart,
      int[] dstEnd,
      int[] srcStart,
      int[] srcEnd,
      int[] listedStart,
      int[] listedEnd) {

    static Marks of(int operands, int listed) {
      return new Marks(
          new int[operands],
          new int[operands],
          new int[operands],
          new int[operands],
          new int[listed],
          new int[listed]);
    }

    long bytes() {
      return 4L * Integer.BYTES * dstStart.length + 2L * Integer.BYTES * listedStart.length;
    }
  }

  Operands(
      int[] peers,
      int[] dstMem,
      Column dstOffset,
      int[] srcMem,
      Column srcOffset,
      Column bytes,
      int[] listedMem,
      Column listedOffset) {
    this.peers = peers;
    this.dstMem = dstMem;
    this.dstOffset = dstOffset;
    this.srcMem = srcMem;
    this.srcOffset = srcOffset;
    this.bytes = bytes;
    this.listedMem = listedMem;
    this.listedOffset = listedOffset;
  }

  /** The same memories, with spans between marks. */
  Operands moved(Marks marks, long[] positions) {
    Column starts = Column.at(marks.dstStart(), positions);
    return new Operands(
        peers,
        dstMem,
        starts,
        srcMem,
        Column.at(marks.srcStart(), positions),
        Column.between(marks.dstStart(), marks.dstEnd(), positions),
        listedMem,
        listedMem.length == 0 ? Column.EMPTY : Column.at(marks.listedStart(), positions));
  }

  /** The number of data actions. */
  int count() {
    return dstMem.length;
  }

  /** The length of the table of listed sources. */
  int listedCount() {
    return listedMem.length;
  }

  /**
   * The place of the first listed source of a REDUCE_FROM; the place before it holds their number.
   */
  int firstListed(int index) {
    return srcMem[index] + 1;
  }

  /** The memory of a listed source, or the number of sources. */
  int listed(int place) {
    return listedMem[place];
  }

  int dstMem(int index) {
    return dstMem[index];
  }

  int srcMem(int index) {
    return srcMem[index];
  }

  /** Whether a memory of this plan is the memory of a span. */
  boolean isOf(int mem, DeviceMem span) {
    return (mem & 7) == span.type().ordinal() && peers[mem >>> 3] == span.rank();
  }

  long bytes(int index) {
    return bytes.get(index);
  }

  int dstRank(int index) {
    return peers[dstMem[index] >>> 3];
  }

  TransportMemType dstType(int index) {
    return MEM_TYPES[dstMem[index] & 7];
  }

  long dstOffset(int index) {
    return dstOffset.get(index);
  }

  int sourceCount(int index, ActionKind kind) {
    return kind == ActionKind.REDUCE_FROM ? listedMem[srcMem[index]] : 1;
  }

  int srcRank(int index, ActionKind kind, int source) {
    return peers[srcMem(index, kind, source) >>> 3];
  }

  TransportMemType srcType(int index, ActionKind kind, int source) {
    return MEM_TYPES[srcMem(index, kind, source) & 7];
  }

  private int srcMem(int index, ActionKind kind, int source) {
    return kind == ActionKind.REDUCE_FROM ? listedMem[listed(index, source)] : srcMem[index];
  }

  long srcOffset(int index, ActionKind kind, int source) {
    return kind == ActionKind.REDUCE_FROM
        ? listedOffset.get(listed(index, source))
        : srcOffset.get(index);
  }

  /** Visits the source and the destination of an action with one source. */
  void visit(RankPlan.AccessVisitor visitor, int action, int index) {
    long length = bytes.get(index);
    visit(visitor, action, srcMem[index], srcOffset.get(index), length, false);
    visit(visitor, action, dstMem[index], dstOffset.get(index), length, true);
  }

  /** Visits the sources and the destination of a REDUCE_FROM. */
  void visitList(RankPlan.AccessVisitor visitor, int action, int index) {
    long length = bytes.get(index);
    int first = srcMem[index] + 1;
    int end = first + listedMem[first - 1];
    for (int source = first; source < end; source++) {
      visit(visitor, action, listedMem[source], listedOffset.get(source), length, false);
    }
    visit(visitor, action, dstMem[index], dstOffset.get(index), length, true);
  }

  private void visit(
      RankPlan.AccessVisitor visitor,
      int action,
      int mem,
      long offset,
      long length,
      boolean isWrite) {
    visitor.access(action, peers[mem >>> 3], MEM_TYPES[mem & 7], offset, length, isWrite);
  }

  private int listed(int index, int source) {
    int first = srcMem[index];
    return first + 1 + Objects.checkIndex(source, listedMem[first]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Operands that
        && Arrays.equals(peers, that.peers)
        && Arrays.equals(dstMem, that.dstMem)
        && dstOffset.equals(that.dstOffset)
        && Arrays.equals(srcMem, that.srcMem)
        && srcOffset.equals(that.srcOffset)
        && bytes.equals(that.bytes)
        && Arrays.equals(listedMem, that.listedMem)
        && listedOffset.equals(that.listedOffset);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(dstMem) + dstOffset.hashCode()) + bytes.hashCode();
  }
}
