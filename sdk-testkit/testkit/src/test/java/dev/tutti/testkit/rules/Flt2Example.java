package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Mem2Example.Broken;
import dev.tutti.testkit.rules.Mem2Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** FLT-2: a late reader gets what the peer's caller has put there since. */
public final class Flt2Example extends RuleExample<AllGatherParam> {

  public Flt2Example() {
    super(Rule.SILENT_CORRUPTION, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .without(Rule.OUTSIDE_CALL)
            .staticOnly()
            .faults(1000)
            .build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
    // @end
  }
}
