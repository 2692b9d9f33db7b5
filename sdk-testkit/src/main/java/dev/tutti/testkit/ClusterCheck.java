package dev.tutti.testkit;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.PlanRecorder;
import dev.tutti.sdk.plan.RankProgram;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One check of one operation: collects everything that is wrong with it. */
final class ClusterCheck {

  private final CommInfo comm;
  private final String subject;
  private final int schedules;
  private final long seed;
  private final boolean hasSpecials;
  private final Findings findings = new Findings();

  /** What has been said about the plan of one variant is not said again about the other. */
  private final Set<Finding> reported = new HashSet<>();

  private int planCount;
  private int runCount;

  ClusterCheck(CommInfo comm, String subject, int schedules, long seed, boolean hasSpecials) {
    this.comm = comm;
    this.subject = subject;
    this.schedules = schedules;
    this.seed = seed;
    this.hasSpecials = hasSpecials;
  }

  /** Checks the parts of all ranks, null for ranks that take none, with and without own buffers. */
  Report run(List<@Nullable Part<?>> parts) {
    List<@Nullable Part<?>> other = new ArrayList<>();
    for (Part<?> part : parts) {
      other.add(part == null ? null : part.inPlace(!part.param().inPlace()));
    }
    checkVariant(parts, false);
    if (!other.equals(parts)) {
      checkVariant(other, true);
    }
    return new Report(subject, findings.toList(), planCount, runCount);
  }

  private void checkVariant(List<@Nullable Part<?>> parts, boolean mayRefuse) {
    if (!checkSupports(parts, mayRefuse)) {
      return;
    }
    GroupPlan plan = record(parts);
    if (plan == null) {
      return;
    }
    planCount++;
    String manner = plan.inPlace() ? " [in place]" : "";
    List<Finding> judged = new ArrayList<>(PlanChecker.check(plan));
    if (comm.mode() == WorkflowMode.OP_BASE) {
      judged.addAll(PrivateMemory.check(plan));
    }
    if (parts.stream().allMatch(part -> part == null || Pieces.fillsEverySlice(part.param()))) {
      judged.addAll(PlanChecker.checkResources(plan));
    }
    for (Finding finding : judged) {
      if (reported.add(finding)) {
        findings.add(finding.rule(), finding.message() + manner);
      }
    }
    if (judged.stream().noneMatch(finding -> finding.rule().equals(Rules.DEADLOCK))) {
      List<@Nullable OpParam> params = new ArrayList<>();
      parts.forEach(part -> params.add(part == null ? null : part.param()));
      runCount += new DataCheck(plan, params, findings, manner).run(schedules, seed, hasSpecials);
    }
  }

  /** Whether all ranks support the operation; findings if not, or if they disagree. */
  private boolean checkSupports(List<@Nullable Part<?>> parts, boolean mayRefuse) {
    Support first = null;
    int firstRank = -1;
    boolean isSupported = true;
    for (Part<?> part : parts) {
      if (part == null) {
        continue;
      }
      int rank = part.comm().rank();
      Support answer;
      try {
        answer = part.supports();
        if (!answer.equals(part.supports())) {
          findings.add(
              Rules.NOT_PURE, "supports of rank %d answers differently each time".formatted(rank));
        }
      } catch (RuntimeException e) {
        findings.add(Rules.PLANNING_FAILED, "supports of rank %d failed: %s".formatted(rank, e));
        return false;
      }
      isSupported &= answer.isSupported();
      if (first == null) {
        first = answer;
        firstRank = rank;
      } else if (first.isSupported() != answer.isSupported()) {
        findings.add(
            Rules.SUPPORTS_DIFFERS,
            "supports",
            "supports must be the same on every rank. Actual: rank %d says %s, rank %d says %s"
                .formatted(firstRank, text(first), rank, text(answer)));
      }
    }
    if (!isSupported && !mayRefuse && !findings.has(Rules.SUPPORTS_DIFFERS)) {
      findings.add(Rules.REFUSED, "nothing was checked: " + (first == null ? "" : first.reason()));
    }
    return isSupported;
  }

  private static String text(Support support) {
    return support.isSupported() ? "yes" : "no (" + support.reason() + ")";
  }

  /** The plan, recorded twice; null with a finding if that fails. */
  private @Nullable GroupPlan record(List<@Nullable Part<?>> parts) {
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < parts.size(); rank++) {
      Part<?> part = parts.get(rank);
      programs.add(part == null ? RankProgram.idle(comm.withRank(rank)) : part.program());
    }
    try {
      GroupPlan plan = new PlanRecorder().record(subject, programs);
      checkPurity(plan, new PlanRecorder().withSources(false).record(subject, programs));
      return plan;
    } catch (TuttiException e) {
      findings.add(Rules.of(e.code()), e.toString());
      return null;
    }
  }

  private void checkPurity(GroupPlan plan, GroupPlan again) {
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      if (!plan.rank(rank).equals(again.rank(rank))) {
        findings.add(
            Rules.NOT_PURE,
            "plan",
            ("rank %d plans differently when asked again: %d actions, then %d; executors must be"
                    + " pure functions of their arguments")
                .formatted(rank, plan.rank(rank).actionCount(), again.rank(rank).actionCount()));
      }
    }
  }
}
