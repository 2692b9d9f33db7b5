package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.rules.Mem2Example.Correct;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** OPT-1: two messages where one would do. */
public final class Opt1Example extends RuleExample<AllGatherParam> {

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void fetch(Stream main, Link peer, ExecMem mem) {
      DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
      long half = theirs.size() / 2;
      peer.read(main, theirs.slice(0, half), peer.remote(mem.input()).slice(0, half));
      peer.read(main, theirs.slice(half, half), peer.remote(mem.input()).slice(half, half));
      peer.dataReceivedAck(main);
    }
  }

  // @end

  public Opt1Example() {
    super(Rule.ABOVE_LOWER_BOUND, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .requireClean()
        .notes();
    // @end
  }

  @Override
  List<Finding> checkCorrect(int ranks) {
    List<Finding> notes = super.checkCorrect(ranks);
    // More ranks take turns: right, but not the best that is possible.
    return ranks > 2 ? List.of() : notes;
  }
}
