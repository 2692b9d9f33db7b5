package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
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
import java.util.List;

/** DET-1: every rank begins the sum with its own input. */
public final class Det1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllReduceParam> {

    @Override
    public Determinism determinism() {
      return Determinism.SAME_RANKS;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      exchange(all, main, Link.READY);
      List<DeviceMem> sources = new ArrayList<>();
      for (int i = 0; i < all.localRankSize(); i++) {
        int source = (all.localRank() + i) % all.localRankSize();
        boolean isOwn = source == all.localRank();
        sources.add(isOwn ? mem.input() : all.link(source).remote(mem.input()));
      }
      main.reduceFrom(mem.output(), sources, param.dataType(), param.reduceOp());
      exchange(all, main, Link.FIN);
    }

    private static void exchange(SubCommInfo all, Stream main, int notify) {
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).post(main, notify);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).await(main, notify);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllReduceParam> {

    @Override
    public Determinism determinism() {
      return Determinism.SAME_RANKS;
    }

    @Override
    protected OpCommTransport calcCommInfo(AllReduceParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllReduceParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      exchange(all, main, Link.READY);
      List<DeviceMem> sources = new ArrayList<>();
      for (int i = 0; i < all.localRankSize(); i++) {
        int source = i;
        boolean isOwn = source == all.localRank();
        sources.add(isOwn ? mem.input() : all.link(source).remote(mem.input()));
      }
      main.reduceFrom(mem.output(), sources, param.dataType(), param.reduceOp());
      exchange(all, main, Link.FIN);
    }

    private static void exchange(SubCommInfo all, Stream main, int notify) {
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).post(main, notify);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).await(main, notify);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllReduceParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).mode(WorkflowMode.OP_BASE).build();
    return cluster
        .check(executor, new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.RANKS_DIFFER;
  }

  @Override
  public int ranks() {
    return 3;
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
