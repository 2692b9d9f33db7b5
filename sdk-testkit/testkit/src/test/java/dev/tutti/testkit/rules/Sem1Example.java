package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** SEM-1: blocks in the order of arrival instead of the order of ranks. */
public final class Sem1Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllGatherParam> {

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int rank = all.localRank();
      int ranks = all.localRankSize();
      main.copy(place(mem, rank, 0), mem.input());
      for (int step = 1; step < ranks; step++) {
        Link reader = all.link((rank + step) % ranks);
        Link owner = all.link((rank + ranks - step) % ranks);
        reader.post(main, Link.READY);
        owner.await(main, Link.READY);
        owner.read(main, place(mem, owner.remoteUserRank(), step), owner.remote(mem.input()));
        owner.post(main, Link.FIN);
        reader.await(main, Link.FIN);
      }
    }

    /** The place of an owner's block, which arrives in a given step. */
    protected DeviceMem place(ExecMem mem, int owner, int step) {
      return mem.outputBlock(owner);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected DeviceMem place(ExecMem mem, int owner, int step) {
      return mem.outputBlock(step);
    }
  }

  // @end

  public Sem1Example() {
    super(Rule.WRONG_CONTENTS, 3, Broken::new, Correct::new);
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
