package dev.tutti.verifier.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests have so much data that every slice has some. */
class OperationSemanticsTest {

  private static final Topology FOUR = Topology.flat(4);

  private static boolean fillsEverySlice(Operation operation, long count) {
    return CollectiveCase.of(operation, FOUR).withCount(count).params().stream()
        .filter(Objects::nonNull)
        .allMatch(OperationSemantics::fillsEverySlice);
  }

  @ParameterizedTest
  @CsvSource({
    "ALL_REDUCE, 4",
    "REDUCE, 4",
    "BROADCAST, 4",
    "SCAN, 4",
    "EXCLUSIVE_SCAN, 4",
    "REDUCE_SCATTER, 1",
    "ALL_GATHER, 1",
    "GATHER, 1",
    "SCATTER, 1",
    "ALL_TO_ALL, 1",
    "SEND, 1",
    "RECEIVE, 1",
    "BATCH_SEND_RECV, 2"
  })
  void noSliceNeedsToBeEmptyFromThisCountOn(Operation operation, long least) {
    assertThat(fillsEverySlice(operation, least)).isTrue();
    assertThat(fillsEverySlice(operation, least + 1)).isTrue();
    assertThat(fillsEverySlice(operation, least - 1)).isFalse();
  }

  @Test
  void aBarrierHasNoSlices() {
    assertThat(fillsEverySlice(Operation.BARRIER, 0)).isTrue();
  }

  @Test
  void anEmptyBlockIsAnEmptySlice() {
    List<Long> full = List.of(2L, 1L, 3L, 1L);
    List<Long> gap = List.of(2L, 0L, 3L, 2L);
    assertThat(withBlocks(full, full)).allMatch(OperationSemantics::fillsEverySlice);
    assertThat(withBlocks(gap, gap)).noneMatch(OperationSemantics::fillsEverySlice);
    assertThat(OperationSemantics.fillsEverySlice(allToAll(full, gap))).isFalse();
    assertThat(OperationSemantics.fillsEverySlice(allToAll(gap, full))).isFalse();
  }

  private static List<OpParam> withBlocks(List<Long> sent, List<Long> received) {
    CommInfo comm = CommInfo.of(0, FOUR);
    return List.of(
        new AllGatherVParam(comm, DataType.INT32, sent),
        new GatherVParam(comm, DataType.INT32, sent, 0),
        new ScatterVParam(comm, DataType.INT32, received, 0),
        new ReduceScatterVParam(comm, DataType.INT32, ReduceOp.SUM, received),
        allToAll(sent, received));
  }

  private static OpParam allToAll(List<Long> sent, List<Long> received) {
    return new AllToAllVParam(
        CommInfo.of(0, FOUR), "", AlgOptions.none(), DataType.INT32, sent, received, 32, 12);
  }
}
