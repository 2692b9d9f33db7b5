package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** LNK-2: reads the peer's input, which only its owner may see in OP_BASE mode. */
public final class Lnk2Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, source(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : MeshExecutor.peers(mem)) {
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.read(main, theirs, peer.remote(source(param)).slice(0, theirs.size()));
        peer.dataReceivedAck(main);
      }
    }

    /** The memory that peers read from. */
    protected TransportMemType source(AllGatherParam param) {
      return inputMemType(param);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected TransportMemType source(AllGatherParam param) {
      return TransportMemType.PARAM_INPUT;
    }
  }

  // @end

  public Lnk2Example() {
    super(Rule.PRIVATE_MEMORY, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).mode(WorkflowMode.OP_BASE).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
    // @end
  }
}
