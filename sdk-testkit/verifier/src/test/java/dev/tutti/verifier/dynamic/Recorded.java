package dev.tutti.verifier.dynamic;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import java.util.ArrayList;
import java.util.List;

/** A plan with the requests it is for. */
record Recorded(FlatPlan plan, List<OpParam> params) {

  static <P extends OpParam> Recorded of(CollExecutorBase<P> executor, P param) {
    List<OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      params.add(param.withComm(param.comm().withRank(rank)));
    }
    return new Recorded(FlatPlan.of(new PlanRecorder().record("test", executor, param)), params);
  }

  /** The rules that runs on data find broken. */
  List<String> data(DataOptions options) {
    return ids(dataFindings(options));
  }

  List<Finding> dataFindings(DataOptions options) {
    Findings findings = new Findings();
    new DataRuns(plan, params, options, findings).run();
    return findings.toList();
  }

  List<String> data(int schedules) {
    return data(DataOptions.of(schedules, 1, Determinism.SAME_RUNS));
  }

  /** The rules that runs with all single faults find broken. */
  List<Finding> faults() {
    Findings findings = new Findings();
    new FaultRuns(plan, params, 1, findings).run(Integer.MAX_VALUE);
    return findings.toList();
  }

  static List<String> ids(List<Finding> findings) {
    return findings.stream().map(finding -> finding.rule().id()).distinct().toList();
  }
}
