package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** SEM-2: a sum, whatever reduction was asked for. */
public final class Sem2Example extends RuleExample<ReduceScatterParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<ReduceScatterParam> {

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      DeviceMem mine = mem.inputBlock(param.comm().rank());
      main.copy(mem.output(), mine);
      for (Link peer : peers(mem)) {
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), reduction(param));
        peer.dataReceivedAck(main);
      }
    }

    /** The reduction to apply. */
    protected ReduceOp reduction(ReduceScatterParam param) {
      return param.reduceOp();
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected ReduceOp reduction(ReduceScatterParam param) {
      return ReduceOp.SUM;
    }
  }

  // @end

  public Sem2Example() {
    super(Rule.WRONG_REDUCTION, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ReduceScatterParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.MAX, 10))
        .findings();
    // @end
  }
}
