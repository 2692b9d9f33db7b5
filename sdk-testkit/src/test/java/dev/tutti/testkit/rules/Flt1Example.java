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
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** FLT-1: a stream in the background that waits for ever when the peer has died. */
public final class Flt1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<BarrierParam> {

    @Override
    protected int calcStreamNum(BarrierParam param) {
      return param.comm().rankSize() > 1 ? 1 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      if (param.comm().rankSize() == 1) {
        return;
      }
      Stream main = mem.resources().mainStream();
      Stream slave = mem.resources().slaveStreams().getFirst();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      exchange(all, main, Link.READY);
      main.fork(mem.resources().slaveStreams());
      exchange(all, slave, Link.FIN);
    }

    private static void exchange(SubCommInfo all, Stream stream, int notify) {
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).post(stream, notify);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).await(stream, notify);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<BarrierParam> {

    @Override
    protected int calcStreamNum(BarrierParam param) {
      return param.comm().rankSize() > 1 ? 1 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      if (param.comm().rankSize() == 1) {
        return;
      }
      Stream main = mem.resources().mainStream();
      Stream slave = mem.resources().slaveStreams().getFirst();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      exchange(all, main, Link.READY);
      main.fork(mem.resources().slaveStreams());
      exchange(all, slave, Link.FIN);
      main.join(mem.resources().slaveStreams());
    }

    private static void exchange(SubCommInfo all, Stream stream, int notify) {
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).post(stream, notify);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).await(stream, notify);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<BarrierParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .without(Rule.NOT_JOINED, Rule.SEQUENCE_NOTIFY)
            .staticOnly()
            .faults(1000)
            .build();
    return cluster.check(executor, new BarrierParam(cluster.comm())).findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.NO_DIAGNOSIS;
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
