package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** SEQ-1: the next operation overwrites the staging buffer while a slow rank copies out of it. */
public final class Seq1Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      TransportMemType input = inputMemType(param);
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      if (all.localRank() == param.root()) {
        for (int step = 1; step < all.localRankSize(); step++) {
          Link leaf = all.link((param.root() + step) % all.localRankSize());
          leaf.write(main, leaf.remote(mem.output()), mem.input());
          leaf.post(main, Link.FIN);
          leaf.await(main, Link.FIN_ACK);
        }
        main.copy(mem.output(), mem.input());
      } else {
        all.link(param.root()).await(main, Link.FIN);
        all.link(param.root()).post(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      TransportMemType input = inputMemType(param);
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      if (all.localRank() == param.root()) {
        for (int step = 1; step < all.localRankSize(); step++) {
          Link leaf = all.link((param.root() + step) % all.localRankSize());
          leaf.await(main, Link.READY);
          leaf.write(main, leaf.remote(mem.output()), mem.input());
          leaf.post(main, Link.FIN);
        }
        main.copy(mem.output(), mem.input());
      } else {
        all.link(param.root()).post(main, Link.READY);
        all.link(param.root()).await(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<BroadcastParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks)).mode(WorkflowMode.OP_BASE).build();
    return cluster
        .check(executor, new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.SEQUENCE_RACE;
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
