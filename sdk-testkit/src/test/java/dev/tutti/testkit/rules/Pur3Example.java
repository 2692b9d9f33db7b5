package dev.tutti.testkit.rules;

import dev.tutti.sdk.AlgParameter;
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
import dev.tutti.testkit.calls.CallReport;
import dev.tutti.testkit.matrix.CollectiveCase;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** PUR-3: a setting that comes from the process instead of the request. */
public final class Pur3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      int chunks = Integer.getInteger("allgather.chunks", 1);
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice chunk : Slice.partition(mem.count(), chunks, param.dataType().size())) {
          peer.read(main, theirs.slice(chunk), peer.remote(mem.input()).slice(chunk));
        }
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    private static final AlgParameter<Long> CHUNKS =
        AlgParameter.integer("chunks", "pieces a block is read in", 1, 1, 64);

    @Override
    public List<AlgParameter<?>> parameters() {
      return List.of(CHUNKS);
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      int chunks = Math.toIntExact(CHUNKS.in(param.options()));
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int rank = 0; rank < all.localRankSize(); rank++) {
        if (rank == all.localRank()) {
          continue;
        }
        Link peer = all.link(rank);
        DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        for (Slice chunk : Slice.partition(mem.count(), chunks, param.dataType().size())) {
          peer.read(main, theirs.slice(chunk), peer.remote(mem.input()).slice(chunk));
        }
        peer.dataReceivedAck(main);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    AllGatherParam param = new AllGatherParam(cluster.comm(), DataType.INT32, 10);
    cluster.check(executor, param).requireClean();
    return CallReport.of(executor.getClass(), List.of(CollectiveCase.of(param, 1)));
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.FORBIDDEN_CALL;
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
