package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Mem2Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** CAP-1: an all-gather that refuses counts it could take. */
public final class Cap1Example extends RuleExample<AllGatherParam> {

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    public Support supports(AllGatherParam param) {
      return Support.when(param.sendCount() % 4 == 0, "the count must be a multiple of 4");
    }
  }

  // @end

  public Cap1Example() {
    super(Rule.REFUSED, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
    // @end
  }
}
