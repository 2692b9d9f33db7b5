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
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.stream.IntStream;

/** SEM-5: an exclusive scan that gives rank 0 a result. */
public final class Sem5Example extends RuleExample<ExclusiveScanParam> {

  // @start region="correct"
  public static class Correct extends CollExecutorBase<ExclusiveScanParam> {

    @Override
    public AlgResourceRequest calcResRequest(ExclusiveScanParam param) {
      int rank = param.comm().rank();
      int last = param.comm().rankSize() - 1;
      int[] neighbours =
          IntStream.of(rank - 1, rank + 1).filter(peer -> peer >= 0 && peer <= last).toArray();
      return AlgResourceRequest.of(
          OpCommTransport.pairs(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.CCL_INPUT,
              TransportMemType.CCL_OUTPUT,
              neighbours));
    }

    @Override
    public void orchestrate(ExclusiveScanParam param, AlgResourceResponse res) {
      int rank = param.comm().rank();
      boolean isLast = rank == param.comm().rankSize() - 1;
      Stream main = res.mainStream();
      SubCommInfo all = res.subComm(CommPlane.COMBINED);
      DeviceMem staged = res.cclInputMem().slice(0, param.inputBytes());
      if (!isLast) {
        main.copy(staged, res.paramInputMem());
      }
      if (rank > 0) {
        Link left = all.link(rank - 1);
        left.await(main, Link.FIN);
        left.read(main, res.paramOutputMem(), left.remote(staged));
        left.post(main, Link.FIN_ACK);
      }
      if (rank > 0 && !isLast) {
        main.reduce(staged, res.paramOutputMem(), param.dataType(), param.reduceOp());
      }
      if (!isLast) {
        Link right = all.link(rank + 1);
        right.post(main, Link.FIN);
        right.await(main, Link.FIN_ACK);
      }
    }
  }

  // @end

  // @start region="broken"
  public static final class Broken extends Correct {

    @Override
    public void orchestrate(ExclusiveScanParam param, AlgResourceResponse res) {
      super.orchestrate(param, res);
      if (param.comm().rank() == 0 && !param.inPlace()) {
        res.mainStream().copy(res.paramOutputMem(), res.paramInputMem());
      }
    }
  }

  // @end

  public Sem5Example() {
    super(Rule.OUTPUT_WRITTEN, 2, Broken::new, Correct::new);
  }

  @Override
  List<Finding> check(CollExecutorBase<ExclusiveScanParam> executor, int ranks) {
    // @start region="check"
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(ranks)).build();
    return cluster
        .check(executor, new ExclusiveScanParam(cluster.comm(), DataType.INT32, ReduceOp.SUM, 10))
        .findings();
    // @end
  }
}
