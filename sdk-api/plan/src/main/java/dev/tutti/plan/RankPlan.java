package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one rank: its actions in the order in which they were emitted. Actions of one stream
 * run in that order; only notifies order different streams. A plan has no addresses and no data.
 * Immutable and compact: 1 to 4 bytes for an action, and 8 to 32 more if it moves data. Ranks that
 * were recorded together and do the same with different peers share most of it, and offsets that a
 * loop increments are stored as runs. So a rank of a regular algorithm takes about a kilobyte,
 * however many actions it has.
 *
 * <p>Two plans are equal if they do the same with the same resources; source lines do not matter.
 */
public final class RankPlan {

  /** Returned by {@link #link} for actions that are not on a link. */
  public static final int NO_LINK = -1;

  private static final DataType[] DATA_TYPES = DataType.values();
  private static final ReduceOp[] REDUCE_OPS = ReduceOp.values();

  private final int rank;
  private final int streamCount;
  private final int notifyCount;
  private final long[] memSizes;
  private final LinkTable links;

  private final Actions actions;

  /** The links that actions name, in the order of their first use. */
  private final int[] usedLinks;

  private final Operands operands;
  private final List<RankPlan> nested;
  private final int @Nullable [] sourceIds;
  private final List<String> sources;
  private final Nesting nesting;

  RankPlan(
      int rank,
      int streamCount,
      int notifyCount,
      long[] memSizes,
      LinkTable links,
      Actions actions,
      int[] usedLinks,
      Operands operands,
      List<RankPlan> nested,
      int @Nullable [] sourceIds,
      List<String> sources) {
    this.rank = rank;
    this.streamCount = streamCount;
    this.notifyCount = notifyCount;
    this.memSizes = memSizes;
    this.links = links;
    this.actions = actions;
    this.usedLinks = usedLinks;
    this.operands = operands;
    this.nested = List.copyOf(nested);
    this.sourceIds = sourceIds;
    this.sources = sources;
    this.nesting = Nesting.of(rank, actions, nested.stream().map(RankPlan::nesting).toList());
  }

  /**
   * The plan of the same structure with other positions of the marks.
   *
   * @param sizes the sizes of its memories; must not change afterwards
   * @param positions the positions by mark; must not change afterwards
   */
  RankPlan moved(long[] sizes, Operands.Marks marks, long[] positions) {
    return new RankPlan(
        rank,
        streamCount,
        notifyCount,
        sizes,
        links,
        actions,
        usedLinks,
        operands.moved(marks, positions),
        nested,
        sourceIds,
        sources);
  }

  /** The operands of the data actions. */
  Operands operands() {
    return operands;
  }

  /** The rank whose plan this is. */
  public int rank() {
    return rank;
  }

  /** The number of streams, the main stream (0) included. */
  public int streamCount() {
    return streamCount;
  }

  /** The number of notifies between this rank's own streams. */
  public int notifyCount() {
    return notifyCount;
  }

  /** The size of this rank's memory of one kind, in bytes. */
  public long memSize(TransportMemType type) {
    Arguments.require(type, "type");
    return memSizes[type.ordinal()];
  }

  /** The sizes of all kinds of memory; callers must not change the array. */
  long[] memSizes() {
    return memSizes;
  }

  /** The number of links that this rank requested. Links are numbered from 0. */
  public int linkCount() {
    return links.size();
  }

  /** The peer of a link. */
  public int linkPeer(int link) {
    return links.peer(link);
  }

  /** The level of a link's sub-communicator. */
  public CommPlane linkPlane(int link) {
    return links.kind(link).plane();
  }

  /** The place of a link's sub-communicator in its level. */
  public int linkSubComm(int link) {
    return links.kind(link).subComm();
  }

  /** The number of notifies at each end of a link. */
  public int linkNotifyCount(int link) {
    return links.kind(link).notifyCount();
  }

  /** The links of this rank. */
  LinkTable links() {
    return links;
  }

  /** The number of actions. Actions are numbered from 0 in the order of emission. */
  public int actionCount() {
    return actions.count();
  }

  /** The kind of an action. */
  public ActionKind kind(int action) {
    return Actions.kind(actions.head(action));
  }

  /** The stream of an action, 0 for the main stream. */
  public int stream(int action) {
    return Actions.stream(actions.head(action));
  }

  /** The link of a POST or AWAIT, or {@link #NO_LINK} if it is between streams of this rank. */
  public int link(int action) {
    requireSync(action);
    int value = actions.argument(action);
    return value < 0 ? NO_LINK : usedLinks[value >>> LinkTable.NOTIFY_BITS];
  }

  /** The index of the notify of a POST or AWAIT: on its link, or among this rank's own. */
  public int notify(int action) {
    requireSync(action);
    int value = actions.argument(action);
    return value < 0 ? -1 - value : value & (1 << LinkTable.NOTIFY_BITS) - 1;
  }

  /**
   * The form of an action: its kind, stream, link, notify, nested plan, element type and reduction;
   * everything except its memory operands. A plan has few forms, and actions of one form differ
   * only in their memory, so a consumer of long plans can look at each form once.
   *
   * @return 0 to {@code formCount() - 1}, in the order of the first actions
   */
  public int form(int action) {
    return actions.code(action);
  }

  /** The number of forms. */
  public int formCount() {
    return actions.codeCount();
  }

  /** The first action of a form. */
  public int firstOfForm(int form) {
    return actions.first(form);
  }

  /** Receives the memory accesses of a plan. */
  @FunctionalInterface
  public interface AccessVisitor {

    /**
     * An action reads or writes a span of memory. A REDUCE also reads the span that it writes.
     *
     * @param action the data action
     * @param rank the rank that owns the memory
     * @param offset the start of the span, in bytes
     * @param bytes the length of the span, 1 or more
     */
    void access(
        int action, int rank, TransportMemType type, long offset, long bytes, boolean isWrite);
  }

  /**
   * Visits the memory accesses of the data actions, in the order of the actions: for each action
   * its sources in their order, then its destination. Faster than a query for each operand. Skips
   * nested plans.
   */
  public void forEachAccess(AccessVisitor visitor) {
    Arguments.require(visitor, "visitor");
    int operand = 0;
    for (int action = actions.nextData(0);
        action < actions.count();
        action = actions.nextData(action + 1)) {
      if (Actions.kind(actions.head(action)) == ActionKind.REDUCE_FROM) {
        operands.visitList(visitor, action, operand);
      } else {
        operands.visit(visitor, action, operand);
      }
      operand++;
    }
  }

  /** Whether an action runs a nested plan. */
  public boolean hasNested() {
    return !nested.isEmpty();
  }

  /** The bytes that a data action writes. */
  public long bytes(int action) {
    return operands.bytes(operand(action));
  }

  /** The rank whose memory a data action writes. */
  public int dstRank(int action) {
    return operands.dstRank(operand(action));
  }

  /** The kind of memory a data action writes. */
  public TransportMemType dstType(int action) {
    return operands.dstType(operand(action));
  }

  /** The offset in bytes at which a data action writes. */
  public long dstOffset(int action) {
    return operands.dstOffset(operand(action));
  }

  /** The span that a data action writes. */
  public DeviceMem dst(int action) {
    return new DeviceMem(dstRank(action), dstType(action), dstOffset(action), bytes(action));
  }

  /** The number of sources of a data action: 1, or more for REDUCE_FROM. */
  public int sourceCount(int action) {
    return operands.sourceCount(operand(action), kind(action));
  }

  /** The rank that owns the memory of a source. */
  public int srcRank(int action, int source) {
    return operands.srcRank(operand(action), kind(action), source);
  }

  /** The kind of memory of a source. */
  public TransportMemType srcType(int action, int source) {
    return operands.srcType(operand(action), kind(action), source);
  }

  /** The offset in bytes of a source. */
  public long srcOffset(int action, int source) {
    return operands.srcOffset(operand(action), kind(action), source);
  }

  /** A source of a data action. */
  public DeviceMem src(int action, int source) {
    return new DeviceMem(
        srcRank(action, source), srcType(action, source), srcOffset(action, source), bytes(action));
  }

  /** The element type of a REDUCE or REDUCE_FROM. */
  public DataType dataType(int action) {
    requireReduce(action);
    return DATA_TYPES[Actions.dataType(actions.head(action))];
  }

  /** The reduction of a REDUCE or REDUCE_FROM. */
  public ReduceOp reduceOp(int action) {
    requireReduce(action);
    return REDUCE_OPS[Actions.reduceOp(actions.head(action))];
  }

  /** The actions without their operands; ranks with equal actions share them. */
  Actions actions() {
    return actions;
  }

  /** The plan that a NESTED action runs. */
  public RankPlan nested(int action) {
    if (kind(action) != ActionKind.NESTED) {
      throw PlanText.wrongKind(this, action, "a nested plan");
    }
    return nested.get(nestedIndex(action));
  }

  /** The nested plans, each once. */
  List<RankPlan> nestedPlans() {
    return nested;
  }

  /** The number of actions, with those of the nested plan instead of each NESTED action. */
  long expandedActionCount() {
    return nesting.actions();
  }

  private Nesting nesting() {
    return nesting;
  }

  /** The index of the nested plan of an action. */
  int nestedIndex(int action) {
    return actions.argument(action);
  }

  /** Whether source lines were recorded. */
  public boolean hasSources() {
    return sourceIds != null;
  }

  /**
   * The line of the author's code that emitted an action, as {@code Class.method(File.java:12)}, or
   * {@code "?"} if it was not recorded.
   */
  public String source(int action) {
    return sourceIds == null || sourceIds[action] < 0 ? "?" : sources.get(sourceIds[action]);
  }

  boolean hasSource(int action) {
    return sourceIds != null && sourceIds[action] >= 0;
  }

  /** One action in words, for example {@code "await FIN from rank 2"}. */
  public String describe(int action) {
    return PlanText.describe(this, action);
  }

  private int operand(int action) {
    if (!kind(action).isData()) {
      throw PlanText.wrongKind(this, action, "operands");
    }
    return actions.operand(action);
  }

  private void requireSync(int action) {
    if (!kind(action).isSync()) {
      throw PlanText.wrongKind(this, action, "a notify");
    }
  }

  private void requireReduce(int action) {
    ActionKind kind = kind(action);
    if (kind != ActionKind.REDUCE && kind != ActionKind.REDUCE_FROM) {
      throw PlanText.wrongKind(this, action, "a reduction");
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof RankPlan that && isEqual(that));
  }

  /** Links and peers are numbered by their first use, so equal plans have equal arrays. */
  private boolean isEqual(RankPlan that) {
    return rank == that.rank
        && streamCount == that.streamCount
        && notifyCount == that.notifyCount
        && Arrays.equals(memSizes, that.memSizes)
        && links.equals(that.links)
        && actions.equals(that.actions)
        && Arrays.equals(usedLinks, that.usedLinks)
        && operands.equals(that.operands)
        && nested.equals(that.nested);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * rank + actions.hashCode()) + operands.hashCode();
  }

  /** The actions, one per line; at most the first hundred. */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add("rank " + rank + ": " + actionCount() + " actions on " + streamCount + " streams");
    for (int action = 0; action < Math.min(100, actionCount()); action++) {
      lines.add("  " + action + " s" + stream(action) + " " + describe(action));
    }
    return String.join("\n", lines);
  }
}
