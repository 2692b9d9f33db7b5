package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
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
      return 1;
    }

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Stream slave = mem.resources().slaveStreams().getFirst();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      peer.post(main, Link.READY);
      peer.await(main, Link.READY);
      main.fork(mem.resources().slaveStreams());
      peer.post(slave, Link.FIN);
      peer.await(slave, Link.FIN);
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<BarrierParam> {

    @Override
    protected int calcStreamNum(BarrierParam param) {
      return 1;
    }

    @Override
    protected OpCommTransport calcCommInfo(BarrierParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(BarrierParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Stream slave = mem.resources().slaveStreams().getFirst();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      peer.post(main, Link.READY);
      peer.await(main, Link.READY);
      main.fork(mem.resources().slaveStreams());
      peer.post(slave, Link.FIN);
      peer.await(slave, Link.FIN);
      main.join(mem.resources().slaveStreams());
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<BarrierParam> executor) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(2))
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
  public List<Finding> broken() {
    return check(new Broken());
  }

  @Override
  public List<Finding> correct() {
    return check(new Correct());
  }
}
