package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** MEM-2: the peer is told that its input has been read before it is read. */
public final class Mem2Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : peers(mem)) {
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        fetch(main, peer, mem);
      }
    }

    /** Reads the block of a peer and tells the peer that it has been read. */
    protected void fetch(Stream main, Link peer, ExecMem mem) {
      peer.read(main, mem.outputBlock(peer.remoteUserRank()), peer.remote(mem.input()));
      peer.dataReceivedAck(main);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void fetch(Stream main, Link peer, ExecMem mem) {
      peer.dataReceivedAck(main);
      peer.read(main, mem.outputBlock(peer.remoteUserRank()), peer.remote(mem.input()));
    }
  }

  // @end

  public Mem2Example() {
    super(Rule.OUTSIDE_CALL, 2, Broken::new, Correct::new);
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
