package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/** VAL-3: rank 0 of an exclusive scan clears its output with what lies in the staging buffer. */
public final class Val3Example implements RuleExample {

  // @start region="broken"
  public static final class Broken extends CollExecutorBase<ExclusiveScanParam> {

    @Override
    public AlgResourceRequest calcResRequest(ExclusiveScanParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.ring(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.CCL_INPUT,
              TransportMemType.CCL_OUTPUT));
    }

    @Override
    public void orchestrate(ExclusiveScanParam param, AlgResourceResponse res) {
      Stream main = res.mainStream();
      Link peer = res.subComm(CommPlane.COMBINED).right();
      DeviceMem staged = res.cclInputMem().slice(0, param.inputBytes());
      if (param.comm().rank() == 0) {
        main.copy(staged, res.paramInputMem());
        peer.post(main, Link.FIN);
        peer.await(main, Link.FIN_ACK);
        if (!param.inPlace()) {
          main.copy(res.paramOutputMem(), staged);
        }
      } else {
        peer.await(main, Link.FIN);
        peer.read(main, res.paramOutputMem(), peer.remote(staged));
        peer.post(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="correct"
  public static final class Correct extends CollExecutorBase<ExclusiveScanParam> {

    @Override
    public AlgResourceRequest calcResRequest(ExclusiveScanParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.ring(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.CCL_INPUT,
              TransportMemType.CCL_OUTPUT));
    }

    @Override
    public void orchestrate(ExclusiveScanParam param, AlgResourceResponse res) {
      Stream main = res.mainStream();
      Link peer = res.subComm(CommPlane.COMBINED).right();
      DeviceMem staged = res.cclInputMem().slice(0, param.inputBytes());
      if (param.comm().rank() == 0) {
        main.copy(staged, res.paramInputMem());
        peer.post(main, Link.FIN);
        peer.await(main, Link.FIN_ACK);
      } else {
        peer.await(main, Link.FIN);
        peer.read(main, res.paramOutputMem(), peer.remote(staged));
        peer.post(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="check"
  private static List<Finding> check(CollExecutorBase<ExclusiveScanParam> executor) {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(2)).without(Rule.OUTPUT_WRITTEN).build();
    return cluster
        .check(executor, new ExclusiveScanParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
  }

  // @end

  @Override
  public Rule rule() {
    return Rule.UNTOUCHABLE_CHANGED;
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
