package dev.tutti.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.samples.Algorithms;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import org.junit.jupiter.api.Test;

/** Two ranks with several links between them need as many as they use. */
class ParallelLinksTest {

  /** A ring that requests its links twice, on two planes with the same ranks. */
  private static final class TwiceLinked extends CollExecutorBase<AllGatherParam> {
    private final Algorithms.RingAllGather ring = new Algorithms.RingAllGather();

    @Override
    public AlgResourceRequest calcResRequest(AllGatherParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.builder(param.comm())
              .ring(CommPlane.COMBINED, TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)
              .ring(CommPlane.LEVEL0, TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT)
              .build());
    }

    @Override
    public void orchestrate(AllGatherParam param, AlgResourceResponse resources) {
      ring.orchestrate(param, resources);
    }
  }

  @Test
  void aSecondLinkThatNothingNeedsIsReported() {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(3)).bothWays(false).shrink(false).build();

    Report report =
        cluster.check(new TwiceLinked(), new AllGatherParam(cluster.comm(), DataType.FLOAT32, 30));

    assertThat(report.rules()).containsExactly("RES-1");
  }
}
