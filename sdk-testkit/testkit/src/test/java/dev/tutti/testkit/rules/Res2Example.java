package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Mem2Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** RES-2: links to two neighbours, and data from everybody. */
public final class Res2Example extends RuleExample<AllGatherParam> {

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.ring(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }
  }

  // @end

  public Res2Example() {
    super(Rule.NOT_REQUESTED, 4, Broken::new, Correct::new);
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
