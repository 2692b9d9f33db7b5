package dev.tutti.sdk.param;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of three ranks with elements of four bytes; the root is rank 1. */
class OpParamTest {

  private static final CommInfo COMM = CommInfo.of(0, Topology.flat(3));
  private static final DataType TYPE = DataType.FLOAT32;
  private static final ReduceOp OP = ReduceOp.SUM;
  private static final List<Long> COUNTS = List.of(5L, 0L, 2L);

  /** A request and its bytes by rank. */
  private record Row(OpParam param, long[] input, long[] output, long message) {
    @Override
    public String toString() {
      return param.operation().label();
    }
  }

  private static Row row(OpParam param, long[] input, long[] output, long message) {
    return new Row(param, input, output, message);
  }

  private static long[] bytes(long... perRank) {
    return perRank;
  }

  static Stream<Row> table() {
    return Stream.of(
        //                                                   input           output          message
        row(new AllReduceParam(COMM, TYPE, OP, 10), bytes(40, 40, 40), bytes(40, 40, 40), 40),
        row(new ReduceParam(COMM, TYPE, OP, 10, 1), bytes(40, 40, 40), bytes(0, 40, 0), 40),
        row(
            new ReduceScatterParam(COMM, TYPE, OP, 10),
            bytes(120, 120, 120),
            bytes(40, 40, 40),
            120),
        row(
            new ReduceScatterVParam(COMM, TYPE, OP, COUNTS),
            bytes(28, 28, 28),
            bytes(20, 0, 8),
            28),
        row(new AllGatherParam(COMM, TYPE, 10), bytes(40, 40, 40), bytes(120, 120, 120), 120),
        row(new AllGatherVParam(COMM, TYPE, COUNTS), bytes(20, 0, 8), bytes(28, 28, 28), 28),
        row(new BroadcastParam(COMM, TYPE, 10, 1), bytes(0, 40, 0), bytes(40, 40, 40), 40),
        row(new GatherParam(COMM, TYPE, 10, 1), bytes(40, 40, 40), bytes(0, 120, 0), 120),
        row(new GatherVParam(COMM, TYPE, COUNTS, 1), bytes(20, 0, 8), bytes(0, 28, 0), 28),
        row(new ScatterParam(COMM, TYPE, 10, 1), bytes(0, 120, 0), bytes(40, 40, 40), 120),
        row(new ScatterVParam(COMM, TYPE, COUNTS, 1), bytes(0, 28, 0), bytes(20, 0, 8), 28),
        row(new AllToAllParam(COMM, TYPE, 10), bytes(120, 120, 120), bytes(120, 120, 120), 120),
        row(new BarrierParam(COMM), bytes(0, 0, 0), bytes(0, 0, 0), 0),
        row(new ScanParam(COMM, TYPE, OP, 10), bytes(40, 40, 40), bytes(40, 40, 40), 40),
        row(new ExclusiveScanParam(COMM, TYPE, OP, 10), bytes(40, 40, 40), bytes(40, 40, 40), 40));
  }

  /** Requests whose values are one rank's own: bytes of rank 0 only. */
  static Stream<Row> ownTable() {
    List<BatchSendRecvParam.Item> items =
        List.of(
            new BatchSendRecvParam.Item(true, 1, 3),
            new BatchSendRecvParam.Item(false, 2, 7),
            new BatchSendRecvParam.Item(true, 0, 2));
    return Stream.of(
        row(
            new AllToAllVParam(
                COMM, "", AlgOptions.none(), TYPE, COUNTS, List.of(1L, 1L, 1L), 30, 6),
            bytes(28),
            bytes(12),
            120),
        row(new SendParam(COMM, TYPE, 10, 2), bytes(40), bytes(0), 40),
        row(new ReceiveParam(COMM, TYPE, 10, 2), bytes(0), bytes(40), 40),
        row(
            new BatchSendRecvParam(COMM, "", AlgOptions.none(), TYPE, items, 9),
            bytes(20),
            bytes(28),
            36));
  }

  static Stream<OpParam> everyParam() {
    return Stream.concat(table(), ownTable()).map(Row::param);
  }

  @ParameterizedTest
  @MethodSource("table")
  void eachRankHasItsBytesByRole(Row row) {
    for (int rank = 0; rank < 3; rank++) {
      OpParam view = row.param.withComm(COMM.withRank(rank));
      assertThat(view.inputBytes()).as("input of rank %d", rank).isEqualTo(row.input[rank]);
      assertThat(view.outputBytes()).as("output of rank %d", rank).isEqualTo(row.output[rank]);
      assertThat(view.messageBytes()).as("message of rank %d", rank).isEqualTo(row.message);
    }
  }

  @ParameterizedTest
  @MethodSource("ownTable")
  void aRanksOwnValuesGiveItsBytes(Row row) {
    assertThat(row.param.inputBytes()).isEqualTo(row.input[0]);
    assertThat(row.param.outputBytes()).isEqualTo(row.output[0]);
    assertThat(row.param.messageBytes()).isEqualTo(row.message);
  }

  @Test
  void theTablesHaveEveryOperationOnce() {
    List<Operation> operations = new ArrayList<>(everyParam().map(OpParam::operation).toList());
    assertThat(operations).doesNotHaveDuplicates();
    assertThat(EnumSet.copyOf(operations)).isEqualTo(EnumSet.allOf(Operation.class));
    assertThat(everyParam().<Class<?>>map(Object::getClass).toList())
        .hasSameElementsAs(Arrays.asList(OpParam.class.getPermittedSubclasses()));
  }

  @ParameterizedTest
  @MethodSource("everyParam")
  void anotherViewOfTheGroupChangesNothingElse(OpParam param) {
    OpParam graph = param.withComm(COMM.withMode(WorkflowMode.OP_BASE));

    assertThat((Object) graph.getClass()).isSameAs(param.getClass());
    assertThat(graph.comm().mode()).isEqualTo(WorkflowMode.OP_BASE);
    assertThat(graph.withComm(COMM)).isEqualTo(param);
  }

  @ParameterizedTest
  @MethodSource("everyParam")
  void otherOptionsChangeNothingElse(OpParam param) {
    AlgOptions options = AlgOptions.none().with("radix", 4);

    assertThat(param.options()).isEqualTo(AlgOptions.none());
    assertThat(param.tag()).isEmpty();
    assertThat(param.inPlace()).isFalse();
    assertThat(param.withOptions(options).options()).isEqualTo(options);
    assertThat(param.withOptions(options).withOptions(AlgOptions.none())).isEqualTo(param);
  }

  @Test
  void countListsAreCopied() {
    List<Long> counts = new ArrayList<>(COUNTS);
    AllGatherVParam param = new AllGatherVParam(COMM, TYPE, counts);
    counts.set(0, 99L);

    assertThat(param.sendCounts()).isEqualTo(COUNTS);
  }
}
