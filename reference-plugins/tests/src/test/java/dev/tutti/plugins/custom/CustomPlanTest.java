package dev.tutti.plugins.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomPlanTest {

  private final CustomAllReduce custom = new CustomAllReduce();

  private static CommInfo graph(int ranks) {
    return CommInfo.of(0, Topology.flat(ranks));
  }

  private static CommInfo staged(int ranks) {
    return graph(ranks).withMode(WorkflowMode.OP_BASE);
  }

  private List<RankPlan> plans(AllReduceParam param) {
    return new PlanRecorder().record("custom", custom, param).ranks();
  }

  /** What a rank does, without the barriers' lines for its other peers. */
  private List<String> actions(AllReduceParam param, int rank) {
    RankPlan plan = plans(param).get(rank);
    return IntStream.range(0, plan.actionCount())
        .filter(action -> !plan.kind(action).isSync() || plan.linkPeer(plan.link(action)) == 0)
        .mapToObj(plan::describe)
        .toList();
  }

  /** Whether every rank reduces the whole vector. */
  private boolean isOneStage(AllReduceParam param) {
    return plans(param).stream()
        .allMatch(
            plan ->
                IntStream.range(0, plan.actionCount())
                    .filter(action -> plan.kind(action) == ActionKind.REDUCE_FROM)
                    .anyMatch(action -> plan.bytes(action) == param.inputBytes()));
  }

  @Test
  void oneStageLoadsTheCallersInputsInRankOrder() {
    assertThat(actions(Requests.sum(graph(4), Requests.ONE_STAGE, 80), 1))
        .containsExactly(
            "post READY to rank 0",
            "await READY from rank 0",
            "reduceFrom param-output[0+80] = sum float32(rank 0's param-input[0+80],"
                + " param-input[0+80], rank 2's param-input[0+80], rank 3's param-input[0+80])",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
  }

  @Test
  void oneStageOfStagedMemoryFirstCopiesTheInput() {
    assertThat(actions(Requests.sum(staged(2), Requests.ONE_STAGE, 16), 1))
        .containsExactly(
            "copy aiv-input[0+16] = param-input[0+16]",
            "post READY to rank 0",
            "await READY from rank 0",
            "reduceFrom param-output[0+16] = sum float32(rank 0's aiv-input[0+16], aiv-input[0+16])",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
  }

  @Test
  void twoStagesGatherThePartsFromTheOutputs() {
    assertThat(actions(Requests.sum(graph(4), Requests.TWO_STAGES, 80), 3))
        .containsExactly(
            "post READY to rank 0",
            "await READY from rank 0",
            "reduceFrom param-output[48+32] = sum float32(rank 0's param-input[48+32],"
                + " rank 1's param-input[48+32], rank 2's param-input[48+32], param-input[48+32])",
            "post FIN to rank 0",
            "await FIN from rank 0",
            "copy param-output[0+16] = rank 0's param-output[0+16]",
            "copy param-output[16+16] = rank 1's param-output[16+16]",
            "copy param-output[32+16] = rank 2's param-output[32+16]",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
  }

  @Test
  void twoStagesOfStagedMemoryGatherThePartsFromAivMemory() {
    assertThat(actions(Requests.sum(staged(2), Requests.TWO_STAGES, 48), 1))
        .containsExactly(
            "copy aiv-input[0+48] = param-input[0+48]",
            "post READY to rank 0",
            "await READY from rank 0",
            "reduceFrom aiv-output[16+32] = sum float32(rank 0's aiv-input[16+32],"
                + " aiv-input[16+32])",
            "copy param-output[16+32] = aiv-output[16+32]",
            "post FIN to rank 0",
            "await FIN from rank 0",
            "copy param-output[0+16] = rank 0's aiv-output[0+16]",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
  }

  @Test
  void withFewerPacksThanRanksTheLastRankReducesAll() {
    assertThat(actions(Requests.sum(graph(4), Requests.TWO_STAGES, 48), 1))
        .containsExactly(
            "post READY to rank 0",
            "await READY from rank 0",
            "post FIN to rank 0",
            "await FIN from rank 0",
            "copy param-output[0+48] = rank 3's param-output[0+48]",
            "post FIN_ACK to rank 0",
            "await FIN_ACK from rank 0");
  }

  @Test
  void anEmptyVectorNeedsNothing() {
    AllReduceParam param = Requests.sum(staged(4), AlgOptions.none(), 0);

    assertThat(custom.calcResRequest(param)).isEqualTo(AlgResourceRequest.none());
    assertThat(actions(param, 1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 2, 8388592, true",
    "cpu, 4, 10224, true",
    "cpu, 4, 10240, false",
    "cpu, 6, 5104, true",
    "cpu, 6, 5120, false",
    "cpu, 8, 5104, true",
    "cpu, 8, 5120, false",
    "gpu, 2, 8388592, true",
    "gpu, 4, 524272, true",
    "gpu, 4, 524288, false",
    "gpu, 6, 262128, true",
    "gpu, 6, 262144, false",
    "gpu, 8, 262128, true",
    "gpu, 8, 262144, false",
  })
  void autoTakesOneStageForTwoRanksAndForShortVectors(
      String profile, int ranks, long bytes, boolean isOneStage) {
    AlgOptions options = AlgOptions.none().with("profile", profile);

    assertThat(isOneStage(Requests.sum(graph(ranks), options, bytes))).isEqualTo(isOneStage);
  }

  @ParameterizedTest
  @CsvSource({"1stage, true", "oneshot, true", "2stage, false", "twoshot, false"})
  void theCallerCanForceTheStages(String algorithm, boolean isOneStage) {
    AlgOptions options = AlgOptions.none().with("algorithm", algorithm);

    for (long bytes : new long[] {64, 1 << 20}) {
      assertThat(isOneStage(Requests.sum(graph(2), options, bytes))).isEqualTo(isOneStage);
      assertThat(isOneStage(Requests.sum(graph(8), options, bytes))).isEqualTo(isOneStage);
    }
  }

  @Test
  void theStagesFollowFromBytesWhateverTheType() {
    AlgOptions none = AlgOptions.none();

    assertThat(isOneStage(Requests.sum(graph(8), none, DataType.FLOAT16, 5104))).isTrue();
    assertThat(isOneStage(Requests.sum(graph(8), none, DataType.FLOAT16, 5120))).isFalse();
  }

  @Test
  void promisesEqualBitsAtAllSizes() {
    assertThat(custom.determinism()).isEqualTo(Determinism.SAME_SIZES);
  }
}
