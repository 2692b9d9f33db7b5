package dev.tutti.verifier.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.flow.FlatPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTableTest {

  /** Every rank waits for its left neighbour before it posts to its right one. */
  private static final class AllWait extends CollExecutorBase<BarrierParam> {

    @Override
    public AlgResourceRequest calcResRequest(BarrierParam param) {
      return AlgResourceRequest.of(
          OpCommTransport.ring(
              param.comm(),
              CommPlane.COMBINED,
              TransportMemType.PARAM_INPUT,
              TransportMemType.PARAM_OUTPUT));
    }

    @Override
    public void orchestrate(BarrierParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream stream = resources.mainStream();
      comm.right().post(stream, Link.READY);
      comm.left().await(stream, Link.READY);
      comm.left().await(stream, Link.FIN);
      comm.right().post(stream, Link.FIN);
    }
  }

  private final FlatPlan plan =
      FlatPlan.of(
          new PlanRecorder()
              .record(
                  "barrier", new AllWait(), new BarrierParam(CommInfo.of(0, Topology.flat(3)))));

  @Test
  void showsWhatEachRankDidAndWhereItWaits() {
    List<ActionRef> waits = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      waits.add(plan.streams().get(plan.mainStream(rank)).ref(3));
    }

    assertThat(StepTable.of(plan, waits))
        .isEqualTo(
            """
            |  rank 0               |  rank 1               |  rank 2               |
            |  (enters)             |                       |                       |
            |  post READY -> 1      |                       |                       |
            |                       |  (enters)             |                       |
            |                       |  post READY -> 2      |                       |
            |                       |  await READY <- 0     |                       |
            |                       |                       |  (enters)             |
            |                       |                       |  post READY -> 0      |
            |                       |                       |  await READY <- 1     |
            |  await READY <- 2     |                       |                       |
            |> waits: await FIN <- 2|                       |                       |
            |                       |> waits: await FIN <- 0|                       |
            |                       |                       |> waits: await FIN <- 1|
            """);
  }

  @Test
  void hasColumnsForTheRanksInQuestionOnlyAndEndsSoonAfterTheirActions() {
    ActionRef post = plan.streams().get(plan.mainStream(1)).ref(1);

    assertThat(StepTable.of(plan, List.of(post)))
        .isEqualTo(
            """
            |  rank 1               |
            |  (enters)             |
            |> post READY -> 2      |
            |  await READY <- 0     |
            |  waits: await FIN <- 0|
            """);
  }

  @Test
  void isEmptyIfNoActionIsInQuestion() {
    assertThat(StepTable.of(plan, List.of())).isEmpty();
  }
}
