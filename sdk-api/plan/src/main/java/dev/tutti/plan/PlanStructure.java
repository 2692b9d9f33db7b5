package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.Arrays;

/**
 * The common part of an algorithm's plans for different counts: everything except the sizes of the
 * memories and the positions of the spans in them. Immutable.
 *
 * <p>Each position in a memory at which some span begins or ends is a <em>mark</em>; so are the
 * memory's own start and end. The marks of one memory are numbered in the order of their positions.
 * Two plans have the same structure if all ranks have the same streams, links, notifies and
 * actions, if the operands of each action lie between marks of the same numbers, and if the marks
 * of each memory are in the same order. So spans that are equal, overlap, touch or are apart in one
 * plan do the same in the other. Everything that depends only on this is the same for both: data
 * races, waits between actions, and the transformations that a compiler may apply.
 *
 * <p>A plan of a known structure is a {@link PlanClone}: the structure and the positions of its few
 * marks.
 */
public final class PlanStructure {

  static final TransportMemType[] TYPES = TransportMemType.values();

  private final boolean inPlace;
  private final PlanClone origin;

  /** By rank and kind of memory: its place in {@link #first}, or -1 if it has no bytes. */
  private final int[] memories;

  /** By memory: its first mark; after the last memory, the number of marks. */
  private final int[] first;

  /** By rank and kind of memory: the mark at its end, or -1 if it has no bytes. */
  private final int[] sizeMarks;

  /** By memory: the last mark at which a span ends; the first mark if there is no span. */
  private final int[] lastUsed;

  private final Operands.Marks[] ranks;

  private PlanStructure(GroupPlan plan, MarkFinder finder) {
    this.inPlace = plan.inPlace();
    this.memories = finder.memories();
    this.first = finder.first();
    this.sizeMarks = finder.sizeMarks();
    long[] positions = finder.positions();
    this.lastUsed = Arrays.copyOf(first, first.length - 1);
    this.ranks = new Operands.Marks[plan.rankSize()];
    this.origin = new PlanClone(this, plan, positions);
    for (int rank = 0; rank < ranks.length; rank++) {
      ranks[rank] = marksOf(plan.rank(rank), positions);
    }
  }

  /**
   * The structure of a plan.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} if the plan runs nested plans,
   *     because these share the memories of the whole plan
   */
  public static PlanStructure of(GroupPlan plan) {
    Arguments.require(plan, "plan");
    for (RankPlan rank : plan.ranks()) {
      if (rank.hasNested()) {
        throw new TuttiException(
            ErrorCode.INVALID_PLAN,
            "the plan of rank %d runs nested plans; take the structure of each of these",
            rank.rank());
      }
    }
    return new PlanStructure(plan, MarkFinder.of(plan));
  }

  private Operands.Marks marksOf(RankPlan plan, long[] positions) {
    Operands operands = plan.operands();
    Operands.Marks marks = Operands.Marks.of(operands.count(), operands.listedCount());
    int operand = 0;
    for (int action = 0; action < plan.actionCount(); action++) {
      ActionKind kind = plan.kind(action);
      if (kind.isData()) {
        long bytes = operands.bytes(operand);
        int dst = memory(operands.dstRank(operand), operands.dstType(operand));
        long at = operands.dstOffset(operand);
        marks.dstStart()[operand] = mark(dst, at, positions);
        marks.dstEnd()[operand] = used(dst, mark(dst, at + bytes, positions));
        if (kind == ActionKind.REDUCE_FROM) {
          listedMarks(operands, operand, marks, positions);
        } else {
          int src = memory(operands.srcRank(operand, kind, 0), operands.srcType(operand, kind, 0));
          at = operands.srcOffset(operand, kind, 0);
          marks.srcStart()[operand] = mark(src, at, positions);
          marks.srcEnd()[operand] = used(src, mark(src, at + bytes, positions));
        }
        operand++;
      }
    }
    return marks;
  }

  private void listedMarks(Operands operands, int operand, Operands.Marks marks, long[] positions) {
    // The single source has the marks of the destination, because srcOffset of a REDUCE_FROM equals
    // dstOffset.
    marks.srcStart()[operand] = marks.dstStart()[operand];
    marks.srcEnd()[operand] = marks.dstEnd()[operand];
    long bytes = operands.bytes(operand);
    int listed = operands.firstListed(operand);
    int count = operands.listed(listed - 1);
    ActionKind kind = ActionKind.REDUCE_FROM;
    for (int i = 0; i < count; i++) {
      int memory = memory(operands.srcRank(operand, kind, i), operands.srcType(operand, kind, i));
      long at = operands.srcOffset(operand, kind, i);
      marks.listedStart()[listed + i] = mark(memory, at, positions);
      marks.listedEnd()[listed + i] = used(memory, mark(memory, at + bytes, positions));
    }
    marks.listedStart()[listed - 1] = marks.listedStart()[listed];
    marks.listedEnd()[listed - 1] = marks.listedEnd()[listed];
  }

  private int used(int memory, int mark) {
    lastUsed[memory] = Math.max(lastUsed[memory], mark);
    return mark;
  }

  /** The plan from which the structure was taken. */
  public PlanClone origin() {
    return origin;
  }

  /** The number of ranks. */
  public int rankSize() {
    return ranks.length;
  }

  /** Whether each rank's input and output are the same memory. */
  public boolean inPlace() {
    return inPlace;
  }

  /** The number of marks of all memories. */
  public int markCount() {
    return first[first.length - 1];
  }

  /**
   * The mark after the last byte of all spans of a rank's memory.
   *
   * @return -1 if no action touches that memory
   */
  public int lastUsed(int rank, TransportMemType type) {
    Arguments.require(type, "type");
    int memory = memory(rank, type);
    return memory < 0 || lastUsed[memory] == first[memory] ? -1 : lastUsed[memory];
  }

  /** Bytes of heap that the structure takes, without the plan that it was taken from. */
  public long heapBytes() {
    long bytes = Integer.BYTES * (memories.length + first.length * 2L + sizeMarks.length);
    for (Operands.Marks marks : ranks) {
      bytes += marks.bytes();
    }
    return bytes;
  }

  /** The place of a rank's memory, or -1 if it has no bytes. */
  int memory(int rank, TransportMemType type) {
    return memories[rank * TYPES.length + type.ordinal()];
  }

  /** The mark at the end of a rank's memory, or -1 if it has no bytes. */
  int sizeMark(int rank, TransportMemType type) {
    return sizeMarks[rank * TYPES.length + type.ordinal()];
  }

  /** The mark of a position of a memory. */
  int mark(int memory, long position, long[] positions) {
    int mark = Arrays.binarySearch(positions, first[memory], first[memory + 1], position);
    if (mark < 0) {
      throw new IllegalStateException("no span begins or ends at " + position);
    }
    return mark;
  }

  Operands.Marks marks(int rank) {
    return ranks[rank];
  }

  /** Sets the marks at the start of all memories. */
  void putStarts(MarkPositions positions) {
    for (int memory = 0; memory + 1 < first.length; memory++) {
      positions.put(first[memory], 0);
    }
  }

  /** Whether the marks of each memory are in order. */
  boolean isInOrder(long[] positions) {
    for (int memory = 0; memory + 1 < first.length; memory++) {
      for (int mark = first[memory] + 1; mark < first[memory + 1]; mark++) {
        if (positions[mark] <= positions[mark - 1]) {
          return false;
        }
      }
    }
    return true;
  }
}
