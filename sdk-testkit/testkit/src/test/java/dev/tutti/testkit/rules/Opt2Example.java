package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.DeviceMem;
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
import java.util.Optional;

/** OPT-2: a declared cost with one step too many. */
public final class Opt2Example extends RuleExample<AllGatherParam> {

  // @start region="correct"
  public static class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.ring(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      main.copy(mem.outputBlock(all.localRank()), mem.input());
      for (int step = 1; step < all.localRankSize(); step++) {
        DeviceMem block =
            mem.outputBlock(Math.floorMod(all.localRank() - step, all.localRankSize()));
        all.right().post(main, Link.FIN);
        all.left().await(main, Link.FIN);
        all.left().read(main, block, all.left().remote(block));
        all.left().post(main, Link.FIN_ACK);
        all.right().await(main, Link.FIN_ACK);
      }
    }

    @Override
    public Optional<Cost> cost(AllGatherParam param) {
      int steps = steps(param.comm().rankSize());
      return Optional.of(new Cost(steps, (double) steps * param.inputBytes(), 0));
    }

    /** The number of steps that the plan is declared to take. */
    protected int steps(int ranks) {
      return ranks - 1;
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    protected int steps(int ranks) {
      return ranks;
    }
  }

  // @end

  public Opt2Example() {
    super(Rule.COST_DIFFERS, 4, Broken::new, Correct::new);
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
