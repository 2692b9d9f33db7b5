package dev.tutti.verifier.planning;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The first difference between two plans of a rank for the same request. */
public final class PlanDifference {

  /** The advice at the end of a message. */
  public static final String ADVICE = "; executors must be pure functions of their arguments";

  private final RankPlan first;
  private final RankPlan second;

  /** Further recordings of the rank, with source lines; they may differ from both plans. */
  private final List<RankPlan> withLines;

  private final String when;

  /**
   * A difference.
   *
   * @param withLines further plans of the rank, with source lines
   * @param when how the second plan was made, in words such as {@code "when asked again"}
   */
  public PlanDifference(RankPlan first, RankPlan second, List<RankPlan> withLines, String when) {
    this.first = first;
    this.second = second;
    this.withLines = withLines;
    this.when = when;
  }

  /** A finding that shows the first differing action in both plans. */
  public Finding finding() {
    String rank = "rank %d plans differently %s: ".formatted(first.rank(), when);
    int action = firstDifferent();
    if (action < 0) {
      return new Finding(Rule.NOT_PURE, rank + resources() + ADVICE);
    }
    List<ActionRef> actions = new ArrayList<>();
    ref(first, action).ifPresent(actions::add);
    ref(second, action).ifPresent(actions::add);
    String text =
        "action %d is %s the first time, and %s the second time (actions: %d, then %d)"
            .formatted(
                action,
                text(first, action),
                text(second, action),
                first.actionCount(),
                second.actionCount());
    return new Finding(Rule.NOT_PURE, rank + text + ADVICE, actions, "");
  }

  private int firstDifferent() {
    int longer = Math.max(first.actionCount(), second.actionCount());
    for (int action = 0; action < longer; action++) {
      if (!isSame(action)) {
        return action;
      }
    }
    return -1;
  }

  private boolean isSame(int action) {
    return action < first.actionCount()
        && action < second.actionCount()
        && first.stream(action) == second.stream(action)
        && first.describe(action).equals(second.describe(action))
        && (first.kind(action) != ActionKind.NESTED
            || first.nested(action).equals(second.nested(action)));
  }

  private String text(RankPlan plan, int action) {
    return ref(plan, action)
        .map(
            ref -> {
              String at = ref.source().equals("?") ? "" : " at " + ref.source();
              return "'%s' on stream %d%s".formatted(ref.text(), ref.stream(), at);
            })
        .orElse("missing");
  }

  private Optional<ActionRef> ref(RankPlan plan, int action) {
    return action >= plan.actionCount()
        ? Optional.empty()
        : Optional.of(
            new ActionRef(
                plan.rank(),
                plan.stream(action),
                action,
                plan.describe(action),
                line(plan, action)));
  }

  /** The source line of the equal action at the same position, or else of any equal action. */
  private String line(RankPlan plan, int action) {
    String text = plan.describe(action);
    for (RankPlan each : withLines) {
      if (action < each.actionCount() && each.describe(action).equals(text)) {
        return each.source(action);
      }
    }
    for (RankPlan each : withLines) {
      for (int other = 0; other < each.actionCount(); other++) {
        if (each.describe(other).equals(text)) {
          return each.source(other);
        }
      }
    }
    return "?";
  }

  /** The message about different resources. */
  private String resources() {
    TransportMemType scratch = TransportMemType.SCRATCH;
    String differences =
        difference("streams", first.streamCount(), second.streamCount())
            + difference("notifies", first.notifyCount(), second.notifyCount())
            + difference("links", first.linkCount(), second.linkCount())
            + difference("bytes of scratch", first.memSize(scratch), second.memSize(scratch));
    return "the actions are the same, but the resources are not"
        + differences.replaceFirst("^,", ":");
  }

  private static String difference(String what, long before, long after) {
    return before == after ? "" : ", %d %s, then %d".formatted(before, what, after);
  }
}
