package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.GatherParam;
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

/** LNK-1: leaves that ask for a link to rank 0, whoever is the root. */
public final class Lnk1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<GatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(GatherParam param) {
      OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
      if (param.comm().rank() == param.root()) {
        links.mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param));
      } else {
        links.pairs(CommPlane.COMBINED, inputMemType(param), outputMemType(param), 0);
      }
      return links.build();
    }

    @Override
    protected void kernelRun(GatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      if (all.localRank() != param.root()) {
        all.link(param.root()).post(main, Link.READY);
        all.link(param.root()).await(main, Link.FIN);
        return;
      }
      main.copy(mem.outputBlock(param.root()), mem.input());
      for (int step = 1; step < all.localRankSize(); step++) {
        Link leaf = all.link((param.root() + step) % all.localRankSize());
        leaf.await(main, Link.READY);
        leaf.read(main, mem.outputBlock(leaf.remoteUserRank()), leaf.remote(mem.input()));
        leaf.post(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<GatherParam> {

    @Override
    protected OpCommTransport calcCommInfo(GatherParam param) {
      OpCommTransport.Builder links = OpCommTransport.builder(param.comm());
      if (param.comm().rank() == param.root()) {
        links.mesh(CommPlane.COMBINED, inputMemType(param), outputMemType(param));
      } else {
        links.pairs(CommPlane.COMBINED, inputMemType(param), outputMemType(param), param.root());
      }
      return links.build();
    }

    @Override
    protected void kernelRun(GatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      if (all.localRank() != param.root()) {
        all.link(param.root()).post(main, Link.READY);
        all.link(param.root()).await(main, Link.FIN);
        return;
      }
      main.copy(mem.outputBlock(param.root()), mem.input());
      for (int step = 1; step < all.localRankSize(); step++) {
        Link leaf = all.link((param.root() + step) % all.localRankSize());
        leaf.await(main, Link.READY);
        leaf.read(main, mem.outputBlock(leaf.remoteUserRank()), leaf.remote(mem.input()));
        leaf.post(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<GatherParam> executor, int ranks) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new GatherParam(cluster.comm(), DataType.INT32, 10, ranks / 2))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.LINK_MISMATCH;
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
