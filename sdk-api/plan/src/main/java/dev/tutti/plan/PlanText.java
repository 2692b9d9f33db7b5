package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import java.util.StringJoiner;

/** Actions in words. */
final class PlanText {

  private PlanText() {}

  static String describe(RankPlan plan, int action) {
    return switch (plan.kind(action)) {
      case COPY ->
          "copy " + operand(plan, plan.dst(action)) + " = " + operand(plan, plan.src(action, 0));
      case REDUCE ->
          "reduce "
              + operand(plan, plan.dst(action))
              + " = "
              + reduction(plan, action)
              + "(itself, "
              + operand(plan, plan.src(action, 0))
              + ")";
      case REDUCE_FROM ->
          "reduceFrom "
              + operand(plan, plan.dst(action))
              + " = "
              + reduction(plan, action)
              + sources(plan, action);
      case POST -> sync(plan, action, "post ", " to rank ");
      case AWAIT -> sync(plan, action, "await ", " from rank ");
      case NESTED -> "nested plan of " + plan.nested(action).actionCount() + " actions";
    };
  }

  private static String reduction(RankPlan plan, int action) {
    return plan.reduceOp(action).label() + " " + plan.dataType(action).label();
  }

  private static String sources(RankPlan plan, int action) {
    StringJoiner joiner = new StringJoiner(", ", "(", ")");
    int count = plan.sourceCount(action);
    for (int source = 0; source < Math.min(count, 8); source++) {
      joiner.add(operand(plan, plan.src(action, source)));
    }
    if (count > 8) {
      joiner.add("… " + count + " sources");
    }
    return joiner.toString();
  }

  private static String operand(RankPlan plan, DeviceMem mem) {
    String span = mem.type().label() + "[" + mem.offset() + "+" + mem.size() + "]";
    return mem.rank() == plan.rank() ? span : "rank " + mem.rank() + "'s " + span;
  }

  private static String sync(RankPlan plan, int action, String verb, String preposition) {
    int link = plan.link(action);
    if (link == RankPlan.NO_LINK) {
      return verb + "notify " + plan.notify(action);
    }
    return verb + notifyName(plan.notify(action)) + preposition + plan.linkPeer(link);
  }

  /** The name of a link's notify: READY, FIN, FIN_ACK, or its number. */
  static String notifyName(int notify) {
    return switch (notify) {
      case Link.READY -> "READY";
      case Link.FIN -> "FIN";
      case Link.FIN_ACK -> "FIN_ACK";
      default -> "notify " + notify;
    };
  }

  /** The error for a property that actions of this kind do not have. */
  static TuttiException wrongKind(RankPlan plan, int action, String asked) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "action %d of rank %d does not have %s: it is %s",
        action,
        plan.rank(),
        asked,
        plan.kind(action));
  }
}
