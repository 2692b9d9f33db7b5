package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.ReduceParam;
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
import java.util.List;

/** DET-3: all ranks add into the root's buffer at the same time. */
public final class Det3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<ReduceParam> {

    @Override
    public Determinism determinism() {
      return Determinism.SAME_RUNS;
    }

    @Override
    protected OpCommTransport calcCommInfo(ReduceParam param) {
      OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
      if (param.comm().rank() == param.root()) {
        links.mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param));
      } else {
        links.pairs(CommPlane.COMBINED, inputMemType(param), outputMemType(param), param.root());
      }
      return links.build();
    }

    @Override
    protected void kernelRun(ReduceParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      if (all.localRank() != param.root()) {
        Link root = all.link(param.root());
        DeviceMem sum = root.remote(outputMemType(param)).slice(0, mem.input().size());
        root.await(main, Link.READY);
        root.writeReduce(main, sum, mem.input(), param.dataType(), param.reduceOp());
        root.post(main, Link.FIN);
        return;
      }
      main.copy(mem.output(), mem.input());
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((param.root() + step) % all.localRankSize()).post(main, Link.READY);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((param.root() + step) % all.localRankSize()).await(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<ReduceParam> {

    @Override
    public Determinism determinism() {
      return Determinism.NONE;
    }

    @Override
    protected OpCommTransport calcCommInfo(ReduceParam param) {
      OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
      if (param.comm().rank() == param.root()) {
        links.mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param));
      } else {
        links.pairs(CommPlane.COMBINED, inputMemType(param), outputMemType(param), param.root());
      }
      return links.build();
    }

    @Override
    protected void kernelRun(ReduceParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      if (all.localRank() != param.root()) {
        Link root = all.link(param.root());
        DeviceMem sum = root.remote(outputMemType(param)).slice(0, mem.input().size());
        root.await(main, Link.READY);
        root.writeReduce(main, sum, mem.input(), param.dataType(), param.reduceOp());
        root.post(main, Link.FIN);
        return;
      }
      main.copy(mem.output(), mem.input());
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((param.root() + step) % all.localRankSize()).post(main, Link.READY);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((param.root() + step) % all.localRankSize()).await(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<ReduceParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .mode(WorkflowMode.OP_BASE)
            .atomicReductions(true)
            .build();
    return cluster
        .check(executor, new ReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 10, 0))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.RUNS_DIFFER;
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
