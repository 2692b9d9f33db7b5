package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** SEM-6: a barrier in which every rank learns only of two ranks on either side. */
public final class Sem6Example extends RuleExample<BarrierParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<BarrierParam> {

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      return OpCommTransport.ring(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      for (int i = 0; i < rounds(all.localRankSize()); i++) {
        exchange(mem.resources().mainStream(), all, Link.READY);
        exchange(mem.resources().mainStream(), all, Link.FIN);
      }
    }

    /** The number of rounds; each exchanges two signals with both neighbours. */
    protected int rounds(int ranks) {
      return Math.ceilDiv(ranks / 2, 2);
    }

    private static void exchange(Stream main, SubCommInfo all, int notify) {
      all.right().post(main, notify);
      // In a group of two, the left neighbour is also the right one.
      if (all.localRankSize() > 2) {
        all.left().post(main, notify);
        all.left().await(main, notify);
      }
      all.right().await(main, notify);
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected int rounds(int ranks) {
      return 1;
    }
  }

  // @end

  public Sem6Example() {
    super(Rule.BARRIER_INCOMPLETE, 6, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<BarrierParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster.check(executor, new BarrierParam(cluster.comm())).findings();
    // @end
  }
}
