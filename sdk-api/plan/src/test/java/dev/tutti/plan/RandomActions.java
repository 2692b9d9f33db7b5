package dev.tutti.plan;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random actions, as values that do not depend on the representation in a plan. */
final class RandomActions {

  private static final DataType[] TYPES = {DataType.INT32, DataType.UINT8, DataType.INT64};

  private RandomActions() {}

  /** One action: what its accessors should return. */
  record Action(
      ActionKind kind,
      int stream,
      int link,
      int index,
      @Nullable DeviceMem dst,
      List<DeviceMem> sources,
      @Nullable DataType dataType,
      @Nullable ReduceOp reduceOp,
      @Nullable RankPlan nested,
      String source) {

    void addTo(RankPlanBuilder builder) {
      switch (kind) {
        case COPY -> builder.copy(stream, dst, sources.getFirst());
        case REDUCE -> builder.reduce(stream, dst, sources.getFirst(), dataType, reduceOp);
        case REDUCE_FROM -> builder.reduceFrom(stream, dst, sources, dataType, reduceOp);
        case POST -> builder.post(stream, link, index);
        case AWAIT -> builder.await(stream, link, index);
        case NESTED -> builder.nested(stream, nested);
      }
      if (!source.equals("?")) {
        builder.source(source);
      }
    }
  }

  /** Reads an action back. */
  static Action read(RankPlan plan, int action) {
    ActionKind kind = plan.kind(action);
    List<DeviceMem> sources = new ArrayList<>();
    for (int i = 0; kind.isData() && i < plan.sourceCount(action); i++) {
      sources.add(plan.src(action, i));
    }
    boolean isReduction = kind.isData() && kind != ActionKind.COPY;
    return new Action(
        kind,
        plan.stream(action),
        kind.isSync() ? plan.link(action) : 0,
        kind.isSync() ? plan.notify(action) : 0,
        kind.isData() ? plan.dst(action) : null,
        sources,
        isReduction ? plan.dataType(action) : null,
        isReduction ? plan.reduceOp(action) : null,
        kind == ActionKind.NESTED ? plan.nested(action) : null,
        plan.source(action));
  }

  /**
   * Actions that a plan can hold, right or wrong.
   *
   * @param like a plan with streams, notifies and links
   * @param offsetBound offsets are below it
   */
  static List<Action> of(RankPlan like, int count, long offsetBound, Random random) {
    List<RankPlan> nested = List.of(new RankPlanBuilder(like.rank()).build(), like);
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ActionKind kind = ActionKind.values()[random.nextInt(ActionKind.values().length)];
      int stream = random.nextInt(like.streamCount());
      String source = random.nextInt(3) == 0 ? "?" : "A.b(A.java:" + random.nextInt(9) + ")";
      actions.add(
          switch (kind) {
            case COPY, REDUCE, REDUCE_FROM -> data(kind, stream, offsetBound, random, source);
            case POST, AWAIT -> sync(kind, stream, like, random, source);
            case NESTED ->
                new Action(
                    kind, stream, 0, 0, null, List.of(), null, null, pick(nested, random), source);
          });
    }
    return actions;
  }

  private static Action data(
      ActionKind kind, int stream, long offsetBound, Random random, String source) {
    boolean isCopy = kind == ActionKind.COPY;
    DataType type = TYPES[random.nextInt(TYPES.length)];
    ReduceOp op = ReduceOp.values()[random.nextInt(ReduceOp.values().length)];
    long bytes = type.size() * random.nextLong(1, random.nextBoolean() ? 4 : offsetBound);
    int count = kind == ActionKind.REDUCE_FROM ? random.nextInt(2, 6) : 1;
    List<DeviceMem> sources = new ArrayList<>();
    while (sources.size() < count) {
      sources.add(mem(offsetBound, bytes, random));
    }
    DeviceMem dst = random.nextBoolean() ? sources.getFirst() : mem(offsetBound, bytes, random);
    return new Action(
        kind, stream, 0, 0, dst, sources, isCopy ? null : type, isCopy ? null : op, null, source);
  }

  private static DeviceMem mem(long offsetBound, long bytes, Random random) {
    return new DeviceMem(
        random.nextInt(random.nextBoolean() ? 3 : Integer.MAX_VALUE),
        pick(List.of(TransportMemType.values()), random),
        random.nextLong(offsetBound),
        bytes);
  }

  private static Action sync(
      ActionKind kind, int stream, RankPlan like, Random random, String source) {
    int link = random.nextInt(-1, like.linkCount());
    int notifies = link < 0 ? like.notifyCount() : like.linkNotifyCount(link);
    return new Action(
        kind, stream, link, random.nextInt(notifies), null, List.of(), null, null, null, source);
  }

  private static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}
