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
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** MEM-1: the staging slot is given back before it has been emptied. */
public final class Mem1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), TransportMemType.CCL_OUTPUT);
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice half : Slice.partition(mem.count(), 2, param.dataType().size())) {
          DeviceMem slot = mem.resources().cclOutputMem().slice(0, half.size());
          peer.write(main, peer.remote(slot), mem.input().slice(half));
          peer.post(main, Link.FIN);
          peer.await(main, Link.FIN);
          peer.post(main, Link.FIN_ACK);
          main.copy(theirs.slice(half), slot);
          peer.await(main, Link.FIN_ACK);
        }
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), TransportMemType.CCL_OUTPUT);
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice half : Slice.partition(mem.count(), 2, param.dataType().size())) {
          DeviceMem slot = mem.resources().cclOutputMem().slice(0, half.size());
          peer.write(main, peer.remote(slot), mem.input().slice(half));
          peer.post(main, Link.FIN);
          peer.await(main, Link.FIN);
          main.copy(theirs.slice(half), slot);
          peer.post(main, Link.FIN_ACK);
          peer.await(main, Link.FIN_ACK);
        }
      }
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
    return Rule.RACE;
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
