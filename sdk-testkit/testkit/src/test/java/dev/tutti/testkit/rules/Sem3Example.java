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

/** SEM-3: adds to an output that holds nothing yet. */
public final class Sem3Example extends RuleExample<ReduceScatterParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<ReduceScatterParam> {

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      DeviceMem mine = mem.inputBlock(param.comm().rank());
      begin(param, main, mem.output(), mine);
      for (Link peer : peers(mem)) {
        peer.post(main, Link.READY);
        peer.await(main, Link.READY);
        peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
        peer.dataReceivedAck(main);
      }
    }

    /** Begins the sum with this rank's own share. */
    protected void begin(ReduceScatterParam param, Stream main, DeviceMem sum, DeviceMem mine) {
      main.copy(sum, mine);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void begin(ReduceScatterParam param, Stream main, DeviceMem sum, DeviceMem mine) {
      main.reduce(sum, mine, param.dataType(), param.reduceOp());
    }
  }

  // @end

  public Sem3Example() {
    super(Rule.UNDEFINED_READ, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ReduceScatterParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
    // @end
  }
}
