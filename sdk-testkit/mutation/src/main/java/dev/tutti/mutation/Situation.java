package dev.tutti.mutation;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One case of a correct algorithm, with its plan. Records the plan when it is first needed. */
final class Situation {

  private final CollectiveCase c;
  private final Subject subject;
  private @Nullable GroupPlan plan;

  Situation(CollectiveCase c, List<CollExecutorBase<?>> executors) {
    this.c = c;
    this.subject = new Subject(c, executors);
  }

  CollectiveCase request() {
    return c;
  }

  /** Whether the algorithm accepts the case and has its parameters. */
  boolean isSupported() {
    try {
      return subject.isSupported();
    } catch (TuttiException e) {
      return false;
    }
  }

  /** The correct plan. */
  GroupPlan plan() {
    GroupPlan known = plan;
    if (known == null) {
      try {
        known = subject.record();
      } catch (TuttiException e) {
        throw new AssertionError("the unchanged algorithm fails in %s: %s".formatted(this, e), e);
      }
      plan = known;
    }
    return known;
  }

  /** Throws an {@link AssertionError} if the plan of the algorithm itself has errors. */
  void requireRight() {
    List<Finding> findings = judge(plan());
    if (!Tally.errors(findings).isEmpty()) {
      throw new AssertionError(
          "the unchanged algorithm is wrong in %s: %s".formatted(this, findings));
    }
  }

  List<Finding> judge(GroupPlan changed) {
    return subject.judge(changed);
  }

  /**
   * The round of each action of a rank, from 0. A round begins with a copy of the caller's input to
   * the start of the CCL input; on a rank without an input, it ends with a copy from the start of
   * the CCL output to the caller's output.
   */
  int[] rounds(RankPlan rank) {
    int[] ofActions = new int[rank.actionCount()];
    if (c.comm().mode() == WorkflowMode.GRAPH) {
      return ofActions;
    }
    boolean hasInput = false;
    int round = -1;
    for (int action = 0; action < ofActions.length; action++) {
      if (isStaged(rank, action, TransportMemType.CCL_INPUT, TransportMemType.PARAM_INPUT)) {
        hasInput = true;
        round++;
      }
      ofActions[action] = Math.max(0, round);
    }
    if (!hasInput) {
      round = 0;
      for (int action = 0; action < ofActions.length; action++) {
        ofActions[action] = round;
        boolean isLast = action == ofActions.length - 1;
        if (!isLast
            && isStaged(rank, action, TransportMemType.PARAM_OUTPUT, TransportMemType.CCL_OUTPUT)) {
          round++;
        }
      }
    }
    return ofActions;
  }

  private static boolean isStaged(
      RankPlan rank, int action, TransportMemType dst, TransportMemType src) {
    if (rank.kind(action) != ActionKind.COPY
        || rank.dstRank(action) != rank.rank()
        || rank.srcRank(action, 0) != rank.rank()
        || rank.dstType(action) != dst
        || rank.srcType(action, 0) != src) {
      return false;
    }
    long staged =
        dst == TransportMemType.CCL_INPUT ? rank.dstOffset(action) : rank.srcOffset(action, 0);
    return staged == 0;
  }

  @Override
  public String toString() {
    return c.token();
  }
}
