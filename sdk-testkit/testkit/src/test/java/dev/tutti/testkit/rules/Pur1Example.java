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

/** PUR-1: a field that counts the calls. */
public final class Pur1Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int rank = all.localRank();
      int ranks = all.localRankSize();
      main.copy(mem.outputBlock(rank), mem.input());
      exchange(mem, main, Link.READY);
      int stride = isUpward(rank) ? 1 : ranks - 1;
      for (int step = 1; step < ranks; step++) {
        Link owner = all.link((rank + step * stride) % ranks);
        owner.read(main, mem.outputBlock(owner.remoteUserRank()), owner.remote(mem.input()));
      }
      exchange(mem, main, Link.FIN);
    }

    /** Whether a rank reads from the ranks above it first. */
    protected boolean isUpward(int rank) {
      return rank % 2 == 0;
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    private int calls;

    @Override
    protected boolean isUpward(int rank) {
      return calls++ % 2 == 0;
    }
  }

  // @end

  public Pur1Example() {
    super(Rule.NOT_PURE, 3, Broken::new, Correct::new);
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
