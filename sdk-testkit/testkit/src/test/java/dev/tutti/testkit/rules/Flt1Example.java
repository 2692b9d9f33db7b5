package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** FLT-1: a stream in the background that waits for ever when the peer has died. */
public final class Flt1Example extends RuleExample<BarrierParam> {

  // @start region="correct"
  public static class Correct extends MeshExecutor<BarrierParam> {

    @Override
    protected int calcStreamNum(BarrierParam param) {
      return param.comm().rankSize() > 1 ? 1 : 0;
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      if (param.comm().rankSize() == 1) {
        return;
      }
      Stream main = mem.resources().mainStream();
      List<Stream> slaves = mem.resources().slaveStreams();
      exchange(mem, main, Link.READY);
      main.fork(slaves);
      exchange(mem, slaves.getFirst(), Link.FIN);
      finish(main, slaves);
    }

    /** Waits until the slave stream has done its work. */
    protected void finish(Stream main, List<Stream> slaves) {
      main.join(slaves);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected void finish(Stream main, List<Stream> slaves) {
      // The slave stream continues on its own.
    }
  }

  // @end

  public Flt1Example() {
    super(Rule.NO_DIAGNOSIS, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<BarrierParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .without(Rule.NOT_JOINED, Rule.SEQUENCE_NOTIFY)
            .staticOnly()
            .faults(1000)
            .build();
    return cluster.check(executor, new BarrierParam(cluster.comm())).findings();
    // @end
  }
}
