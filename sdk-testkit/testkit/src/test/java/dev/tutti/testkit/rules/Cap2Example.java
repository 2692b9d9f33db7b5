package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.stream.IntStream;

/** CAP-2: pairs of ranks by exclusive or, where the rank count is no power of two. */
public final class Cap2Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int rank = all.localRank();
      main.copy(mem.outputBlock(rank), mem.input());
      for (int partner : partners(rank, all.localRankSize())) {
        Link peer = all.link(partner);
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.read(main, mem.outputBlock(partner), peer.remote(mem.input()));
        peer.dataReceivedAck(main);
      }
    }

    /** The ranks to exchange with, in this order. */
    protected int[] partners(int rank, int ranks) {
      return IntStream.range(1, 2 * ranks)
          .map(mask -> rank ^ mask)
          .filter(partner -> partner < ranks)
          .toArray();
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected int[] partners(int rank, int ranks) {
      return IntStream.range(1, ranks).map(mask -> rank ^ mask).toArray();
    }
  }

  // @end

  public Cap2Example() {
    super(Rule.PLANNING_FAILED, 3, Broken::new, Correct::new);
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
