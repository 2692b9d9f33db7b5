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
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** DET-3: all ranks add into the root's buffer at the same time. */
public final class Det3Example extends RuleExample<ReduceParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<ReduceParam> {

    @Override
    public Determinism determinism() {
      return Determinism.NONE;
    }

    @Override
    protected OpCommTransport calcCommInfo(ReduceParam param) {
      TransportMemType input = inputMemType(param);
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(ReduceParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      if (param.comm().rank() == param.root()) {
        main.copy(mem.output(), mem.input());
        for (Link leaf : MeshExecutor.peers(mem)) {
          leaf.post(main, Link.READY);
        }
        for (Link leaf : MeshExecutor.peers(mem)) {
          leaf.await(main, Link.FIN);
        }
      } else {
        Link root = mem.resources().subComm(CommPlane.COMBINED).link(param.root());
        DeviceMem sum = root.remote(outputMemType(param)).slice(0, mem.input().size());
        root.await(main, Link.READY);
        root.writeReduce(main, sum, mem.input(), param.dataType(), param.reduceOp());
        root.post(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    public Determinism determinism() {
      return Determinism.SAME_RUNS;
    }
  }

  // @end

  public Det3Example() {
    super(Rule.RUNS_DIFFER, 3, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ReduceParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .mode(WorkflowMode.OP_BASE)
            .atomicReductions(true)
            .build();
    return cluster
        .check(executor, new ReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 10, 0))
        .findings();
    // @end
  }
}
