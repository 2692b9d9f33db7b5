package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Sem4Example.Broken;
import dev.tutti.testkit.rules.Sem4Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** VAL-2: the sum is left in the caller's input. */
public final class Val2Example extends RuleExample<ReduceScatterParam> {

  public Val2Example() {
    super(Rule.INPUT_CHANGED, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ReduceScatterParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).without(Rule.INPUT_WRITTEN).build();
    return cluster
        .check(executor, new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
    // @end
  }
}
