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

/** SYN-5: the call returns without waiting for the stream that copies the own block. */
public final class Syn5Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected int calcStreamNum(AllGatherParam param) {
      return 1;
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      List<Stream> slaves = mem.resources().slaveStreams();
      main.fork(slaves);
      slaves.getFirst().copy(mem.outputBlock(param.comm().rank()), mem.input());
      for (Link peer : peers(mem)) {
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.read(main, mem.outputBlock(peer.remoteUserRank()), peer.remote(mem.input()));
        peer.dataReceivedAck(main);
      }
      finish(main, slaves);
    }

    /** Waits until the slave stream has done its work. */
    protected void finish(Stream main, List<Stream> slaves) {
      main.join(slaves);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void finish(Stream main, List<Stream> slaves) {
      // The slave stream continues on its own.
    }
  }

  // @end

  public Syn5Example() {
    super(Rule.NOT_JOINED, 2, Broken::new, Correct::new);
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
