package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** SYN-5: the call returns without waiting for the stream that copies the own block. */
public final class Syn5Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected int calcStreamNum(AllGatherParam param) {
      return 1;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      List<Stream> slaves = mem.resources().slaveStreams();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.fork(slaves);
      slaves.getFirst().copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.read(main, mem.outputBlock(peer.remoteUserRank()), peer.remote(mem.input()));
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected int calcStreamNum(AllGatherParam param) {
      return 1;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      List<Stream> slaves = mem.resources().slaveStreams();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.fork(slaves);
      slaves.getFirst().copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.read(main, mem.outputBlock(peer.remoteUserRank()), peer.remote(mem.input()));
        peer.dataReceivedAck(main);
      }
      main.join(slaves);
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.NOT_JOINED;
  }

  @Override
  public int ranks() {
    return 2;
  }

  @Override
  public List<Finding> broken() {
    return check(new Broken(), ranks());
  }

  @Override
  public List<Finding> correct(int ranks) {
    return check(new Correct(), ranks);
  }
}
