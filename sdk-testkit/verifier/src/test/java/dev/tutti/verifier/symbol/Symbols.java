package dev.tutti.verifier.symbol;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import java.util.ArrayList;
import java.util.List;

/** Records plans and checks them. */
final class Symbols {

  private Symbols() {}

  static CommInfo comm(int ranks) {
    return comm(ranks, WorkflowMode.GRAPH, Protocol.DIRECT);
  }

  static CommInfo comm(int ranks, WorkflowMode mode, Protocol protocol) {
    return new CommInfo(0, Topology.flat(ranks), mode, protocol, Determinism.NONE, 256);
  }

  static <P extends OpParam> GroupPlan record(CollExecutorBase<P> executor, P param) {
    return new PlanRecorder().record("test", executor, param);
  }

  /** The request as each rank sees it. */
  static List<OpParam> params(OpParam param) {
    List<OpParam> params = new ArrayList<>();
    for (int rank = 0; rank < param.comm().rankSize(); rank++) {
      params.add(param.withComm(param.comm().withRank(rank)));
    }
    return params;
  }

  /** The findings when the executor promises no equal bits. */
  static <P extends OpParam> List<Finding> check(CollExecutorBase<P> executor, P param) {
    return check(executor, param, SymbolOptions.of(Determinism.NONE));
  }

  static <P extends OpParam> List<Finding> check(
      CollExecutorBase<P> executor, P param, SymbolOptions options) {
    Findings findings = new Findings();
    SymbolCheck.check(FlatPlan.of(record(executor, param)), params(param), options, findings);
    return findings.toList();
  }
}
