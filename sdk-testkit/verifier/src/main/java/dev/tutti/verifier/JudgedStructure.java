package dev.tutti.verifier;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.semantics.OperationSemantics;
import dev.tutti.verifier.semantics.Piece;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan that was judged right, with the conditions under which another plan of the same structure
 * is right for the same reasons. Immutable.
 *
 * <p>The memories are cut at the marks of the structure, and where the operation's pieces begin and
 * end. Each data move, and each piece, relates two spans of equal length. A cut inside one span
 * also cuts the other span at the same place, until no more cuts follow. The bytes between two
 * neighboring cuts are an atom. Every action moves whole atoms to whole atoms, and the operation's
 * result consists of whole atoms. In another plan of the structure, the same atoms have other
 * sizes. If each relation still maps the same atoms to the same atoms, both plans do the same with
 * them. Then the outputs of one plan are right if those of the other are. The verdict on the order
 * of actions depends on the structure alone.
 */
public final class JudgedStructure {

  private static final TransportMemType[] TYPES = TransportMemType.values();
  private static final int NONE = -1;

  /** The search gives up beyond this many cuts for each first cut, plus {@link #FEW}. */
  private static final int MAX_GROWTH = 4;

  private static final int FEW = 512;

  /** A place at which a memory is cut. */
  private static final class Cut {
    private final long position;

    /** Its index among all cuts, which are ordered by memory and then by position. */
    private int number;

    /** For a cut that follows from another one: its position is {@code base + image - start}. */
    private final @Nullable Cut base;

    private final @Nullable Cut image;
    private final @Nullable Cut start;

    Cut(long position, @Nullable Cut base, @Nullable Cut image, @Nullable Cut start) {
      this.position = position;
      this.base = base;
      this.image = image;
      this.start = start;
    }
  }

  /** Two spans of equal length that hold the same data, or should. */
  private record Relation(int memoryA, long startA, int memoryB, long startB, long bytes) {}

  /** The cuts at which two related spans begin, and the number of atoms in each span. */
  private record Atoms(int first, int second, int count) {}

  private final PlanClone origin;
  private final List<OpParam> request;
  private final List<Piece> pieces;
  private final int elementBytes;
  private final boolean fillsEverySlice;
  private final List<TreeMap<Long, Cut>> memories = new ArrayList<>();

  /** The cuts that follow from others, in an order in which they can be computed. */
  private final List<Cut> derived = new ArrayList<>();

  private final List<Relation> relations = new ArrayList<>();
  private int firstCuts;
  private int cuts;

  // ---- what comparisons need

  /** For each cut, the mark of the structure at its position, or -1. */
  private int[] marks = {};

  /** For each cut, whether it is the first of its memory. */
  private boolean[] isFirst = {};

  private List<Atoms> atoms = List.of();

  private JudgedStructure(PlanClone origin, List<? extends @Nullable OpParam> params) {
    this.origin = origin;
    this.request = present(params);
    this.pieces = pieces(params);
    this.elementBytes =
        request.isEmpty() ? 1 : OperationSemantics.dataType(request.getFirst()).size();
    this.fillsEverySlice = fillsEverySlice(request);
  }

  /**
   * Derives the conditions from the verdict on a plan.
   *
   * @param origin a plan that {@link PlanVerifier} has found right
   * @param params each rank's request, null for a rank that takes no part
   * @return empty if there are too many cuts to compare
   */
  public static Optional<JudgedStructure> of(
      PlanClone origin, List<? extends @Nullable OpParam> params) {
    Arguments.require(origin, "origin");
    Arguments.require(params, "params");
    JudgedStructure structure = new JudgedStructure(origin, params);
    return structure.cut() ? Optional.of(structure) : Optional.empty();
  }

  private static List<OpParam> present(List<? extends @Nullable OpParam> params) {
    List<OpParam> present = new ArrayList<>();
    for (OpParam param : params) {
      if (param != null) {
        present.add(param);
      }
    }
    return present;
  }

  private static List<Piece> pieces(List<? extends @Nullable OpParam> params) {
    List<OpParam> present = present(params);
    return present.isEmpty() ? List.of() : OperationSemantics.of(present.getFirst(), params);
  }

  private static boolean fillsEverySlice(List<OpParam> request) {
    return request.stream().allMatch(OperationSemantics::fillsEverySlice);
  }

  // ---- cutting

  private boolean cut() {
    GroupPlan plan = origin.plan();
    for (int memory = 0; memory < plan.rankSize() * TYPES.length; memory++) {
      memories.add(new TreeMap<>());
    }
    plan.ranks().forEach(this::relate);
    for (Piece piece : pieces) {
      relate(piece);
    }
    for (Relation relation : relations) {
      first(relation.memoryA, relation.startA);
      first(relation.memoryA, relation.startA + relation.bytes);
      first(relation.memoryB, relation.startB);
      first(relation.memoryB, relation.startB + relation.bytes);
    }
    firstCuts = cuts;
    boolean isGrowing = true;
    while (isGrowing) {
      isGrowing = false;
      for (Relation each : relations) {
        isGrowing |= map(each.memoryA, each.startA, each.memoryB, each.startB, each.bytes);
        isGrowing |= map(each.memoryB, each.startB, each.memoryA, each.startA, each.bytes);
        if (cuts > (long) MAX_GROWTH * firstCuts + FEW) {
          return false;
        }
      }
    }
    number();
    return true;
  }

  /** Relates the sources of each data move of a rank to its destination. */
  private void relate(RankPlan plan) {
    for (int action = 0; action < plan.actionCount(); action++) {
      if (plan.kind(action).isData()) {
        long bytes = plan.bytes(action);
        int dst = memory(plan.dstRank(action), plan.dstType(action));
        for (int source = 0; source < plan.sourceCount(action); source++) {
          int src = memory(plan.srcRank(action, source), plan.srcType(action, source));
          long from = plan.srcOffset(action, source);
          relations.add(new Relation(src, from, dst, plan.dstOffset(action), bytes));
        }
      }
    }
  }

  /** Relates all sources and results of a piece to its first source. */
  private void relate(Piece piece) {
    long bytes = piece.count * elementBytes;
    int first = memory(piece.srcRanks[0], TransportMemType.PARAM_INPUT);
    long start = piece.srcOffset * elementBytes;
    for (int rank : piece.srcRanks) {
      int memory = memory(rank, TransportMemType.PARAM_INPUT);
      relations.add(new Relation(first, start, memory, start, bytes));
    }
    for (int rank : piece.dstRanks) {
      int memory = memory(rank, TransportMemType.PARAM_OUTPUT);
      long at = piece.dstOffset * elementBytes;
      relations.add(new Relation(first, start, memory, at, bytes));
    }
  }

  private int memory(int rank, TransportMemType type) {
    boolean isInput = origin.plan().inPlace() && type == TransportMemType.PARAM_OUTPUT;
    return rank * TYPES.length + (isInput ? TransportMemType.PARAM_INPUT : type).ordinal();
  }

  private void first(int memory, long position) {
    add(memory, new Cut(position, null, null, null));
  }

  private boolean add(int memory, Cut cut) {
    boolean isNew = memories.get(memory).putIfAbsent(cut.position, cut) == null;
    cuts += isNew ? 1 : 0;
    return isNew;
  }

  /** Cuts a span where a related span is cut; true if this added a cut. */
  private boolean map(int from, long fromStart, int to, long toStart, long bytes) {
    TreeMap<Long, Cut> source = memories.get(from);
    Cut start = Objects.requireNonNull(source.get(fromStart));
    Cut base = Objects.requireNonNull(memories.get(to).get(toStart));
    boolean isGrowing = false;
    for (Cut image :
        List.copyOf(source.subMap(fromStart, false, fromStart + bytes, false).values())) {
      Cut cut = new Cut(toStart + image.position - fromStart, base, image, start);
      if (add(to, cut)) {
        derived.add(cut);
        isGrowing = true;
      }
    }
    return isGrowing;
  }

  private void number() {
    marks = new int[cuts];
    isFirst = new boolean[cuts];
    int number = 0;
    for (int memory = 0; memory < memories.size(); memory++) {
      int first = number;
      for (Cut cut : memories.get(memory).values()) {
        isFirst[number] = number == first;
        marks[number] = cut.base == null ? mark(memory, cut.position) : NONE;
        cut.number = number++;
      }
    }
    List<Atoms> found = new ArrayList<>();
    for (Relation each : relations) {
      int first = number(each.memoryA, each.startA);
      int count = number(each.memoryA, each.startA + each.bytes) - first;
      found.add(new Atoms(first, number(each.memoryB, each.startB), count));
    }
    atoms = List.copyOf(found);
    relations.clear();
  }

  private int number(int memory, long position) {
    return Objects.requireNonNull(memories.get(memory).get(position)).number;
  }

  /** The mark of the structure at a place, or -1 if only a piece begins or ends there. */
  private int mark(int memory, long position) {
    try {
      return origin.mark(memory / TYPES.length, TYPES[memory % TYPES.length], position);
    } catch (IllegalStateException e) {
      return NONE;
    }
  }

  /** The approximate size of this object on the heap, in bytes. */
  public long heapBytes() {
    long perCut = 128;
    long perRelation = 32;
    return perCut * cuts + perRelation * atoms.size();
  }

  // ---- comparing

  /**
   * Whether the verdict holds for another plan.
   *
   * @param plan the other plan; if its structure differs, the verdict does not hold
   * @param params each rank's request, of the same algorithm
   */
  public boolean holdsFor(PlanClone plan, List<? extends @Nullable OpParam> params) {
    Arguments.require(plan, "plan");
    Arguments.require(params, "params");
    if (plan.structure() != origin.structure() || !isLike(present(params))) {
      return false;
    }
    long[] positions = positions(plan, pieces(params));
    return positions != null && isInOrder(positions) && isRelated(positions);
  }

  /** Whether requests differ in their counts only, and are judged by the same rules. */
  private boolean isLike(List<OpParam> others) {
    boolean isLike = others.size() == request.size() && fillsEverySlice(others) == fillsEverySlice;
    for (int i = 0; isLike && i < others.size(); i++) {
      OpParam own = request.get(i);
      OpParam other = others.get(i);
      isLike =
          own.getClass() == other.getClass()
              && own.comm().equals(other.comm())
              && own.inPlace() == other.inPlace()
              && OperationSemantics.dataType(own) == OperationSemantics.dataType(other)
              && OperationSemantics.reduceOp(own) == OperationSemantics.reduceOp(other);
    }
    return isLike;
  }

  /** The positions of the cuts in another plan; null if they contradict each other. */
  private long @Nullable [] positions(PlanClone plan, List<Piece> others) {
    long[] positions = new long[cuts];
    Arrays.fill(positions, NONE);
    for (int cut = 0; cut < cuts; cut++) {
      positions[cut] = marks[cut] == NONE ? NONE : plan.position(marks[cut]);
    }
    if (others.size() != pieces.size()) {
      return null;
    }
    for (int i = 0; i < others.size(); i++) {
      if (!place(positions, pieces.get(i), others.get(i))) {
        return null;
      }
    }
    for (Cut cut : derived) {
      positions[cut.number] =
          at(positions, cut.base) + at(positions, cut.image) - at(positions, cut.start);
    }
    return positions;
  }

  private static long at(long[] positions, @Nullable Cut cut) {
    return positions[Objects.requireNonNull(cut).number];
  }

  /** Sets the cuts at the start and end of a piece; false if they have other positions already. */
  private boolean place(long[] positions, Piece own, Piece other) {
    if (!Arrays.equals(own.srcRanks, other.srcRanks)
        || !Arrays.equals(own.dstRanks, other.dstRanks)) {
      return false;
    }
    boolean fits = true;
    for (int rank : own.srcRanks) {
      int memory = memory(rank, TransportMemType.PARAM_INPUT);
      fits &= place(positions, memory, own.srcOffset, other.srcOffset);
      fits &= place(positions, memory, own.srcOffset + own.count, other.srcOffset + other.count);
    }
    for (int rank : own.dstRanks) {
      int memory = memory(rank, TransportMemType.PARAM_OUTPUT);
      fits &= place(positions, memory, own.dstOffset, other.dstOffset);
      fits &= place(positions, memory, own.dstOffset + own.count, other.dstOffset + other.count);
    }
    return fits;
  }

  private boolean place(long[] positions, int memory, long ownElement, long element) {
    int cut = number(memory, ownElement * elementBytes);
    long position = element * elementBytes;
    if (positions[cut] == NONE) {
      positions[cut] = position;
    }
    return positions[cut] == position;
  }

  private boolean isInOrder(long[] positions) {
    for (int cut = 0; cut < cuts; cut++) {
      boolean isAfter = isFirst[cut] || positions[cut] > positions[cut - 1];
      if (!isAfter || positions[cut] % elementBytes != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isRelated(long[] positions) {
    for (Atoms each : atoms) {
      long start = positions[each.first];
      long other = positions[each.second];
      for (int i = 1; i <= each.count; i++) {
        if (positions[each.first + i] - start != positions[each.second + i] - other) {
          return false;
        }
      }
    }
    return true;
  }
}
