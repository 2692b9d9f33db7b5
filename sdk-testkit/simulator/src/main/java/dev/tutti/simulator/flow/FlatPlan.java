package dev.tutti.simulator.flow;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group plan as streams of events over numbered notify cells and numbered memories. It is a view
 * that copies only the events of plans with nested plans. Immutable once built.
 */
public final class FlatPlan {

  /** The number of kinds of memory of a rank. */
  public static final int MEM_KINDS = TransportMemType.values().length;

  private static final TransportMemType[] TYPES = TransportMemType.values();

  private final GroupPlan plan;
  private final Sources sources;
  private final List<FlatStream> streams = new ArrayList<>();
  private final Place place;
  private final int[] mains;
  private final int cellCount;

  /** For each memory the end of the last byte that is touched. */
  private final long[] extents;

  private final boolean[] written;

  private FlatPlan(GroupPlan plan, Sources sources, int workers) {
    this.plan = plan;
    this.sources = sources;
    this.extents = new long[plan.rankSize() * MEM_KINDS];
    this.written = new boolean[extents.length];
    this.mains = new int[plan.rankSize()];
    Place.Cells cells = new Place.Cells();
    this.place = new Place(plan.ranks(), cells, workers);
    int[] firstSync = firstSyncs(plan);
    int[] syncs = syncs(firstSync, workers);
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      mains[rank] = streams.size();
      if (plan.rank(rank).hasNested()) {
        expand(place, rank, cells);
      } else {
        addStreams(plan.rank(rank), syncs, firstSync[rank]);
      }
    }
    this.cellCount = cells.count();
    measure(workers);
  }

  /** Flattens a plan that has its own source lines, or none. */
  public static FlatPlan of(GroupPlan plan) {
    return of(plan, Sources.OF_PLAN);
  }

  /**
   * Flattens a plan.
   *
   * @param sources gives the source lines of actions that findings name
   * @throws TuttiException with {@link ErrorCode#OUT_OF_BOUNDS} if an action reaches beyond a
   *     memory
   */
  public static FlatPlan of(GroupPlan plan, Sources sources) {
    return of(plan, sources, 1);
  }

  /**
   * Flattens a plan on several threads.
   *
   * @param workers the number of threads, the calling one included
   * @throws TuttiException with {@link ErrorCode#OUT_OF_BOUNDS} if an action reaches beyond a
   *     memory
   */
  public static FlatPlan of(GroupPlan plan, Sources sources, int workers) {
    return new FlatPlan(plan, sources, workers);
  }

  /**
   * For each rank without nested plans, the place of its first form among the forms of these ranks.
   */
  private static int[] firstSyncs(GroupPlan plan) {
    int[] first = new int[plan.rankSize() + 1];
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      int forms = plan.rank(rank).hasNested() ? 0 : plan.rank(rank).formCount();
      first[rank + 1] = Math.addExact(first[rank], forms);
    }
    return first;
  }

  private int[] syncs(int[] first, int workers) {
    int[] syncs = new int[first[first.length - 1]];
    RankRanges.map(
        plan.rankSize(),
        workers,
        (from, to) -> {
          for (int rank = from; rank < to; rank++) {
            if (first[rank] < first[rank + 1]) {
              PlanStream.fillSyncs(place.node(rank), syncs, first[rank]);
            }
          }
          return to;
        });
    return syncs;
  }

  /** Adds a view of each stream that has actions, and of the main stream. */
  private void addStreams(RankPlan rankPlan, int[] syncs, int firstSync) {
    int count = rankPlan.streamCount();
    if (count == 1) {
      streams.add(new PlanStream(rankPlan, syncs, firstSync, 0, null, sources));
      return;
    }
    int[] sizes = new int[count];
    for (int action = 0; action < rankPlan.actionCount(); action++) {
      sizes[rankPlan.stream(action)]++;
    }
    int[][] actions = new int[count][];
    for (int number = 0; number < count; number++) {
      actions[number] = new int[sizes[number]];
    }
    Arrays.fill(sizes, 0);
    for (int action = 0; action < rankPlan.actionCount(); action++) {
      int number = rankPlan.stream(action);
      actions[number][sizes[number]++] = action;
    }
    for (int number = 0; number < count; number++) {
      if (number == 0 || sizes[number] > 0) {
        streams.add(new PlanStream(rankPlan, syncs, firstSync, number, actions[number], sources));
      }
    }
  }

  private void expand(Place at, int rank, Place.Cells cells) {
    ExpandedStream main = new ExpandedStream(rank, 0, null, sources);
    streams.add(main);
    main.addBorder(FlatStream.BEGIN);
    addEvents(at, rank, main, FlatStream.NO_PART, null, cells);
    main.addBorder(FlatStream.END);
  }

  /** Adds the plan of a rank at a place; its stream 0 continues {@code main}. */
  private void addEvents(
      Place at,
      int rank,
      ExpandedStream main,
      int part,
      @Nullable String nestedIn,
      Place.Cells cells) {
    Place.Node node = at.node(rank);
    RankPlan rankPlan = node.plan();
    List<ExpandedStream> own = new ArrayList<>();
    own.add(main);
    for (int number = 1; number < rankPlan.streamCount(); number++) {
      own.add(new ExpandedStream(rank, number, nestedIn, sources));
    }
    int doneBase = nestedIn == null ? -1 : forkNested(own, part, cells);
    int nested = 0;
    for (int action = 0; action < rankPlan.actionCount(); action++) {
      ExpandedStream stream = own.get(rankPlan.stream(action));
      if (rankPlan.kind(action) == ActionKind.NESTED) {
        int inner = part == FlatStream.NO_PART ? nested : part;
        addEvents(at.child(nested), rank, stream, inner, "nested plan " + nested, cells);
        nested++;
      } else {
        stream.addAction(node, action, part);
      }
    }
    for (int number = 1; number < own.size(); number++) {
      if (doneBase >= 0) {
        own.get(number).addSync(false, doneBase + number - 1, part);
        main.addSync(true, doneBase + number - 1, part);
      }
      if (own.get(number).size() > 0) {
        streams.add(own.get(number));
      }
    }
  }

  /**
   * Makes the slave streams of a nested plan wait for its start; returns the first cell of their
   * ends.
   */
  private static int forkNested(List<ExpandedStream> own, int part, Place.Cells cells) {
    int slaves = own.size() - 1;
    int startBase = cells.take(slaves);
    for (int number = 1; number <= slaves; number++) {
      own.getFirst().addSync(false, startBase + number - 1, part);
      own.get(number).addSync(true, startBase + number - 1, part);
    }
    return cells.take(slaves);
  }

  private void measure(int workers) {
    List<Extents> parts =
        RankRanges.map(
            plan.rankSize(),
            workers,
            (from, to) -> {
              Extents own = new Extents(plan);
              for (int rank = from; rank < to; rank++) {
                own.add(plan.rank(rank));
              }
              return own;
            });
    parts.forEach(part -> part.mergeInto(extents, written, plan.inPlace()));
  }

  /** Receives the memory accesses of one rank's actions. */
  @FunctionalInterface
  public interface AccessVisitor {

    /**
     * An event reads or writes bytes of a memory. A REDUCE also reads the bytes that it writes.
     *
     * @param offset the offset of the first byte
     * @param bytes the number of bytes, 1 or more
     */
    void access(int stream, int event, int memory, long offset, long bytes, boolean isWrite);
  }

  /**
   * Visits the memory accesses of a rank's data actions, nested plans included. The events of each
   * stream come in their order; for each event, its sources in their order, and then its
   * destination.
   */
  public void forEachAccess(int rank, AccessVisitor visitor) {
    int main = mains[rank];
    int end = endOfRank(rank);
    if (!(streams.get(main) instanceof PlanStream first)) {
      for (int stream = main; stream < end; stream++) {
        forEachAccess(stream, streams.get(stream), visitor);
      }
      return;
    }
    RankPlan own = plan.rank(rank);
    if (own.streamCount() == 1) {
      own.forEachAccess(
          (action, owner, type, offset, bytes, isWrite) ->
              visitor.access(
                  main, first.event(action, 0), memory(owner, type), offset, bytes, isWrite));
      return;
    }
    int[] streamOf = new int[own.streamCount()];
    int[] event = new int[own.streamCount()];
    for (int stream = main; stream < end; stream++) {
      streamOf[streams.get(stream).number()] = stream;
    }
    own.forEachAccess(
        (action, owner, type, offset, bytes, isWrite) -> {
          int number = own.stream(action);
          PlanStream code = (PlanStream) streams.get(streamOf[number]);
          event[number] = code.event(action, event[number]);
          visitor.access(
              streamOf[number], event[number], memory(owner, type), offset, bytes, isWrite);
        });
  }

  private void forEachAccess(int stream, FlatStream code, AccessVisitor visitor) {
    for (int event = 0; event < code.size(); event++) {
      if (code.sync(event) != FlatStream.DATA) {
        continue;
      }
      RankPlan own = code.plan(event);
      int action = code.action(event);
      long bytes = own.bytes(action);
      for (int i = 0; i < own.sourceCount(action); i++) {
        int memory = memory(own.srcRank(action, i), own.srcType(action, i));
        visitor.access(stream, event, memory, own.srcOffset(action, i), bytes, false);
      }
      int memory = memory(own.dstRank(action), own.dstType(action));
      visitor.access(stream, event, memory, own.dstOffset(action), bytes, true);
    }
  }

  /** The plan. */
  public GroupPlan plan() {
    return plan;
  }

  /** The streams that have events; each rank's main stream comes before its slave streams. */
  public List<FlatStream> streams() {
    return streams;
  }

  /** The number of a rank's main stream in {@link #streams}. */
  public int mainStream(int rank) {
    return mains[rank];
  }

  /** The number in {@link #streams} after a rank's last stream. */
  public int endOfRank(int rank) {
    return rank + 1 < mains.length ? mains[rank + 1] : streams.size();
  }

  /** The number of notify cells. */
  public int cellCount() {
    return cellCount;
  }

  /** The plan of a rank at the outermost place, with its cells. */
  public Place.Node node(int rank) {
    return place.node(rank);
  }

  /** The end of the last byte of a memory that any action touches. */
  public long extent(int rank, TransportMemType type) {
    return extents[rank * MEM_KINDS + type.ordinal()];
  }

  /** The end of the last byte of a memory that any action touches. */
  long extent(int memory) {
    boolean isBoth = plan.inPlace() && memoryType(memory) == TransportMemType.PARAM_INPUT;
    int output =
        memory + TransportMemType.PARAM_OUTPUT.ordinal() - TransportMemType.PARAM_INPUT.ordinal();
    return isBoth ? Math.max(extents[memory], extents[output]) : extents[memory];
  }

  /** Whether any action writes a memory. */
  public boolean isWritten(int memory) {
    return written[memory];
  }

  /** The number of a memory; in place, a rank's input and output are one. */
  public int memory(int rank, TransportMemType type) {
    TransportMemType kind =
        plan.inPlace() && type == TransportMemType.PARAM_OUTPUT
            ? TransportMemType.PARAM_INPUT
            : type;
    return rank * MEM_KINDS + kind.ordinal();
  }

  /** The number of memories; their numbers are less. */
  public int memoryCount() {
    return extents.length;
  }

  /** The rank that owns a memory. */
  public static int memoryRank(int memory) {
    return memory / MEM_KINDS;
  }

  /** The kind of a memory. */
  public static TransportMemType memoryType(int memory) {
    return TYPES[memory % MEM_KINDS];
  }

  /** A memory by its number, as text. */
  public String memoryName(int memory) {
    TransportMemType type = memoryType(memory);
    boolean isBoth = plan.inPlace() && type == TransportMemType.PARAM_INPUT;
    return "rank " + memoryRank(memory) + "'s " + (isBoth ? "in-place buffer" : type.label());
  }
}
