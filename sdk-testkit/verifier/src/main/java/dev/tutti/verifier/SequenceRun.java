package dev.tutti.verifier;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.order.OrderCheck;
import dev.tutti.verifier.order.OrderSummary;
import dev.tutti.verifier.order.SequenceCheck;
import dev.tutti.verifier.planning.Planned;
import dev.tutti.verifier.planning.Planner;
import dev.tutti.verifier.planning.RankTask;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks consecutive operations. */
final class SequenceRun {

  private final CommInfo comm;
  private final CheckSettings settings;
  private final String subject;
  private final Planner planner;

  SequenceRun(CommInfo comm, String subject, CheckSettings settings, Planner planner) {
    this.comm = comm;
    this.settings = settings;
    this.subject = subject;
    this.planner = planner;
  }

  /** One operation, judged by itself. */
  private record Operation(FlatPlan plan, OrderSummary order) {}

  Report run(List<List<@Nullable Part<?>>> steps) {
    Findings findings = new Findings();
    List<Operation> operations = new ArrayList<>();
    int notifyDepth = 0;
    for (List<@Nullable Part<?>> parts : steps) {
      Operation operation = judge(parts, findings);
      if (operation != null) {
        operations.add(operation);
        notifyDepth = Math.max(notifyDepth, operation.order.notifyDepth());
      }
    }
    // Operations between the two of a pair only add order, so each pair is judged by itself.
    for (int first = 0; first < operations.size(); first++) {
      for (int second = first; second < operations.size(); second++) {
        Operation a = operations.get(first);
        Operation b = operations.get(second);
        SequenceCheck.check(a.plan, a.order, b.plan, b.order, findings);
      }
    }
    return Report.of(subject, findings, settings, operations.size(), 0, notifyDepth);
  }

  private @Nullable Operation judge(List<@Nullable Part<?>> parts, Findings findings) {
    List<RankTask> tasks = new ArrayList<>();
    for (int rank = 0; rank < parts.size(); rank++) {
      Part<?> part = parts.get(rank);
      tasks.add(part == null ? RankTask.idle(comm.withRank(rank)) : part.task());
    }
    Planned planned = planner.plan(subject, tasks, false, findings);
    GroupPlan plan = planned.plan();
    if (plan == null) {
      return null;
    }
    try {
      FlatPlan flat = FlatPlan.of(plan, planner.sources(planned));
      return new Operation(flat, OrderCheck.check(flat, settings.atomicReductions(), findings));
    } catch (TuttiException e) {
      findings.add(Rule.of(e.code()), String.valueOf(e.getMessage()));
      return null;
    }
  }
}
