package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Syn1Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** SEQ-2: a dissemination barrier, right once, and not right twice in a row. */
public final class Seq2Example extends RuleExample<BarrierParam> {

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void acknowledge(Stream main, Link to, Link from) {
      // The next step begins at once.
    }
  }

  // @end

  public Seq2Example() {
    super(Rule.SEQUENCE_NOTIFY, 4, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<BarrierParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster.check(executor, new BarrierParam(cluster.comm())).findings();
    // @end
  }
}
