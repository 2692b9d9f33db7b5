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
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** SYN-4: two streams await one notify of one link. */
public final class Syn4Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected int calcStreamNum(AllGatherParam param) {
      return param.comm().rankSize() > 1 ? 2 : 0;
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
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      main.fork(slaves);
      List<Slice> halves = Slice.partition(mem.count(), 2, param.dataType().size());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        for (int i = 0; i < 2; i++) {
          Stream slave = slaves.get(i);
          peer.post(main, Link.READY);
          peer.await(slave, Link.READY);
          peer.read(
              slave, theirs.slice(halves.get(i)), peer.remote(mem.input()).slice(halves.get(i)));
          peer.post(slave, Link.FIN);
          peer.await(main, Link.FIN);
        }
      }
      main.join(slaves);
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected int calcStreamNum(AllGatherParam param) {
      return param.comm().rankSize() > 1 ? 2 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.builder(param.comm())
          .notifyNum(Link.PAIRED_NOTIFIES + 2)
          .mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param))
          .build();
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      List<Stream> slaves = mem.resources().slaveStreams();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      main.fork(slaves);
      List<Slice> halves = Slice.partition(mem.count(), 2, param.dataType().size());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        for (int i = 0; i < 2; i++) {
          int go = Link.PAIRED_NOTIFIES + i;
          Stream slave = slaves.get(i);
          peer.post(main, go);
          peer.await(slave, go);
          peer.read(
              slave, theirs.slice(halves.get(i)), peer.remote(mem.input()).slice(halves.get(i)));
          peer.post(slave, Link.FIN);
          peer.await(main, Link.FIN);
        }
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
    return Rule.STOLEN_NOTIFY;
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
