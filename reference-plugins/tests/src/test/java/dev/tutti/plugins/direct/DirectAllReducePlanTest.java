package dev.tutti.plugins.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectAllReducePlanTest {

  private static final AlgOptions ONE_STAGE = AlgOptions.none().with("algorithm", "one-stage");
  private static final AlgOptions TWO_STAGES = AlgOptions.none().with("algorithm", "two-stage");

  private final DirectAllReduce direct = new DirectAllReduce();

  private static CommInfo comm(int ranks) {
    return CommInfo.of(0, Topology.flat(ranks));
  }

  private static AllReduceParam param(
      CommInfo comm, AlgOptions options, long count, boolean inPlace) {
    return new AllReduceParam(comm, "", options, DataType.FLOAT32, ReduceOp.SUM, count, inPlace);
  }

  private List<RankPlan> plans(AllReduceParam param) {
    return new PlanRecorder().record("direct", direct, param).ranks();
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  private static long countOf(RankPlan plan, ActionKind kind) {
    return IntStream.range(0, plan.actionCount())
        .filter(action -> plan.kind(action) == kind)
        .count();
  }

  @Test
  void reducesEverythingEverywhereInOneStage() {
    assertThat(actions(plans(param(comm(3), ONE_STAGE, 2, false)).get(1)))
        .containsExactly(
            "post READY to rank 2",
            "post READY to rank 0",
            "await READY from rank 2",
            "await READY from rank 0",
            "reduceFrom param-output[0+8] = sum float32(rank 0's param-input[0+8],"
                + " param-input[0+8], rank 2's param-input[0+8])",
            "post FIN to rank 2",
            "post FIN to rank 0",
            "await FIN from rank 2",
            "await FIN from rank 0");
  }

  @Test
  void inPlaceTheResultOfOneStageWaitsUntilAllPeersHaveReadTheInput() {
    RankPlan plan = plans(param(comm(2), ONE_STAGE, 2, true)).getFirst();

    assertThat(actions(plan))
        .endsWith(
            "reduceFrom scratch[0+8] = sum float32(param-input[0+8], rank 1's param-input[0+8])",
            "post FIN to rank 1",
            "await FIN from rank 1",
            "copy param-output[0+8] = scratch[0+8]");
  }

  @Test
  void pushesTheSliceItReducedToAllPeersInTwoStages() {
    assertThat(actions(plans(param(comm(3), TWO_STAGES, 96, false)).get(1)))
        .containsExactly(
            "post READY to rank 2",
            "post READY to rank 0",
            "await READY from rank 2",
            "await READY from rank 0",
            "reduceFrom param-output[128+128] = sum float32(rank 0's param-input[128+128],"
                + " param-input[128+128], rank 2's param-input[128+128])",
            "copy rank 2's param-output[128+128] = param-output[128+128]",
            "copy rank 0's param-output[128+128] = param-output[128+128]",
            "post FIN to rank 2",
            "post FIN to rank 0",
            "await FIN from rank 2",
            "await FIN from rank 0");
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2048, false, 1",
    "4, 2048, false, 1",
    "4, 2049, false, 2",
    "5, 33, false, 2",
    "16, 2048, false, 2",
    // One slice, which rank 0 combines for all.
    "2, 32, false, 2",
    "2, 33, false, 1",
    "4, 1, false, 2",
    // In place the result has to be copied once more.
    "2, 33, true, 2",
    "3, 33, true, 1",
    "4, 512, true, 1",
    "4, 513, true, 2",
    "4, 32, true, 2",
  })
  void takesOneStageForShortVectorsOfFewRanks(
      int ranks, long count, boolean isInPlace, int stages) {
    AlgOptions chosen = stages == 1 ? ONE_STAGE : TWO_STAGES;
    List<RankPlan> expected = plans(param(comm(ranks), chosen, count, isInPlace));
    List<RankPlan> plans = plans(param(comm(ranks), AlgOptions.none(), count, isInPlace));
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(actions(plans.get(rank))).isEqualTo(actions(expected.get(rank)));
    }
  }

  @Test
  void theCallerCanMoveTheSwitchPoint() {
    AlgOptions options = AlgOptions.none().with("one-stage-bytes", "132");

    assertThat(countOf(plans(param(comm(4), options, 33, false)).getFirst(), ActionKind.COPY))
        .isZero();
    assertThat(direct.cost(param(comm(4), options, 34, false)).orElseThrow().alphas()).isEqualTo(4);
  }

  @Test
  void asksForScratchMemoryOnlyWhereTheResultMustWait() {
    CommInfo staged = comm(2).withMode(WorkflowMode.OP_BASE);

    assertThat(direct.calcResRequest(param(comm(2), ONE_STAGE, 3, true)).scratchMemSize())
        .isEqualTo(12);
    assertThat(direct.calcResRequest(param(comm(2), ONE_STAGE, 3, false)).scratchMemSize())
        .isZero();
    assertThat(direct.calcResRequest(param(comm(2), TWO_STAGES, 3, true)).scratchMemSize())
        .isZero();
    assertThat(direct.calcResRequest(param(comm(1), ONE_STAGE, 3, true)).scratchMemSize()).isZero();
    assertThat(direct.calcResRequest(param(staged, ONE_STAGE, 3, true)).scratchMemSize()).isZero();
  }

  @Test
  void aSingleRankOnlyCopies() {
    assertThat(actions(plans(param(comm(1), ONE_STAGE, 2, false)).getFirst()))
        .containsExactly("copy param-output[0+8] = param-input[0+8]");
    assertThat(actions(plans(param(comm(1), TWO_STAGES, 2, true)).getFirst())).isEmpty();
  }

  @Test
  void refusesLinksThatCannotBeLoadedFrom() {
    CommInfo rdma = comm(2).withProtocol(Protocol.RDMA);

    assertThat(direct.supports(param(comm(2), AlgOptions.none(), 1, false)))
        .isEqualTo(Support.yes());
    assertThat(direct.supports(param(rdma, AlgOptions.none(), 1, false)))
        .isEqualTo(Support.no("needs direct links, to load from peers. Actual: rdma"));
  }

  @Test
  void declaresTheCostOfItsFormulas() {
    assertThat(direct.cost(param(comm(4), ONE_STAGE, 1000, false)))
        .contains(new Cost(1, 12000, 12000));
    // The largest slice is a quarter of 4,000 bytes, rounded up to whole cache lines: 1,024 bytes.
    assertThat(direct.cost(param(comm(4), TWO_STAGES, 1000, false)))
        .contains(new Cost(4, 6144, 3072));
    assertThat(direct.cost(param(comm(1), ONE_STAGE, 1000, false))).contains(new Cost(0, 0, 0));
    assertThat(direct.cost(param(comm(4), ONE_STAGE, 0, false))).contains(new Cost(0, 0, 0));
  }

  @Test
  void promisesEqualBitsAtAllSizes() {
    assertThat(direct.determinism()).isEqualTo(Determinism.SAME_SIZES);
  }
}
