package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the plan of one rank action by action. It is for tools that transform or generate plans.
 * Executors do not use it; their plans are checked while they are recorded. This builder accepts
 * operands that reach beyond memory or overlap, links without a reverse, and syncs without a
 * counterpart.
 *
 * <p>With {@link ErrorCode#INVALID_PLAN}, it refuses what a plan cannot represent: an action on a
 * stream, link or notify that the plan does not declare, and data of zero bytes, unequal sizes or
 * partial elements. Not thread-safe. Every method but {@link #build()} and {@link #actionCount()}
 * returns this builder.
 */
public final class RankPlanBuilder {

  private static final int MAX_STREAMS = AlgResourceRequest.MAX_STREAMS + 1;

  private final PlanBuilder plan;

  /** Starts a plan with one stream, and without actions, notifies, memory and links. */
  public RankPlanBuilder(int rank) {
    long[] memSizes = new long[TransportMemType.values().length];
    this.plan = new PlanBuilder(new Interner(), rank, 1, 0, memSizes, LinkTable.EMPTY);
  }

  /**
   * Starts a plan with the rank, streams, notifies, memory sizes and links of another one, and
   * without actions.
   */
  public RankPlanBuilder(RankPlan like) {
    Arguments.require(like, "like");
    this.plan =
        new PlanBuilder(
            new Interner(),
            like.rank(),
            like.streamCount(),
            like.notifyCount(),
            like.memSizes(),
            like.links());
  }

  // ---- what the plan declares

  /**
   * Declares another number of streams, the main stream included.
   *
   * @param streams 1 to 4096, and more than the stream of every action so far
   */
  public RankPlanBuilder streamCount(int streams) {
    int least = 1 + plan.highestStream();
    if (streams < least || streams > MAX_STREAMS) {
      throw broken(
          "it must have %d to %d streams, as its actions name. Actual: %d",
          least, MAX_STREAMS, streams);
    }
    plan.setStreamCount(streams);
    return this;
  }

  /**
   * Declares another number of notifies between this rank's own streams.
   *
   * @param notifies 0 or more, and more than every such notify used so far
   */
  public RankPlanBuilder notifyCount(int notifies) {
    int least = 1 + plan.highestOwnNotify();
    if (notifies < least) {
      throw broken(
          "it must have %d notifies or more, as its actions name. Actual: %d", least, notifies);
    }
    plan.setNotifyCount(notifies);
    return this;
  }

  /** Declares another size of this rank's memory of one kind, in bytes. */
  public RankPlanBuilder memSize(TransportMemType type, long bytes) {
    Arguments.require(type, "type");
    if (bytes < 0) {
      throw broken("%s memory must have 0 bytes or more. Actual: %d", type.label(), bytes);
    }
    plan.setMemSize(type, bytes);
    return this;
  }

  /**
   * Removes a stream that has no action so far. The streams above it, and the actions on them, move
   * down by one.
   *
   * @param stream 1 or more; the main stream must stay
   */
  public RankPlanBuilder withoutStream(int stream) {
    if (stream == 0) {
      throw broken("the main stream cannot be dropped");
    }
    checkStream(stream);
    if (!plan.removeStream(stream)) {
      throw broken("stream %d cannot be dropped: actions are on it", stream);
    }
    return this;
  }

  /** Removes a link that has no action so far. The links above it move down by one. */
  public RankPlanBuilder withoutLink(int link) {
    checkLink(link);
    if (!plan.removeLink(link)) {
      throw broken(
          "link %d to rank %d cannot be dropped: actions are on it", link, plan.links().peer(link));
    }
    return this;
  }

  // ---- actions

  /**
   * Adds an action of a plan, with its source line if it has one. Its stream and its notify keep
   * their numbers; the builder finds its link by plane, sub-communicator and peer.
   */
  public RankPlanBuilder append(RankPlan from, int action) {
    Arguments.require(from, "from");
    int stream = from.stream(action);
    ActionKind kind = from.kind(action);
    switch (kind) {
      case COPY -> copy(stream, from.dst(action), from.src(action, 0));
      case REDUCE ->
          reduce(
              stream,
              from.dst(action),
              from.src(action, 0),
              from.dataType(action),
              from.reduceOp(action));
      case REDUCE_FROM -> {
        List<DeviceMem> sources = new ArrayList<>();
        for (int source = 0; source < from.sourceCount(action); source++) {
          sources.add(from.src(action, source));
        }
        reduceFrom(stream, from.dst(action), sources, from.dataType(action), from.reduceOp(action));
      }
      case POST, AWAIT -> sync(kind, stream, linkOf(from, action), from.notify(action));
      case NESTED -> nested(stream, from.nested(action));
    }
    if (from.hasSource(action)) {
      plan.setSource(from.source(action));
    }
    return this;
  }

  private int linkOf(RankPlan from, int action) {
    int link = from.link(action);
    if (link == RankPlan.NO_LINK) {
      return RankPlan.NO_LINK;
    }
    LinkKind kind = from.links().kind(link);
    int found = plan.links().find(kind.plane(), kind.subComm(), from.linkPeer(link));
    if (found < 0) {
      throw broken(
          "action %d is on the link to rank %d in %s, which is not there",
          action, from.linkPeer(link), kind.key());
    }
    return found;
  }

  /** Adds all actions of a plan in their order, as {@link #append} does. */
  public RankPlanBuilder appendAll(RankPlan from) {
    Arguments.require(from, "from");
    for (int action = 0; action < from.actionCount(); action++) {
      append(from, action);
    }
    return this;
  }

  /**
   * Adds {@code dst = src}. Both have the same size, are not empty, and may belong to any ranks.
   */
  public RankPlanBuilder copy(int stream, DeviceMem dst, DeviceMem src) {
    Arguments.require(dst, "dst");
    Arguments.require(src, "src");
    checkStream(stream);
    checkSizes(dst, src);
    plan.addData(ActionKind.COPY, stream, dst, src, null, null);
    return this;
  }

  /**
   * Adds {@code dst = dst ⊕ src}. Both have the same size, are not empty, and may belong to any
   * ranks.
   */
  public RankPlanBuilder reduce(
      int stream, DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(dst, "dst");
    Arguments.require(src, "src");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    checkStream(stream);
    checkSizes(dst, src);
    checkElements(dst, dataType, reduceOp);
    plan.addData(ActionKind.REDUCE, stream, dst, src, dataType, reduceOp);
    return this;
  }

  /** Adds {@code dst = ((s0 ⊕ s1) ⊕ s2) …} of two sources or more. */
  public RankPlanBuilder reduceFrom(
      int stream, DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp) {
    Arguments.require(dst, "dst");
    Arguments.require(sources, "sources");
    Arguments.require(dataType, "dataType");
    Arguments.require(reduceOp, "reduceOp");
    checkStream(stream);
    if (sources.size() < 2) {
      throw broken("reduceFrom must have two sources or more. Actual: %d", sources.size());
    }
    for (DeviceMem source : sources) {
      checkSizes(dst, source);
    }
    checkElements(dst, dataType, reduceOp);
    plan.addReduceFrom(stream, dst, sources, dataType, reduceOp);
    return this;
  }

  /**
   * Adds a POST.
   *
   * @param link the link, or {@link RankPlan#NO_LINK} to post a notify of this rank
   * @param notify the index on the link, or among this rank's own
   */
  public RankPlanBuilder post(int stream, int link, int notify) {
    sync(ActionKind.POST, stream, link, notify);
    return this;
  }

  /**
   * Adds an AWAIT.
   *
   * @param link the link, or {@link RankPlan#NO_LINK} to await a notify of this rank
   * @param notify the index on the link, or among this rank's own
   */
  public RankPlanBuilder await(int stream, int link, int notify) {
    sync(ActionKind.AWAIT, stream, link, notify);
    return this;
  }

  private void sync(ActionKind kind, int stream, int link, int notify) {
    checkStream(stream);
    if (link == RankPlan.NO_LINK) {
      checkIndex("the notify", notify, plan.notifyCount());
      plan.addLocalSync(kind, stream, notify);
    } else {
      checkLink(link);
      checkIndex("the notify of a link", notify, plan.links().kind(link).notifyCount());
      plan.addLinkSync(kind, stream, link, notify);
    }
  }

  /**
   * Adds a run of another plan of this rank.
   *
   * @param inner a plan with at most 63 levels of nested plans
   */
  public RankPlanBuilder nested(int stream, RankPlan inner) {
    Arguments.require(inner, "inner");
    checkStream(stream);
    if (inner.rank() != plan.rank()) {
      throw broken("it can only nest plans of its own rank. Actual: rank %d", inner.rank());
    }
    plan.addNested(stream, inner);
    return this;
  }

  /** Sets the source line of the last action. */
  public RankPlanBuilder source(String line) {
    Arguments.require(line, "line");
    if (plan.actionCount() == 0) {
      throw broken("there is no action yet that could have the source line %s", line);
    }
    plan.setSource(line);
    return this;
  }

  /** The number of actions so far. */
  public int actionCount() {
    return plan.actionCount();
  }

  /** The plan so far. The builder remains usable. */
  public RankPlan build() {
    return plan.build();
  }

  // ---- checks

  private void checkStream(int stream) {
    checkIndex("the stream", stream, plan.streamCount());
  }

  private void checkLink(int link) {
    checkIndex("the link", link, plan.links().size());
  }

  private void checkIndex(String what, int index, int count) {
    if (index < 0 || index >= count) {
      throw broken("%s must be one of the %d that it declares. Actual: %d", what, count, index);
    }
  }

  private void checkSizes(DeviceMem dst, DeviceMem src) {
    if (dst.size() != src.size() || dst.size() == 0) {
      throw broken(
          "source and destination must have the same size and must not be empty. Actual: %s and %s",
          dst, src);
    }
  }

  private void checkElements(DeviceMem dst, DataType type, ReduceOp op) {
    if (!op.supports(type)) {
      throw broken("reduction %s takes integer types only. Actual: %s", op, type.label());
    }
    if (dst.size() % type.size() != 0) {
      throw broken(
          "a reduction of %s must cover whole elements of %d bytes. Actual: %d bytes",
          type.label(), type.size(), dst.size());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private TuttiException broken(String format, Object... arguments) {
    return new TuttiException(
        ErrorCode.INVALID_PLAN, "plan of rank %d: %s", plan.rank(), format.formatted(arguments));
  }
}
