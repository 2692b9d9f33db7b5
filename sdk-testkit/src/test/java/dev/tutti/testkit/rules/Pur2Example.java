package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** PUR-2: a decision by the size of this rank's own block. */
public final class Pur2Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherVParam> {

    @Override
    public Support supports(AllGatherVParam param) {
      return Support.when(param.inputBytes() >= 16, "too short to be worth it");
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherVParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherVParam param, ExecMem mem) {
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
        peer.read(main, theirs, peer.remote(inputMemType(param)).slice(0, theirs.size()));
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherVParam> {

    @Override
    public Support supports(AllGatherVParam param) {
      return Support.when(param.messageBytes() >= 16, "too short to be worth it");
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherVParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherVParam param, ExecMem mem) {
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
        peer.read(main, theirs, peer.remote(inputMemType(param)).slice(0, theirs.size()));
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllGatherVParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    List<Long> counts = new ArrayList<>(Collections.nCopies(ranks - 1, 1L));
    counts.add(10L);
    return cluster
        .check(executor, new AllGatherVParam(cluster.comm(), DataType.INT32, counts))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.SUPPORTS_DIFFERS;
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
