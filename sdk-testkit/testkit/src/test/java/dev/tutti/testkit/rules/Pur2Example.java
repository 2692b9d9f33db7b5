package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** PUR-2: a decision by the size of this rank's own block. */
public final class Pur2Example extends RuleExample<AllGatherVParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherVParam> {

    @Override
    protected void kernelRun(AllGatherVParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : peers(mem)) {
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.read(main, theirs, peer.remote(inputMemType(param)).slice(0, theirs.size()));
        peer.dataReceivedAck(main);
      }
    }

    @Override
    public Support supports(AllGatherVParam param) {
      return Support.when(param.messageBytes() >= 16, "too short to be worth it");
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    public Support supports(AllGatherVParam param) {
      return Support.when(param.inputBytes() >= 16, "too short to be worth it");
    }
  }

  // @end

  public Pur2Example() {
    super(Rule.SUPPORTS_DIFFERS, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherVParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    List<Long> counts = new ArrayList<>(Collections.nCopies(ranks - 1, 1L));
    counts.add(10L);
    return cluster
        .check(executor, new AllGatherVParam(cluster.comm(), DataType.INT32, counts))
        .findings();
    // @end
  }
}
