package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Det3Example.Broken;
import dev.tutti.testkit.rules.Det3Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** VAL-4: a sum in the order of arrival. */
public final class Val4Example extends RuleExample<ReduceParam> {

  public Val4Example() {
    super(Rule.NOT_REPRODUCIBLE, 5, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ReduceParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .mode(WorkflowMode.OP_BASE)
            .atomicReductions(true)
            .without(Rule.RUNS_DIFFER)
            .build();
    return cluster
        .check(executor, new ReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 1000, 0))
        .findings();
    // @end
  }
}
