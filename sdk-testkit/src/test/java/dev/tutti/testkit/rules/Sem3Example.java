package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** SEM-3: adds to an output that holds nothing yet. */
public final class Sem3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      DeviceMem mine = mem.inputBlock(param.comm().rank());

      peer.post(main, Link.READY);
      peer.await(main, Link.READY);
      peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
      main.reduce(mem.output(), mine, param.dataType(), param.reduceOp());
      peer.dataReceivedAck(main);
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<ReduceScatterParam> {

    @Override
    protected OpCommTransport calcCommInfo(ReduceScatterParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(ReduceScatterParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      DeviceMem mine = mem.inputBlock(param.comm().rank());

      main.copy(mem.output(), mine);
      peer.post(main, Link.READY);
      peer.await(main, Link.READY);
      peer.readReduce(main, mem.output(), peer.remote(mine), param.dataType(), param.reduceOp());
      peer.dataReceivedAck(main);
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<ReduceScatterParam> executor) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(2)).build();
    return cluster
        .check(executor, new ReduceScatterParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.UNDEFINED_READ;
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
