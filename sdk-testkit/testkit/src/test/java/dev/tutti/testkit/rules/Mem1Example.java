package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** MEM-1: the staging slot is given back before it has been emptied. */
public final class Mem1Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), TransportMemType.CCL_OUTPUT);
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : MeshExecutor.peers(mem)) {
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice half : Slice.partition(mem.count(), 2, param.dataType().size())) {
          DeviceMem slot = mem.resources().cclOutputMem().slice(0, half.size());
          peer.write(main, peer.remote(slot), mem.input().slice(half));
          peer.post(main, Link.FIN);
          peer.await(main, Link.FIN);
          empty(main, peer, slot, theirs.slice(half));
          peer.await(main, Link.FIN_ACK);
        }
      }
    }

    /** Copies the data out of the slot, and gives the slot back to the peer. */
    protected void empty(Stream main, Link peer, DeviceMem slot, DeviceMem target) {
      main.copy(target, slot);
      peer.post(main, Link.FIN_ACK);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void empty(Stream main, Link peer, DeviceMem slot, DeviceMem target) {
      peer.post(main, Link.FIN_ACK);
      main.copy(target, slot);
    }
  }

  // @end

  public Mem1Example() {
    super(Rule.RACE, 2, Broken::new, Correct::new);
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
