package dev.tutti.sdk.param;

import static dev.tutti.sdk.Refusal.assertRefused;
import static dev.tutti.sdk.Refusal.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedParamTest {

  private static final CommInfo COMM = CommInfo.of(0, Topology.flat(3));
  private static final DataType TYPE = DataType.FLOAT64;
  private static final ReduceOp OP = ReduceOp.MAX;

  static Stream<Named<LongFunction<OpParam>>> byCount() {
    return Stream.of(
        Named.of("count", n -> new AllReduceParam(COMM, TYPE, OP, n)),
        Named.of("count", n -> new ReduceParam(COMM, TYPE, OP, n, 1)),
        Named.of("count", n -> new BroadcastParam(COMM, TYPE, n, 1)),
        Named.of("count", n -> new ScanParam(COMM, TYPE, OP, n)),
        Named.of("count", n -> new ExclusiveScanParam(COMM, TYPE, OP, n)),
        Named.of("count", n -> new SendParam(COMM, TYPE, n, 1)),
        Named.of("count", n -> new ReceiveParam(COMM, TYPE, n, 1)));
  }

  static Stream<Named<LongFunction<OpParam>>> byCountOfOneRank() {
    return Stream.of(
        Named.of("recvCount", n -> new ReduceScatterParam(COMM, TYPE, OP, n)),
        Named.of("sendCount", n -> new AllGatherParam(COMM, TYPE, n)),
        Named.of("sendCount", n -> new GatherParam(COMM, TYPE, n, 1)),
        Named.of("recvCount", n -> new ScatterParam(COMM, TYPE, n, 1)),
        Named.of("countPerRank", n -> new AllToAllParam(COMM, TYPE, n)));
  }

  static Stream<Named<Function<List<Long>, OpParam>>> byCounts() {
    return Stream.of(
        Named.of("recvCounts", n -> new ReduceScatterVParam(COMM, TYPE, OP, n)),
        Named.of("sendCounts", n -> new AllGatherVParam(COMM, TYPE, n)),
        Named.of("sendCounts", n -> new GatherVParam(COMM, TYPE, n, 1)),
        Named.of("recvCounts", n -> new ScatterVParam(COMM, TYPE, n, 1)),
        Named.of("sendCounts", n -> allToAllV(n, List.of(0L, 0L, 0L), 1)),
        Named.of("recvCounts", n -> allToAllV(List.of(0L, 0L, 0L), n, 1)));
  }

  static Stream<IntFunction<OpParam>> byRoot() {
    return Stream.of(
        root -> new ReduceParam(COMM, TYPE, OP, 1, root),
        root -> new BroadcastParam(COMM, TYPE, 1, root),
        root -> new GatherParam(COMM, TYPE, 1, root),
        root -> new GatherVParam(COMM, TYPE, List.of(1L, 1L, 1L), root),
        root -> new ScatterParam(COMM, TYPE, 1, root),
        root -> new ScatterVParam(COMM, TYPE, List.of(1L, 1L, 1L), root));
  }

  static Stream<Function<ReduceOp, OpParam>> byReduction() {
    return Stream.of(
        op -> new AllReduceParam(COMM, TYPE, op, 1),
        op -> new ReduceParam(COMM, TYPE, op, 1, 0),
        op -> new ReduceScatterParam(COMM, TYPE, op, 1),
        op -> new ReduceScatterVParam(COMM, TYPE, op, List.of(1L, 1L, 1L)),
        op -> new ScanParam(COMM, TYPE, op, 1),
        op -> new ExclusiveScanParam(COMM, TYPE, op, 1));
  }

  private static AllToAllVParam allToAllV(List<Long> send, List<Long> recv, long max) {
    return new AllToAllVParam(COMM, "", AlgOptions.none(), TYPE, send, recv, 0, max);
  }

  @ParameterizedTest
  @MethodSource("byCount")
  void aNegativeOrOverflowingCountIsRefused(LongFunction<OpParam> param) {
    for (long count : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE / 8 + 1}) {
      assertRefused(
          () -> param.apply(count),
          ErrorCode.INVALID_COUNT,
          "count must be 0 or more, and count elements of float64 must fit in 63 bits. Actual: "
              + count);
    }
    assertThat(param.apply(Long.MAX_VALUE / 8).messageBytes()).isEqualTo(Long.MAX_VALUE / 8 * 8);
    assertThat(param.apply(0).messageBytes()).isZero();
  }

  @ParameterizedTest
  @MethodSource("byCountOfOneRank")
  void theSizeOfAllBlocksTogetherMustFit(LongFunction<OpParam> param) {
    assertThat(param.apply(Long.MAX_VALUE / 24).messageBytes()).isPositive();
    for (long count : new long[] {-1, Long.MAX_VALUE / 24 + 1}) {
      assertThat(refusalOf(() -> param.apply(count)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COUNT))
          .hasMessageEndingWith("elements of float64 must fit in 63 bits. Actual: " + count);
    }
  }

  @Test
  void theMessageNamesTheCountAndTheFactor() {
    assertRefused(
        () -> new AllToAllParam(COMM, TYPE, -7),
        ErrorCode.INVALID_COUNT,
        "countPerRank must be 0 or more, and 3 times countPerRank elements of float64 must fit in"
            + " 63 bits. Actual: -7");
  }

  @ParameterizedTest
  @MethodSource("byCounts")
  void countListsHaveOneEntryPerRank(Function<List<Long>, OpParam> param) {
    assertThat(refusalOf(() -> param.apply(List.of(1L, 2L))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COUNT))
        .hasMessageEndingWith(" must have one entry per rank. Actual: 2 entries, 3 ranks");
  }

  @ParameterizedTest
  @MethodSource("byCounts")
  void negativeAndOverflowingEntriesAreRefused(Function<List<Long>, OpParam> param) {
    assertThat(refusalOf(() -> param.apply(List.of(1L, -1L, 0L))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COUNT))
        .hasMessageContaining("[1] must be 0 or more");
    long half = Long.MAX_VALUE / 16 + 1;
    assertThat(refusalOf(() -> param.apply(List.of(half, half, 0L))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COUNT))
        .hasMessageStartingWith("the sum of ");
    assertThat(refusalOf(() -> param.apply(List.of(Long.MAX_VALUE, Long.MAX_VALUE, 2L))).code())
        .isEqualTo(ErrorCode.INVALID_COUNT);
  }

  @ParameterizedTest
  @MethodSource("byRoot")
  void aRootOutsideTheGroupIsRefused(IntFunction<OpParam> param) {
    assertRefused(() -> param.apply(3), ErrorCode.INVALID_RANK, "root must be 0 to 2. Actual: 3");
    assertRefused(() -> param.apply(-1), ErrorCode.INVALID_RANK, "root must be 0 to 2. Actual: -1");
  }

  @ParameterizedTest
  @MethodSource("byReduction")
  void aBitwiseReductionOfFloatsIsRefused(Function<ReduceOp, OpParam> param) {
    assertRefused(
        () -> param.apply(ReduceOp.BXOR),
        ErrorCode.UNSUPPORTED_TYPE,
        "reduction bxor takes integer types only. Actual: type=float64; use sum, prod, max or min,"
            + " or an integer type");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void aPeerOutsideTheGroupIsRefused(int peer) {
    assertRefused(
        () -> new SendParam(COMM, TYPE, 1, peer),
        ErrorCode.INVALID_RANK,
        "dstRank must be 0 to 2. Actual: " + peer);
    assertRefused(
        () -> new ReceiveParam(COMM, TYPE, 1, peer),
        ErrorCode.INVALID_RANK,
        "srcRank must be 0 to 2. Actual: " + peer);
  }

  @Test
  void aTransferToOneselfIsRefused() {
    assertRefused(
        () -> new SendParam(COMM, TYPE, 1, 0),
        ErrorCode.INVALID_RANK,
        "dstRank must be a rank other than this one. Actual: 0");
  }

  @Test
  void aBlockAboveTheAgreedMaximumIsRefused() {
    assertRefused(
        () -> allToAllV(List.of(1L, 1L, 1L), List.of(0L, 0L, 4L), 3),
        ErrorCode.INVALID_COUNT,
        "no block may be larger than maxCount=3. Actual: 4 elements with rank 2");
  }

  @Test
  void batchItemsAreChecked() {
    assertRefused(
        () -> batch(5, new BatchSendRecvParam.Item(true, 3, 1)),
        ErrorCode.INVALID_RANK,
        "peer must be 0 to 2. Actual: 3");
    assertRefused(
        () -> batch(5, new BatchSendRecvParam.Item(true, 1, 6)),
        ErrorCode.INVALID_COUNT,
        "count must be 0 to maxCount=5. Actual: 6");
    assertRefused(
        () -> batch(5, new BatchSendRecvParam.Item(false, 1, -1)),
        ErrorCode.INVALID_COUNT,
        "count must be 0 to maxCount=5. Actual: -1");
    long most = Long.MAX_VALUE / 8;
    BatchSendRecvParam.Item large = new BatchSendRecvParam.Item(true, 1, most);
    assertThat(refusalOf(() -> batch(most, large, large)))
        .hasMessageStartingWith("the sum of counts must be 0 or more");
  }

  private static BatchSendRecvParam batch(long max, BatchSendRecvParam.Item... items) {
    return new BatchSendRecvParam(COMM, "", AlgOptions.none(), TYPE, List.of(items), max);
  }
}
