package dev.tutti.plan;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Moves plans to other memories; a plan that is nested several times is moved once. */
final class PlanRelocation {

  private final Placement placement;
  private final IdentityHashMap<RankPlan, RankPlan> moved = new IdentityHashMap<>();

  PlanRelocation(Placement placement) {
    this.placement = placement;
  }

  RankPlan move(RankPlan plan) {
    RankPlan known = moved.get(plan);
    if (known == null) {
      known = moveAll(plan);
      moved.put(plan, known);
    }
    return known;
  }

  private RankPlan moveAll(RankPlan plan) {
    RankPlanBuilder builder = new RankPlanBuilder(plan);
    for (TransportMemType type : TransportMemType.values()) {
      builder.memSize(type, placement.memSize(plan.rank(), type));
    }
    for (int action = 0; action < plan.actionCount(); action++) {
      add(builder, plan, action);
    }
    return builder.build();
  }

  private void add(RankPlanBuilder builder, RankPlan plan, int action) {
    int stream = plan.stream(action);
    switch (plan.kind(action)) {
      case POST, AWAIT -> {
        builder.append(plan, action);
        return;
      }
      case COPY -> builder.copy(stream, dst(plan, action), src(plan, action, 0));
      case REDUCE ->
          builder.reduce(
              stream,
              dst(plan, action),
              src(plan, action, 0),
              plan.dataType(action),
              plan.reduceOp(action));
      case REDUCE_FROM -> {
        List<DeviceMem> sources = new ArrayList<>(plan.sourceCount(action));
        for (int source = 0; source < plan.sourceCount(action); source++) {
          sources.add(src(plan, action, source));
        }
        builder.reduceFrom(
            stream, dst(plan, action), sources, plan.dataType(action), plan.reduceOp(action));
      }
      case NESTED -> builder.nested(stream, move(plan.nested(action)));
    }
    if (plan.hasSource(action)) {
      builder.source(plan.source(action));
    }
  }

  private DeviceMem dst(RankPlan plan, int action) {
    return placement.place(plan.dst(action));
  }

  private DeviceMem src(RankPlan plan, int action, int source) {
    return placement.place(plan.src(action, source));
  }
}
