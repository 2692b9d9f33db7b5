package dev.tutti.sdk.plan;

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
 * data. Immutable and compact: about 12 bytes for an action, 32 more if it moves data.
 *
 * <p>Two plans are equal if they do the same with the same resources; the source lines do not
 * count.
 */
public final class RankPlan {

  /** Returned by {@link #link} for actions that are not on a link. */
  public static final int NO_LINK = -1;

  /** The most levels of plans nested in plans; consumers may recurse that deep. */
  static final int MAX_NESTING = 64;

  static final int LINK_NOTIFY_BITS = 10;
  private static final TransportMemType[] MEM_TYPES = TransportMemType.values();
  private static final DataType[] DATA_TYPES = DataType.values();
  private static final ReduceOp[] REDUCE_OPS = ReduceOp.values();

  private final int rank;
  private final int streamCount;
  private final int notifyCount;
  private final long[] memSizes;
  private final LinkTable links;

  /** Kind in bits 0-3, stream in 4-15, data type in 16-23, reduction in 24-31. */
  private final int[] head;

  /**
   * Data: index of the operands. Sync on a link: link above {@link #LINK_NOTIFY_BITS} bits of
   * notify. Sync between streams: -1 - notify. Nested: index of the plan.
   */
  private final int[] argument;

  private final Operands operands;
  private final List<RankPlan> nested;
  private final int @Nullable [] sourceIds;
  private final List<String> sources;
  private final int nestingDepth;
  private final long totalActionCount;

  RankPlan(
      int rank,
      int streamCount,
      int notifyCount,
      long[] memSizes,
      LinkTable links,
      int[] head,
      int[] argument,
      Operands operands,
      List<RankPlan> nested,
      int @Nullable [] sourceIds,
      List<String> sources) {
    this.rank = rank;
    this.streamCount = streamCount;
    this.notifyCount = notifyCount;
    this.memSizes = memSizes;
    this.links = links;
    this.head = head;
    this.argument = argument;
    this.operands = operands;
    this.nested = List.copyOf(nested);
    this.sourceIds = sourceIds;
    this.sources = List.copyOf(sources);
    this.nestingDepth = nestingDepth(rank, this.nested);
    this.totalActionCount = totalActionCount();
  }

  private static int nestingDepth(int rank, List<RankPlan> nested) {
    int depth = 1 + nested.stream().mapToInt(plan -> plan.nestingDepth).max().orElse(-1);
    if (depth > MAX_NESTING) {
      throw new TuttiException(
          ErrorCode.INVALID_PLAN,
          "plans can be nested %d levels deep at most; the plan of rank %d goes deeper, so make one"
              + " long sequence instead of sequences of sequences",
          MAX_NESTING,
          rank);
    }
    return depth;
  }

  private long totalActionCount() {
    long total = head.length;
    for (int action = 0; action < head.length && !nested.isEmpty(); action++) {
      if (kind(action) == ActionKind.NESTED) {
        long inner = nested.get(argument[action]).totalActionCount - 1;
        total = inner > Long.MAX_VALUE - total ? Long.MAX_VALUE : total + inner;
      }
    }
    return total;
  }

  /** A plan that does nothing and needs nothing. */
  public static RankPlan empty(int rank) {
    return new PlanBuilder(rank, 1, 0, new long[MEM_TYPES.length], LinkTable.EMPTY).build();
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
    return memSizes[type.ordinal()];
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
    return links.plane(link);
  }

  /** The place of a link's sub-communicator in its level. */
  public int linkSubComm(int link) {
    return links.subComm(link);
  }

  /** The number of notifies at each end of a link. */
  public int linkNotifyCount(int link) {
    return links.notifyCount(link);
  }

  /** The links of this rank. */
  LinkTable links() {
    return links;
  }

  /** The number of actions. Actions are numbered from 0 in the order of emission. */
  public int actionCount() {
    return head.length;
  }

  /** The kind of an action. */
  public ActionKind kind(int action) {
    return ActionKind.at(head[action] & 0xf);
  }

  /** The stream of an action, 0 for the main stream. */
  public int stream(int action) {
    return head[action] >>> 4 & 0xfff;
  }

  /** The link of a POST or AWAIT, or {@link #NO_LINK} if it is between streams of this rank. */
  public int link(int action) {
    requireSync(action);
    return argument[action] < 0 ? NO_LINK : argument[action] >>> LINK_NOTIFY_BITS;
  }

  /** The index of the notify of a POST or AWAIT: on its link, or among this rank's own. */
  public int notify(int action) {
    requireSync(action);
    int value = argument[action];
    return value < 0 ? -1 - value : value & (1 << LINK_NOTIFY_BITS) - 1;
  }

  /** The bytes that a data action writes. */
  public long bytes(int action) {
    return operands.bytes(operand(action));
  }

  /** The rank whose memory a data action writes. */
  public int dstRank(int action) {
    return operands.dstMem(operand(action)) >>> 3;
  }

  /** The kind of memory a data action writes. */
  public TransportMemType dstType(int action) {
    return MEM_TYPES[operands.dstMem(operand(action)) & 7];
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
    return operands.srcMem(operand(action), kind(action), source) >>> 3;
  }

  /** The kind of memory of a source. */
  public TransportMemType srcType(int action, int source) {
    return MEM_TYPES[operands.srcMem(operand(action), kind(action), source) & 7];
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
    return DATA_TYPES[head[action] >>> 16 & 0xff];
  }

  /** The reduction of a REDUCE or REDUCE_FROM. */
  public ReduceOp reduceOp(int action) {
    requireReduce(action);
    return REDUCE_OPS[head[action] >>> 24];
  }

  /** The plan that a NESTED action runs. */
  public RankPlan nested(int action) {
    if (kind(action) != ActionKind.NESTED) {
      throw wrongKind(action, "a nested plan");
    }
    return nested.get(argument[action]);
  }

  /** The nested plans, each once. */
  List<RankPlan> nestedPlans() {
    return nested;
  }

  /** The actions of this plan, with those of nested plans in the place of each NESTED action. */
  long expandedActionCount() {
    return totalActionCount;
  }

  /** The index of the nested plan of an action. */
  int nestedIndex(int action) {
    return argument[action];
  }

  /** Whether source lines were recorded. */
  public boolean hasSources() {
    return sourceIds != null;
  }

  /**
   * The line of the author's code that emitted an action, as {@code Class.method(File.java:12)}, or
   * {@code "?"} if lines were not recorded.
   */
  public String source(int action) {
    return sourceIds == null ? "?" : sources.get(sourceIds[action]);
  }

  /** One action for people, for example {@code "await FIN from rank 2"}. */
  public String describe(int action) {
    return PlanText.describe(this, action);
  }

  private int operand(int action) {
    if (!kind(action).isData()) {
      throw wrongKind(action, "operands");
    }
    return argument[action];
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
    return other instanceof RankPlan that
        && rank == that.rank
        && streamCount == that.streamCount
        && notifyCount == that.notifyCount
        && Arrays.equals(memSizes, that.memSizes)
        && links.equals(that.links)
        && Arrays.equals(head, that.head)
        && Arrays.equals(argument, that.argument)
        && operands.equals(that.operands)
        && nested.equals(that.nested);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * rank + Arrays.hashCode(head)) + Arrays.hashCode(argument))
        + operands.hashCode();
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
}
