package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/** DET-1: every rank begins the sum with its own input. */
public final class Det1Example extends RuleExample<AllReduceParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<AllReduceParam> {

    @Override
    public Determinism determinism() {
      return Determinism.SAME_RANKS;
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int ranks = all.localRankSize();
      exchange(mem, main, Link.READY);
      List<DeviceMem> sources = new ArrayList<>();
      for (int i = 0; i < ranks; i++) {
        int source = (first(all.localRank()) + i) % ranks;
        boolean isOwn = source == all.localRank();
        sources.add(isOwn ? mem.input() : all.link(source).remote(mem.input()));
      }
      main.reduceFrom(mem.output(), sources, param.dataType(), param.reduceOp());
      exchange(mem, main, Link.FIN);
    }

    /** The rank that the sum of a rank begins with. */
    protected int first(int rank) {
      return 0;
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected int first(int rank) {
      return rank;
    }
  }

  // @end

  public Det1Example() {
    super(Rule.RANKS_DIFFER, 3, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<AllReduceParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).mode(WorkflowMode.OP_BASE).build();
    return cluster
        .check(executor, new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 10))
        .findings();
    // @end
  }
}
