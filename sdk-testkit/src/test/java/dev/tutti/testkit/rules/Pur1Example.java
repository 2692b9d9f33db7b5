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

/** PUR-1: a field that remembers where the last call began. */
public final class Pur1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    private int calls;

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int rank = all.localRank();
      int ranks = all.localRankSize();
      main.copy(mem.outputBlock(rank), mem.input());
      exchange(all, main, Link.READY);
      int direction = calls++ % 2 == 0 ? 1 : ranks - 1;
      for (int step = 1; step < ranks; step++) {
        Link owner = all.link((rank + step * direction) % ranks);
        owner.read(main, mem.outputBlock(owner.remoteUserRank()), owner.remote(mem.input()));
      }
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
  public static final class Correct extends NativeExecutorBase<AllGatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int rank = all.localRank();
      int ranks = all.localRankSize();
      main.copy(mem.outputBlock(rank), mem.input());
      exchange(all, main, Link.READY);
      int direction = rank % 2 == 0 ? 1 : ranks - 1;
      for (int step = 1; step < ranks; step++) {
        Link owner = all.link((rank + step * direction) % ranks);
        owner.read(main, mem.outputBlock(owner.remoteUserRank()), owner.remote(mem.input()));
      }
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
  private static List<Finding> check(CollExecutorBase<AllGatherParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new AllGatherParam(cluster.comm(), DataType.INT32, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.NOT_PURE;
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
