package dev.tutti.sdk.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/** The one implementation of {@link RankPlan.Builder}. */
final class RankPlanBuilder implements RankPlan.Builder {

  private final PlanBuilder plan;

  RankPlanBuilder(RankPlan like) {
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

  @Override
  public RankPlan.Builder streamCount(int streams) {
    int least = 1 + plan.highestStream();
    if (streams < least || streams > RankPlan.MAX_STREAMS) {
      throw broken(
          "it must have %d to %d streams, as its actions name. Actual: %d",
          least, RankPlan.MAX_STREAMS, streams);
    }
    plan.setStreamCount(streams);
    return this;
  }

  @Override
  public RankPlan.Builder notifyCount(int notifies) {
    int least = 1 + plan.highestOwnNotify();
    if (notifies < least) {
      throw broken(
          "it must have %d notifies or more, as its actions name. Actual: %d", least, notifies);
    }
    plan.setNotifyCount(notifies);
    return this;
  }

  @Override
  public RankPlan.Builder memSize(TransportMemType type, long bytes) {
    if (bytes < 0) {
      throw broken("%s memory must have 0 bytes or more. Actual: %d", type.label(), bytes);
    }
    plan.setMemSize(type, bytes);
    return this;
  }

  @Override
  public RankPlan.Builder withoutStream(int stream) {
    if (stream == 0) {
      throw broken("the main stream cannot be dropped");
    }
    checkStream(stream);
    if (!plan.removeStream(stream)) {
      throw broken("stream %d cannot be dropped: actions are on it", stream);
    }
    return this;
  }

  @Override
  public RankPlan.Builder withoutLink(int link) {
    checkLink(link);
    if (!plan.removeLink(link)) {
      throw broken(
          "link %d to rank %d cannot be dropped: actions are on it", link, plan.links().peer(link));
    }
    return this;
  }

  // ---- actions

  @Override
  public RankPlan.Builder append(RankPlan from, int action) {
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

  @Override
  public RankPlan.Builder appendAll(RankPlan from) {
    for (int action = 0; action < from.actionCount(); action++) {
      append(from, action);
    }
    return this;
  }

  @Override
  public RankPlan.Builder copy(int stream, DeviceMem dst, DeviceMem src) {
    checkStream(stream);
    checkSizes(dst, src);
    plan.addData(ActionKind.COPY, stream, dst, src, null, null);
    return this;
  }

  @Override
  public RankPlan.Builder reduce(
      int stream, DeviceMem dst, DeviceMem src, DataType dataType, ReduceOp reduceOp) {
    checkStream(stream);
    checkSizes(dst, src);
    checkElements(dst, dataType, reduceOp);
    plan.addData(ActionKind.REDUCE, stream, dst, src, dataType, reduceOp);
    return this;
  }

  @Override
  public RankPlan.Builder reduceFrom(
      int stream, DeviceMem dst, List<DeviceMem> sources, DataType dataType, ReduceOp reduceOp) {
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

  @Override
  public RankPlan.Builder post(int stream, int link, int notify) {
    sync(ActionKind.POST, stream, link, notify);
    return this;
  }

  @Override
  public RankPlan.Builder await(int stream, int link, int notify) {
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

  @Override
  public RankPlan.Builder nested(int stream, RankPlan inner) {
    checkStream(stream);
    if (inner.rank() != plan.rank()) {
      throw broken("it can only nest plans of its own rank. Actual: rank %d", inner.rank());
    }
    plan.addNested(stream, inner);
    return this;
  }

  @Override
  public RankPlan.Builder source(String line) {
    if (plan.actionCount() == 0) {
      throw broken("there is no action yet that could have the source line %s", line);
    }
    plan.setSource(line);
    return this;
  }

  @Override
  public int actionCount() {
    return plan.actionCount();
  }

  @Override
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
          "source and destination must be equally large and not empty. Actual: %s and %s",
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
