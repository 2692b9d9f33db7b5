package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
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

/** CAP-1: an all-gather that refuses counts it could take. */
public final class Cap1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherParam> {

    @Override
    public Support supports(AllGatherParam param) {
      return Support.when(param.sendCount() % 4 == 0, "the count must be a multiple of 4");
    }

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
      for (int step = 1; step < ranks; step++) {
        Link reader = all.link((rank + step) % ranks);
        Link owner = all.link((rank + ranks - step) % ranks);
        reader.post(main, Link.READY);
        owner.await(main, Link.READY);
        owner.read(main, mem.outputBlock(owner.remoteUserRank()), owner.remote(mem.input()));
        owner.post(main, Link.FIN);
        reader.await(main, Link.FIN);
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
      for (int step = 1; step < ranks; step++) {
        Link reader = all.link((rank + step) % ranks);
        Link owner = all.link((rank + ranks - step) % ranks);
        reader.post(main, Link.READY);
        owner.await(main, Link.READY);
        owner.read(main, mem.outputBlock(owner.remoteUserRank()), owner.remote(mem.input()));
        owner.post(main, Link.FIN);
        reader.await(main, Link.FIN);
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
    return Rule.REFUSED;
  }

  @Override
  public int ranks() {
    return 2;
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
