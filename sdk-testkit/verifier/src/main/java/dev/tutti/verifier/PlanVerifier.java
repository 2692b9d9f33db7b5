package dev.tutti.verifier;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.order.OrderCheck;
import dev.tutti.verifier.order.OrderSummary;
import dev.tutti.verifier.order.SequenceCheck;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges recorded or built plans without running them. The verdict is exact for all schedules:
 * every reported error can happen, and no other can. It scales to thousands of ranks: time grows
 * with the number of actions, and memory with the size of the plan.
 */
public final class PlanVerifier {

  private PlanVerifier() {}

  /**
   * Judges a plan by the rules for every operation: SYN-1 to SYN-5, MEM-1 to MEM-3, LNK-1, RES-2,
   * SEQ-1 and SEQ-2.
   *
   * @return the findings, empty if there are none
   */
  public static List<Finding> verify(GroupPlan plan) {
    Findings findings = new Findings();
    FlatPlan flat = flatten(plan, findings);
    if (flat != null) {
      OrderSummary order = OrderCheck.check(flat, false, findings);
      SequenceCheck.check(flat, order, flat, order, findings);
    }
    return findings.toList();
  }

  /**
   * Judges only the order of a plan's actions: rules SYN-1 to SYN-5 and MEM-1. It is meant for
   * plans that a host composes from recorded plans. The links of such a plan do not name its
   * memories, and one caller starts and ends it for all ranks.
   *
   * @return the findings, empty if there are none
   */
  public static List<Finding> verifyOrder(GroupPlan plan) {
    Findings findings = new Findings();
    try {
      OrderCheck.check(FlatPlan.of(plan), false, findings);
    } catch (TuttiException e) {
      findings.add(Rule.of(e.code()), String.valueOf(e.getMessage()));
    }
    return findings.toList().stream()
        .filter(finding -> finding.rule() != Rule.OUTSIDE_CALL)
        .toList();
  }

  /**
   * Judges a plan of a known operation: the rules of {@link #verify(GroupPlan)}, and RES-1, LNK-2,
   * SEM, DET-1, DET-2 and OPT-1.
   *
   * @param params each rank's request in rank order, null for a rank that takes no part
   * @param declared the determinism that the executor promises
   * @param workers threads, 1 or 2
   * @return all findings, including notes
   */
  public static List<Finding> verify(
      GroupPlan plan, List<? extends @Nullable OpParam> params, Determinism declared, int workers) {
    Findings findings = new Findings();
    FlatPlan flat = flatten(plan, findings);
    if (flat != null) {
      new StaticCheck(flat, params, declared, Optional.empty(), false).run(workers, findings);
    }
    return findings.toList();
  }

  private static @Nullable FlatPlan flatten(GroupPlan plan, Findings findings) {
    try {
      plan.check();
      return FlatPlan.of(plan);
    } catch (TuttiException e) {
      findings.add(Rule.of(e.code()), String.valueOf(e.getMessage()));
      return null;
    }
  }
}
