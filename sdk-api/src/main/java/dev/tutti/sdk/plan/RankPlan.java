package dev.tutti.sdk.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one rank does: its actions in the order in which they were emitted. Actions of one stream
 * run in that order; different streams are ordered only by notifies. A plan has no addresses and no
 * data. Immutable and compact: 1 to 4 bytes for an action, and 8 to 32 more if it moves data. Of
 * ranks that were recorded together, those that do the same with different peers share most of it,
 * and offsets that a loop counts up are kept as such: a rank of a regular algorithm takes about a
 * kilobyte, whatever the number of its actions.
 *
 * <p>Two plans are equal if they do the same with the same resources; the source lines do not
 * count.
 */
public final class RankPlan {

  /** Returned by {@link #link} for actions that are not on a link. */
  public static final int NO_LINK = -1;

  static final int LINK_NOTIFY_BITS = 10;
  static final int MAX_STREAMS = 1 << 12;
  static final TransportMemType[] MEM_TYPES = TransportMemType.values();
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
    this.nesting = Nesting.of(rank, actions, this.nested);
  }

  /** A plan that does nothing and needs nothing. */
  public static RankPlan empty(int rank) {
    return new PlanBuilder(new Interner(), rank, 1, 0, new long[MEM_TYPES.length], LinkTable.EMPTY)
        .build();
  }

  /**
   * Starts a plan with the rank, streams, notifies, memory sizes and links of another one, and
   * without actions.
   */
  public static Builder builder(RankPlan like) {
    Arguments.require(like, "like");
    return new RankPlanBuilder(like);
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

  /** The sizes of all kinds of memory; nobody changes them. */
  long[] memSizes() {
    return memSizes;
  }

  /** The number of links this rank asked for. Links are numbered from 0. */
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
    return value < 0 ? NO_LINK : usedLinks[value >>> LINK_NOTIFY_BITS];
  }

  /** The index of the notify of a POST or AWAIT: on its link, or among this rank's own. */
  public int notify(int action) {
    requireSync(action);
    int value = actions.argument(action);
    return value < 0 ? -1 - value : value & (1 << LINK_NOTIFY_BITS) - 1;
  }

  /**
   * The form of an action: its kind, stream, link, notify, nested plan, element type and reduction,
   * everything but the memory it moves. A plan has few forms, and actions of one form differ in
   * their memory only, so that a consumer of long plans can look at each form once.
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

  /** Sees the accesses of a plan to memory. */
  @FunctionalInterface
  public interface AccessVisitor {

    /**
     * An action reads or writes a span of memory. What a REDUCE writes it also reads.
     *
     * @param action the data action
     * @param rank the rank that owns the memory
     * @param offset where the span begins, in bytes
     * @param bytes the length of the span, 1 or more
     */
    void access(
        int action, int rank, TransportMemType type, long offset, long bytes, boolean isWrite);
  }

  /**
   * Shows what the data actions access, in the order of the actions: of each its sources in their
   * order, then what it writes. Faster than asking for each operand. Nested plans are left out.
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
    return MEM_TYPES[operands.dstType(operand(action))];
  }

  /** The offset in bytes at which a data action writes. */
  public long dstOffset(int action) {
    return operands.dstOffset(operand(action));
  }

  /** What a data action writes. */
  public DeviceMem dst(int action) {
    return new DeviceMem(dstRank(action), dstType(action), dstOffset(action), bytes(action));
  }

  /** The number of sources of a data action: 1, or more for REDUCE_FROM. */
  public int sourceCount(int action) {
    return operands.sourceCount(operand(action), kind(action));
  }

  /** The rank whose memory a source is. */
  public int srcRank(int action, int source) {
    return operands.srcRank(operand(action), kind(action), source);
  }

  /** The kind of memory of a source. */
  public TransportMemType srcType(int action, int source) {
    return MEM_TYPES[operands.srcType(operand(action), kind(action), source)];
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

  /** All of the actions but their operands; ranks that do the same share it. */
  Actions actions() {
    return actions;
  }

  /** The plan that a NESTED action runs. */
  public RankPlan nested(int action) {
    if (kind(action) != ActionKind.NESTED) {
      throw wrongKind(action, "a nested plan");
    }
    return nested.get(nestedIndex(action));
  }

  /** The nested plans, each once. */
  List<RankPlan> nestedPlans() {
    return nested;
  }

  /** The actions of this plan, with those of nested plans in the place of each NESTED action. */
  long expandedActionCount() {
    return nesting.actions();
  }

  Nesting nesting() {
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

  /** One action for people, for example {@code "await FIN from rank 2"}. */
  public String describe(int action) {
    return PlanText.describe(this, action);
  }

  private int operand(int action) {
    if (!kind(action).isData()) {
      throw wrongKind(action, "operands");
    }
    return actions.operand(action);
  }

  private void requireSync(int action) {
    if (!kind(action).isSync()) {
      throw wrongKind(action, "a notify");
    }
  }

  private void requireReduce(int action) {
    ActionKind kind = kind(action);
    if (kind != ActionKind.REDUCE && kind != ActionKind.REDUCE_FROM) {
      throw wrongKind(action, "a reduction");
    }
  }

  private TuttiException wrongKind(int action, String asked) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "action %d of rank %d has not %s: it is %s",
        action,
        rank,
        asked,
        kind(action));
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

  /** The actions, a line each; at most the first hundred. */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add("rank " + rank + ": " + actionCount() + " actions on " + streamCount + " streams");
    for (int action = 0; action < Math.min(100, actionCount()); action++) {
      lines.add("  " + action + " s" + stream(action) + " " + describe(action));
    }
    return String.join("\n", lines);
  }

  /**
   * Builds the plan of one rank action by action. For tools that transform or generate plans;
   * executors do not use it, and their plans are checked while they are recorded. This builder does
   * not judge: it takes operands that reach beyond memory or overlap, links without a reverse, and
   * syncs that nobody answers.
   *
   * <p>What the form of a plan cannot hold is refused with {@link ErrorCode#INVALID_PLAN}: an
   * action that names a stream, link or notify which the plan does not declare, or data of no
   * bytes, of unequal sizes or of half an element. Not thread-safe. Every method but {@link
   * #build()} and {@link #actionCount()} returns this builder.
   */
  public sealed interface Builder permits RankPlanBuilder {

    /**
     * Declares another number of streams, the main stream included.
     *
     * @param streams 1 to 4096, and more than the stream of every action so far
     */
    Builder streamCount(int streams);

    /**
     * Declares another number of notifies between this rank's own streams.
     *
     * @param notifies 0 or more, and more than every such notify named so far
     */
    Builder notifyCount(int notifies);

    /** Declares another size of this rank's memory of one kind, in bytes. */
    Builder memSize(TransportMemType type, long bytes);

    /**
     * Drops a stream that no action so far is on. The streams above it, and the actions on them,
     * move down by one.
     *
     * @param stream 1 or more: the main stream stays
     */
    Builder withoutStream(int stream);

    /** Drops a link that no action so far is on. The links above it move down by one. */
    Builder withoutLink(int link);

    /**
     * Adds an action of a plan, with its source line if it has one. Its stream and its notify keep
     * their numbers; its link is found by plane, sub-communicator and peer.
     */
    Builder append(RankPlan from, int action);

    /** Adds all actions of a plan in their order, as {@link #append} does. */
    Builder appendAll(RankPlan from);

    /** Adds {@code dst = src}. Both are equally large, not empty, and of any ranks. */
    Builder copy(int stream, DeviceMem dst, DeviceMem src);

    /** Adds {@code dst = dst ⊕ src}. Both are equally large, not empty, and of any ranks. */
    Builder reduce(int stream, DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp);

    /** Adds {@code dst = ((s0 ⊕ s1) ⊕ s2) …} of two sources or more. */
    Builder reduceFrom(
        int stream, DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp);

    /**
     * Adds a POST.
     *
     * @param link the link, or {@link #NO_LINK} to post a notify of this rank
     * @param notify the index on the link, or among this rank's own
     */
    Builder post(int stream, int link, int notify);

    /**
     * Adds an AWAIT.
     *
     * @param link the link, or {@link #NO_LINK} to await a notify of this rank
     * @param notify the index on the link, or among this rank's own
     */
    Builder await(int stream, int link, int notify);

    /**
     * Adds a run of another plan of this rank.
     *
     * @param plan nested 63 levels deep at most
     */
    Builder nested(int stream, RankPlan plan);

    /** Names the source line of the action added last. */
    Builder source(String line);

    /** The number of actions so far. */
    int actionCount();

    /** The plan so far. The builder may go on. */
    RankPlan build();
  }
}
