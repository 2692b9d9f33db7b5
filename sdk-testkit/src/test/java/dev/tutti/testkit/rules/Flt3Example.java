package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.resource.DeviceMem;
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

/** FLT-3: a sender in the background writes to ranks that have given up. */
public final class Flt3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected int calcStreamNum(BroadcastParam param) {
      return param.comm().rank() == param.root() && param.comm().rankSize() > 1 ? 1 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      TransportMemType input = TransportMemType.CCL_INPUT;
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      if (all.localRank() != param.root()) {
        all.link(param.root()).post(main, Link.READY);
        all.link(param.root()).await(main, Link.FIN);
        return;
      }
      if (!mem.inPlace()) {
        main.copy(mem.output(), mem.input());
      }
      if (all.localRankSize() == 1) {
        return;
      }
      Stream slave = mem.resources().slaveStreams().getFirst();
      DeviceMem staged = mem.resources().cclInputMem().slice(0, mem.input().size());
      main.copy(staged, mem.input());
      main.fork(mem.resources().slaveStreams());
      for (int step = 1; step < all.localRankSize(); step++) {
        Link leaf = all.link((param.root() + step) % all.localRankSize());
        leaf.await(slave, Link.READY);
        leaf.write(slave, leaf.remote(mem.output()), staged);
        leaf.post(slave, Link.FIN);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected int calcStreamNum(BroadcastParam param) {
      return param.comm().rank() == param.root() && param.comm().rankSize() > 1 ? 1 : 0;
    }

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      TransportMemType input = TransportMemType.CCL_INPUT;
      TransportMemType output = outputMemType(param);
      return param.comm().rank() == param.root()
          ? OpCommTransport.mesh(param.comm(), CommPlane.COMBINED, input, output)
          : OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, input, output, param.root());
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      if (all.localRank() != param.root()) {
        all.link(param.root()).post(main, Link.READY);
        all.link(param.root()).await(main, Link.FIN);
        return;
      }
      if (!mem.inPlace()) {
        main.copy(mem.output(), mem.input());
      }
      if (all.localRankSize() == 1) {
        return;
      }
      Stream slave = mem.resources().slaveStreams().getFirst();
      DeviceMem staged = mem.resources().cclInputMem().slice(0, mem.input().size());
      main.copy(staged, mem.input());
      main.fork(mem.resources().slaveStreams());
      for (int step = 1; step < all.localRankSize(); step++) {
        Link leaf = all.link((param.root() + step) % all.localRankSize());
        leaf.await(slave, Link.READY);
        leaf.write(slave, leaf.remote(mem.output()), staged);
        leaf.post(slave, Link.FIN);
      }
      main.join(mem.resources().slaveStreams());
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<BroadcastParam> executor, int ranks) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(ranks))
            .without(Rule.NOT_JOINED, Rule.SEQUENCE_RACE, Rule.SEQUENCE_NOTIFY, Rule.NO_DIAGNOSIS)
            .staticOnly()
            .faults(1000)
            .build();
    return cluster
        .check(executor, new BroadcastParam(cluster.comm(), DataType.INT32, 10, 0))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.TOUCHED_AFTER_FAILURE;
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
