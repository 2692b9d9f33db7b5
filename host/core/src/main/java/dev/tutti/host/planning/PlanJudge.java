package dev.tutti.host.planning;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.PlanVerifier;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges plans of watched plugins before they run, for the actual requests, which were not known
 * when the plugin was admitted. No plan is too large: each plan is judged itself, or it is made
 * from a judged plan and correct for the same reasons ({@link dev.tutti.verifier.JudgedStructure}).
 */
final class PlanJudge {

  private PlanJudge() {}

  /**
   * Judges a plan by the rules that can be checked without running it.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_REJECTED} if it breaks one
   */
  static void check(GroupPlan plan, List<@Nullable OpParam> params, Algorithm algorithm) {
    List<Finding> errors =
        PlanVerifier.verify(plan, params, algorithm.determinism(), 1).stream()
            .filter(finding -> finding.rule().severity() == Severity.ERROR)
            .toList();
    if (!errors.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_REJECTED,
          "%s of version %s breaks %d rules with this request, so the plan is not run; the first:"
              + " %s",
          algorithm,
          algorithm.version(),
          errors.size(),
          errors.getFirst());
    }
  }
}
