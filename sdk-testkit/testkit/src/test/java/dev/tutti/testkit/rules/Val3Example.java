package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Sem5Example.Broken;
import dev.tutti.testkit.rules.Sem5Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** VAL-3: rank 0 of an exclusive scan fills its output with its own input. */
public final class Val3Example extends RuleExample<ExclusiveScanParam> {

  public Val3Example() {
    super(Rule.UNTOUCHABLE_CHANGED, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ExclusiveScanParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).without(Rule.OUTPUT_WRITTEN).build();
    return cluster
        .check(executor, new ExclusiveScanParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
    // @end
  }
}
