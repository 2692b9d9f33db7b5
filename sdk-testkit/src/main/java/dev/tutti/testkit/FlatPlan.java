package dev.tutti.testkit;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.ActionKind;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group plan as streams of events over numbered notify cells and numbered memories. Immutable
 * once built.
 */
final class FlatPlan {

  static final int MEM_KINDS = TransportMemType.values().length;

  private final GroupPlan plan;
  private final List<FlatStream> streams = new ArrayList<>();
  private final Place.Cells cells = new Place.Cells();

  /** For each memory the end of the last byte that is touched. */
  private final long[] extents;

  private FlatPlan(GroupPlan plan) {
    this.plan = plan;
    this.extents = new long[plan.rankSize() * MEM_KINDS];
    Place place = new Place(plan.ranks(), cells);
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      FlatStream main = new FlatStream(rank, 0, null);
      streams.add(main);
      main.addBorder(FlatStream.BEGIN);
      addEvents(place, rank, main, null);
      main.addBorder(FlatStream.END);
    }
  }

  /**
   * Flattens a plan.
   *
   * @throws TuttiException with {@link ErrorCode#LINK_MISMATCH} if an action posts where the peer
   *     has no notify, {@link ErrorCode#OUT_OF_BOUNDS} if one reaches beyond a memory
   */
  static FlatPlan of(GroupPlan plan) {
    return new FlatPlan(plan);
  }

  /** Adds the plan of a rank at a place; its stream 0 continues {@code main}. */
  private void addEvents(Place place, int rank, FlatStream main, @Nullable String nestedIn) {
    Place.Node node = place.node(rank);
    RankPlan rankPlan = node.plan;
    List<FlatStream> own = new ArrayList<>();
    own.add(main);
    for (int number = 1; number < rankPlan.streamCount(); number++) {
      own.add(new FlatStream(rank, number, nestedIn));
    }
    int doneBase = nestedIn == null ? -1 : forkNested(own);
    int nested = 0;
    for (int action = 0; action < rankPlan.actionCount(); action++) {
      FlatStream stream = own.get(rankPlan.stream(action));
      if (rankPlan.kind(action) == ActionKind.NESTED) {
        addEvents(place.child(nested), rank, stream, "nested plan " + nested);
        nested++;
      } else {
        stream.addAction(node, action);
        if (rankPlan.kind(action).isData()) {
          measure(rankPlan, action);
        }
      }
    }
    for (int number = 1; number < own.size(); number++) {
      if (doneBase >= 0) {
        own.get(number).addSync(false, doneBase + number - 1);
        main.addSync(true, doneBase + number - 1);
      }
      if (own.get(number).size() > 0) {
        streams.add(own.get(number));
      }
    }
  }

  /** Lets the slave streams of a nested plan wait for its start; gives the cells of their ends. */
  private int forkNested(List<FlatStream> own) {
    int slaves = own.size() - 1;
    int startBase = cells.take(slaves);
    for (int number = 1; number <= slaves; number++) {
      own.getFirst().addSync(false, startBase + number - 1);
      own.get(number).addSync(true, startBase + number - 1);
    }
    return cells.take(slaves);
  }

  private void measure(RankPlan rankPlan, int action) {
    long bytes = rankPlan.bytes(action);
    measure(
        rankPlan,
        action,
        rankPlan.dstRank(action),
        rankPlan.dstType(action),
        rankPlan.dstOffset(action) + bytes);
    for (int i = 0; i < rankPlan.sourceCount(action); i++) {
      measure(
          rankPlan,
          action,
          rankPlan.srcRank(action, i),
          rankPlan.srcType(action, i),
          rankPlan.srcOffset(action, i) + bytes);
    }
  }

  private void measure(RankPlan rankPlan, int action, int owner, TransportMemType type, long end) {
    long size = owner < plan.rankSize() ? plan.rank(owner).memSize(type) : 0;
    if (end > size || end < 0) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "rank %d does '%s', but rank %d has %d bytes of %s memory",
          rankPlan.rank(),
          rankPlan.describe(action),
          owner,
          size,
          type.label());
    }
    int memory = owner * MEM_KINDS + type.ordinal();
    extents[memory] = Math.max(extents[memory], end);
  }

  GroupPlan plan() {
    return plan;
  }

  /** The streams that have events; each rank's main stream comes before its slave streams. */
  List<FlatStream> streams() {
    return streams;
  }

  int cellCount() {
    return cells.count();
  }

  /** The end of the last byte of a memory that any action touches. */
  long extent(int rank, TransportMemType type) {
    return extents[rank * MEM_KINDS + type.ordinal()];
  }

  /** The number of a memory; in place, a rank's input and output are one. */
  int memory(int rank, TransportMemType type) {
    TransportMemType kind =
        plan.inPlace() && type == TransportMemType.PARAM_OUTPUT
            ? TransportMemType.PARAM_INPUT
            : type;
    return rank * MEM_KINDS + kind.ordinal();
  }

  /** The number of memory numbers. */
  int memoryCount() {
    return extents.length;
  }

  /** A memory by its number, for people. */
  String memoryName(int memory) {
    TransportMemType type = TransportMemType.values()[memory % MEM_KINDS];
    boolean isBoth = plan.inPlace() && type == TransportMemType.PARAM_INPUT;
    return "rank " + memory / MEM_KINDS + "'s " + (isBoth ? "in-place buffer" : type.label());
  }
}
