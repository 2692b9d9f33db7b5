package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
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

/** VAL-1: a ring that passes on the wrong block. */
public final class Val1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

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
        int block = Math.floorMod(all.localRank() - step, all.localRankSize());
        all.right().post(main, Link.FIN);
        all.left().await(main, Link.FIN);
        all.left()
            .read(
                main,
                mem.outputBlock(block),
                all.left().remote(mem.outputBlock(all.left().remoteUserRank())));
        all.left().post(main, Link.FIN_ACK);
        all.right().await(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

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
        int block = Math.floorMod(all.localRank() - step, all.localRankSize());
        all.right().post(main, Link.FIN);
        all.left().await(main, Link.FIN);
        all.left().read(main, mem.outputBlock(block), all.left().remote(mem.outputBlock(block)));
        all.left().post(main, Link.FIN_ACK);
        all.right().await(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).without(Rule.WRONG_CONTENTS).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.WRONG_VALUE;
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
