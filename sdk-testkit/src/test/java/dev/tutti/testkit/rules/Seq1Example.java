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
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      if (param.comm().rank() == param.root()) {
        peer.write(main, peer.remote(mem.output()), mem.input());
        peer.post(main, Link.FIN);
        peer.await(main, Link.FIN_ACK);
        main.copy(mem.output(), mem.input());
      } else {
        peer.await(main, Link.FIN);
        peer.post(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<BroadcastParam> {

    @Override
    protected OpCommTransport calcCommInfo(BroadcastParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BroadcastParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      if (param.comm().rank() == param.root()) {
        peer.await(main, Link.READY);
        peer.write(main, peer.remote(mem.output()), mem.input());
        peer.post(main, Link.FIN);
        main.copy(mem.output(), mem.input());
      } else {
        peer.post(main, Link.READY);
        peer.await(main, Link.FIN);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<BroadcastParam> executor) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(2)).mode(WorkflowMode.OP_BASE).build();
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
  public List<Finding> broken() {
    return check(new Broken());
  }

  @Override
  public List<Finding> correct() {
    return check(new Correct());
  }
}
