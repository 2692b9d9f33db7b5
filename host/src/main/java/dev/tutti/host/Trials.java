package dev.tutti.host;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.testkit.PlanVerifier;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges the first plans of a plugin version that came while the host works, before they run: for
 * the shape that is really asked for, which admission cannot have foreseen.
 */
final class Trials {

  /** The most actions of a plan that is judged; more would hold the caller up for too long. */
  private static final long MAX_ACTIONS = 50_000;

  private Trials() {}

  /**
   * Judges a plan; one of very many actions is let pass.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_REJECTED} if it breaks a rule
   */
  static void check(GroupPlan plan, List<@Nullable OpParam> params, Algorithm algorithm) {
    if (plan.actionCount() > MAX_ACTIONS) {
      return;
    }
    List<Finding> errors =
        PlanVerifier.verify(plan, params, algorithm.determinism(), 1).stream()
            .filter(finding -> finding.rule().severity() == Severity.ERROR)
            .toList();
    if (!errors.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_REJECTED,
          "%s of version %s breaks %d rules with this request, and the plan is not run; the first:"
              + " %s",
          algorithm,
          algorithm.version(),
          errors.size(),
          errors.getFirst());
    }
  }
}
