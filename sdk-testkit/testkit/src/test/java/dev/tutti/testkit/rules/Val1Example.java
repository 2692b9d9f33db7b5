package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Sem1Example.Broken;
import dev.tutti.testkit.rules.Sem1Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** VAL-1: blocks in the order of arrival instead of the order of ranks. */
public final class Val1Example extends RuleExample<AllGatherParam> {

  public Val1Example() {
    super(Rule.WRONG_VALUE, 3, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).without(Rule.WRONG_CONTENTS).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
    // @end
  }
}
