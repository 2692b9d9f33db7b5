package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllGatherVParam;
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

/** PUR-2: a decision by the size of this rank's own block. */
public final class Pur2Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends NativeExecutorBase<AllGatherVParam> {

    @Override
    public Support supports(AllGatherVParam param) {
      return Support.when(param.inputBytes() >= 16, "too short to be worth it");
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherVParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherVParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      peer.post(main, Link.READY);
      peer.await(main, Link.READY);
      peer.read(main, theirs, peer.remote(inputMemType(param)).slice(0, theirs.size()));
      peer.dataReceivedAck(main);
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends NativeExecutorBase<AllGatherVParam> {

    @Override
    public Support supports(AllGatherVParam param) {
      return Support.when(param.messageBytes() >= 16, "too short to be worth it");
    }

    @Override
    protected OpCommTransport calcCommInfo(AllGatherVParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherVParam param, ExecMem mem) {
      Stream main = mem.resources().mainStream();
      Link peer = mem.resources().subComm(CommPlane.COMBINED).right();
      DeviceMem theirs = mem.outputBlock(peer.remoteUserRank());
      main.copy(mem.outputBlock(param.comm().rank()), mem.input());
      peer.post(main, Link.READY);
      peer.await(main, Link.READY);
      peer.read(main, theirs, peer.remote(inputMemType(param)).slice(0, theirs.size()));
      peer.dataReceivedAck(main);
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<AllGatherVParam> executor) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(2)).build();
    return cluster
        .check(executor, new AllGatherVParam(cluster.comm(), DataType.INT32, List.of(1L, 10L)))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.SUPPORTS_DIFFERS;
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
