package dev.tutti.verifier.data;

import static dev.tutti.sdk.DataType.BFLOAT16;
import static dev.tutti.sdk.DataType.FLOAT16;
import static dev.tutti.sdk.DataType.FLOAT32;
import static dev.tutti.sdk.DataType.FLOAT64;
import static dev.tutti.sdk.DataType.INT32;
import static dev.tutti.sdk.DataType.INT8;
import static dev.tutti.sdk.DataType.UINT64;
import static dev.tutti.sdk.DataType.UINT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.plan.work.Work;
import dev.tutti.plan.work.WorkListener;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.param.AllGatherVParam;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.GatherParam;
import dev.tutti.sdk.param.GatherVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ReduceScatterParam;
import dev.tutti.sdk.param.ReduceScatterVParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.param.ScatterParam;
import dev.tutti.sdk.param.ScatterVParam;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReferenceTest {

  private static final byte UNTOUCHED = 99;

  private static CommInfo comm(int ranks) {
    return CommInfo.of(0, Topology.flat(ranks));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static List<MemorySegment> segments(byte[]... perRank) {
    return Arrays.stream(perRank).map(MemorySegment::ofArray).toList();
  }

  /** Each rank's output, of the given size and untouched before. */
  private static List<byte[]> results(Reference reference, int size, byte[]... inputs) {
    List<byte[]> outputs = new ArrayList<>();
    for (int rank = 0; rank < inputs.length; rank++) {
      byte[] output = new byte[size];
      Arrays.fill(output, UNTOUCHED);
      reference.compute(rank, segments(inputs), MemorySegment.ofArray(output));
      outputs.add(output);
    }
    assertThat(reference.check(segments(inputs), segments(outputs.toArray(byte[][]::new))))
        .as("what is computed is what is expected")
        .isEmpty();
    return outputs;
  }

  private static List<byte[]> results(OpParam param, int size, byte[]... inputs) {
    return results(Reference.of(param), size, inputs);
  }

  @Test
  void allReduceAddsAndWrapsAround() {
    assertThat(
            results(
                new AllReduceParam(comm(3), INT8, ReduceOp.SUM, 2),
                2,
                bytes(1, 100),
                bytes(2, 100),
                bytes(-5, 1)))
        .containsExactly(bytes(-2, 201), bytes(-2, 201), bytes(-2, 201));
  }

  @Test
  void theShareThatIsComparedGrowsUpToAll() {
    int count = 10_000;
    for (OpParam param :
        List.of(
            new AllReduceParam(comm(2), INT8, ReduceOp.SUM, count),
            new AllReduceParam(comm(2), FLOAT16, ReduceOp.SUM, count / 2),
            new AllGatherParam(comm(2), INT8, count))) {
      List<MemorySegment> zeros =
          segments(new byte[(int) param.inputBytes()], new byte[(int) param.inputBytes()]);
      List<MemorySegment> outputs =
          segments(new byte[(int) param.outputBytes()], new byte[(int) param.outputBytes()]);
      List<Double> shares = new ArrayList<>();

      try (Work _ = Work.watch(new Shares(shares))) {
        assertThat(Reference.of(param).check(zeros, outputs)).isEmpty();
      }
      assertThat(shares).isSorted().endsWith(1.0).hasSizeGreaterThan(1);
    }
  }

  private record Shares(List<Double> all) implements WorkListener {

    @Override
    public void at(double share, String what) {
      assertThat(what).isEqualTo("comparing results");
      all.add(share);
    }

    @Override
    public void ended() {}
  }

  @Test
  void oneOutputIsCheckedWithoutTheOthers() {
    Reference reference = Reference.of(new AllReduceParam(comm(2), INT8, ReduceOp.SUM, 2));
    List<MemorySegment> inputs =
        List.of(MemorySegment.ofArray(bytes(1, 2)), MemorySegment.ofArray(bytes(3, 4)));
    assertThat(reference.check(1, inputs, MemorySegment.ofArray(bytes(4, 6)))).isEmpty();
    assertThat(reference.check(1, inputs, MemorySegment.ofArray(bytes(4, 7))))
        .singleElement()
        .asString()
        .contains("rank 1");
  }

  @Test
  void unsignedTypesCompareUnsigned() {
    assertThat(
            results(
                    new AllReduceParam(comm(2), UINT8, ReduceOp.MAX, 2),
                    2,
                    bytes(200, 1),
                    bytes(100, 255))
                .getFirst())
        .isEqualTo(bytes(200, 255));
    assertThat(
            results(
                    new AllReduceParam(comm(2), UINT64, ReduceOp.MIN, 1),
                    8,
                    bytes(-1, -1, -1, -1, -1, -1, -1, -1),
                    bytes(7, 0, 0, 0, 0, 0, 0, 0))
                .getFirst())
        .isEqualTo(bytes(7, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void reductionsWithARootLeaveTheOthersAlone() {
    assertThat(
            results(
                new ReduceParam(comm(2), INT8, ReduceOp.PROD, 2, 1), 2, bytes(3, 4), bytes(5, 6)))
        .containsExactly(bytes(UNTOUCHED, UNTOUCHED), bytes(15, 24));
  }

  @Test
  void reduceScatterGivesEachRankItsBlock() {
    assertThat(
            results(
                new ReduceScatterParam(comm(2), INT8, ReduceOp.SUM, 2),
                2,
                bytes(1, 2, 3, 4),
                bytes(10, 20, 30, 40)))
        .containsExactly(bytes(11, 22), bytes(33, 44));
    assertThat(
            results(
                new ReduceScatterVParam(comm(2), INT8, ReduceOp.BXOR, List.of(1L, 2L)),
                2,
                bytes(1, 2, 3),
                bytes(3, 3, 3)))
        .containsExactly(bytes(2, UNTOUCHED), bytes(1, 0));
  }

  @Test
  void gathersConcatenateInRankOrder() {
    byte[] first = bytes(1, 2);
    byte[] second = bytes(3, 4);
    byte[] none = bytes(UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED);
    assertThat(results(new AllGatherParam(comm(2), INT8, 2), 4, first, second))
        .containsExactly(bytes(1, 2, 3, 4), bytes(1, 2, 3, 4));
    assertThat(results(new AllGatherVParam(comm(2), INT8, List.of(1L, 2L)), 3, bytes(1), second))
        .containsExactly(bytes(1, 3, 4), bytes(1, 3, 4));
    assertThat(results(new GatherParam(comm(2), INT8, 2, 1), 4, first, second))
        .containsExactly(none, bytes(1, 2, 3, 4));
    assertThat(results(new GatherVParam(comm(2), INT8, List.of(2L, 1L), 0), 4, first, bytes(3)))
        .containsExactly(bytes(1, 2, 3, UNTOUCHED), none);
  }

  @Test
  void scattersAndBroadcastsComeFromTheRoot() {
    byte[] nothing = bytes();
    assertThat(results(new ScatterParam(comm(2), INT8, 2, 1), 2, nothing, bytes(1, 2, 3, 4)))
        .containsExactly(bytes(1, 2), bytes(3, 4));
    assertThat(
            results(
                new ScatterVParam(comm(2), INT8, List.of(2L, 1L), 0), 2, bytes(1, 2, 3), nothing))
        .containsExactly(bytes(1, 2), bytes(3, UNTOUCHED));
    assertThat(results(new BroadcastParam(comm(2), INT8, 2, 1), 2, nothing, bytes(8, 9)))
        .containsExactly(bytes(8, 9), bytes(8, 9));
  }

  @Test
  void allToAllTransposesBlocks() {
    assertThat(
            results(new AllToAllParam(comm(2), INT8, 2), 4, bytes(1, 2, 3, 4), bytes(5, 6, 7, 8)))
        .containsExactly(bytes(1, 2, 5, 6), bytes(3, 4, 7, 8));

    Reference varying =
        Reference.of(
            List.of(
                new AllToAllVParam(
                    comm(2), "", AlgOptions.none(), INT8, List.of(1L, 2L), List.of(1L, 0L), 4, 2),
                new AllToAllVParam(
                    comm(2).withRank(1),
                    "",
                    AlgOptions.none(),
                    INT8,
                    List.of(0L, 1L),
                    List.of(2L, 1L),
                    4,
                    2)));
    assertThat(results(varying, 3, bytes(1, 2, 3), bytes(4)))
        .containsExactly(bytes(1, UNTOUCHED, UNTOUCHED), bytes(2, 3, 4));
  }

  @Test
  void scansReduceTheRanksBefore() {
    byte[][] inputs = {bytes(1), bytes(2), bytes(4)};
    assertThat(results(new ScanParam(comm(3), INT8, ReduceOp.SUM, 1), 1, inputs))
        .containsExactly(bytes(1), bytes(3), bytes(7));
    ExclusiveScanParam exclusive = new ExclusiveScanParam(comm(3), INT8, ReduceOp.SUM, 1);
    assertThat(results(exclusive, 1, inputs)).containsExactly(bytes(UNTOUCHED), bytes(1), bytes(3));
    assertThat(Reference.of(exclusive).writesOutput(0)).isFalse();
    assertThat(Reference.of(exclusive).writesOutput(1)).isTrue();
  }

  @Test
  void transfersReachOnlyTheReceiver() {
    List<OpParam> params = new ArrayList<>();
    params.add(new SendParam(comm(3), INT8, 2, 2));
    params.add(null);
    params.add(new ReceiveParam(comm(3).withRank(2), INT8, 2, 0));
    assertThat(results(Reference.of(params), 2, bytes(5, 6), bytes(), bytes()))
        .containsExactly(bytes(UNTOUCHED, UNTOUCHED), bytes(UNTOUCHED, UNTOUCHED), bytes(5, 6));
  }

  @Test
  void theNthSendOfABatchMatchesTheNthReceive() {
    Reference batch =
        Reference.of(
            List.of(
                batch(0, new Item(true, 1, 1), new Item(false, 1, 1), new Item(true, 1, 2)),
                batch(1, new Item(false, 0, 1), new Item(false, 0, 2), new Item(true, 0, 1))));
    assertThat(results(batch, 3, bytes(1, 2, 3), bytes(9)))
        .containsExactly(bytes(9, UNTOUCHED, UNTOUCHED), bytes(1, 2, 3));
  }

  private static BatchSendRecvParam batch(int rank, Item... items) {
    return new BatchSendRecvParam(
        comm(2).withRank(rank), "", AlgOptions.none(), INT8, List.of(items), 2);
  }

  @Test
  void aBarrierHasNoResults() {
    assertThat(results(new BarrierParam(comm(2)), 1, bytes(), bytes()))
        .containsExactly(bytes(UNTOUCHED), bytes(UNTOUCHED));
  }

  @Test
  void requestsThatDoNotFitTogetherAreRefused() {
    List<OpParam> params =
        List.of(
            new SendParam(comm(2), INT8, 2, 1), new ReceiveParam(comm(2).withRank(1), INT8, 3, 0));
    assertThatThrownBy(() -> Reference.of(params))
        .isInstanceOf(TuttiException.class)
        .hasMessage("rank 0 sends 2 elements to rank 1, which expects 3");
  }

  @Test
  void mismatchesNameRankElementAndValues() {
    AllReduceParam param = new AllReduceParam(comm(2), INT32, ReduceOp.SUM, 3000);
    int[] ones = new int[3000];
    Arrays.fill(ones, 1);
    int[] right = new int[3000];
    Arrays.fill(right, 2);
    int[] wrong = right.clone();
    wrong[2999] = 7;

    List<Mismatch> mismatches =
        Reference.of(param)
            .check(
                List.of(MemorySegment.ofArray(ones), MemorySegment.ofArray(ones)),
                List.of(MemorySegment.ofArray(right), MemorySegment.ofArray(wrong)));

    assertThat(mismatches).containsExactly(new Mismatch(1, 2999, "2", "7"));
    assertThat(mismatches.getFirst()).hasToString("rank 1, element 2999: expected 2, actual 7");
  }

  @Test
  void copiesAreComparedToTheBitAndListedUpToALimit() {
    AllGatherParam param = new AllGatherParam(comm(1), INT8, 100);
    List<MemorySegment> input = segments(new byte[100]);
    byte[] output = new byte[100];
    output[3] = 1;
    assertThat(Reference.of(param).check(input, segments(output)))
        .containsExactly(new Mismatch(0, 3, "0", "1"));
    Arrays.fill(output, (byte) 1);
    assertThat(Reference.of(param).check(input, segments(output)))
        .hasSize(Reference.MAX_MISMATCHES);
  }

  @Test
  void allWrongElementsAreCountedHoweverMany() {
    int ranks = 3;
    AllReduceParam param = new AllReduceParam(comm(ranks), INT32, ReduceOp.SUM, 1000);
    Reference reference = Reference.of(param);
    List<MemorySegment> inputs = new ArrayList<>();
    List<MemorySegment> outputs = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      inputs.add(MemorySegment.ofArray(new int[1000]));
      int[] output = new int[1000];
      Arrays.fill(output, 0, 100 * rank, 1);
      outputs.add(MemorySegment.ofArray(output));
    }

    assertThat(reference.countWrong(inputs, outputs)).isEqualTo(300);
    assertThat(reference.countWrong(0, inputs, outputs.get(0))).isZero();
    assertThat(reference.countWrong(2, inputs, outputs.get(2))).isEqualTo(200);

    Reference copies = Reference.of(new AllGatherParam(comm(1), INT32, 1000));
    assertThat(copies.countWrong(inputs.subList(0, 1), outputs.subList(2, 3))).isEqualTo(200);
  }

  @Test
  void averagesOfIntegersAreDividedTowardsZeroAfterTheSumHasWrapped() {
    assertThat(averages(INT8, bytes(-5, 100, 1), bytes(-2, 100, 1), bytes(-1, 0, 0)))
        .containsExactly(-2, -18, 0);
    assertThat(averages(UINT8, bytes(200, 255, 2), bytes(50, 0, 0), bytes(2, 0, 0)))
        .containsExactly(84, 85, 0);
    byte[] minusOne = bytes(-1, -1, -1, -1, -1, -1, -1, -1);
    assertThat(averages(UINT64, minusOne, new byte[8], new byte[8]))
        .containsExactly(0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55);
  }

  /** The computed averages; also compares them with the expected ones. */
  private static byte[] averages(DataType type, byte[]... inputs) {
    long count = inputs[0].length / type.size();
    AllReduceParam param = new AllReduceParam(comm(inputs.length), type, ReduceOp.SUM, count);
    return results(Reference.of(param).averaged(), inputs[0].length, inputs).getFirst();
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
  void computedAveragesOfFloatsAreAccepted(DataType type) {
    byte[][] inputs = new byte[3][64 * type.size()];
    TestData data = TestData.of(7);
    for (int rank = 0; rank < 3; rank++) {
      AllReduceParam param = new AllReduceParam(comm(3).withRank(rank), type, ReduceOp.SUM, 64);
      data.fillInput(param, MemorySegment.ofArray(inputs[rank]));
    }
    assertThat(averages(type, inputs)).isNotEqualTo(inputs[0]);
  }

  /** A sum that is exact leaves one rounding. */
  @Test
  void averagesOfFloatsAreRightToTheirLastBits() {
    assertThat(checkAverage(1f / 3, 1, 0, 0)).isEmpty();
    assertThat(checkAverage(Math.nextUp(Math.nextUp(1f / 3)), 1, 0, 0)).isNotEmpty();
    assertThat(checkAverage(Math.nextDown(Math.nextDown(1f / 3)), 1, 0, 0)).isNotEmpty();
    assertThat(checkAverage(1f, 1, 0, 0)).isNotEmpty();
    assertThat(checkAverage(2f, 1, 2, 3)).isEmpty();
    assertThat(checkAverage(Math.nextUp(2f), 1, 2, 3)).isNotEmpty();
    assertThat(checkAverage((0.1f + 0.2f + 0.7f) / 3, 0.1f, 0.2f, 0.7f)).isEmpty();
    assertThat(checkAverage(0.34f, 0.1f, 0.2f, 0.7f)).isNotEmpty();
    float inf = Float.POSITIVE_INFINITY;
    assertThat(checkAverage(inf, 1, inf, 2)).isEmpty();
    assertThat(checkAverage(Float.NaN, 1, Float.NaN, 2)).isEmpty();
    assertThat(checkAverage(1, 1, Float.NaN, 2)).isNotEmpty();
    assertThat(checkAverage(Float.MIN_VALUE, Float.MIN_VALUE, Float.MIN_VALUE, 0)).isEmpty();
  }

  private static List<Mismatch> checkAverage(float actual, float... operands) {
    AllReduceParam param = new AllReduceParam(comm(operands.length), FLOAT32, ReduceOp.SUM, 1);
    List<MemorySegment> inputs = new ArrayList<>();
    for (float operand : operands) {
      inputs.add(MemorySegment.ofArray(new float[] {operand}));
    }
    return Reference.of(param)
        .averaged()
        .check(0, inputs, MemorySegment.ofArray(new float[] {actual}));
  }

  @Test
  void onlySumsHaveAverages() {
    assertThatThrownBy(
            () -> Reference.of(new AllReduceParam(comm(2), INT8, ReduceOp.MAX, 1)).averaged())
        .isInstanceOf(TuttiException.class)
        .hasMessage("only sums have averages. Actual: max");
    assertThatThrownBy(() -> Reference.of(new AllGatherParam(comm(2), INT8, 1)).averaged())
        .hasMessage("only sums have averages. Actual: no reduction");
  }

  private static List<Mismatch> checkFloats(ReduceOp op, float actual, float... operands) {
    AllReduceParam param = new AllReduceParam(comm(operands.length), FLOAT32, op, 1);
    List<MemorySegment> inputs = new ArrayList<>();
    List<MemorySegment> outputs = new ArrayList<>();
    for (float operand : operands) {
      inputs.add(MemorySegment.ofArray(new float[] {operand}));
      outputs.add(MemorySegment.ofArray(new float[] {actual}));
    }
    return Reference.of(param).check(inputs, outputs);
  }

  @Test
  void everyOrderOfAFloatSumIsAcceptedAndMoreIsNot() {
    float[] x = {0.1f, 1e6f, -0.3f, 7.7f};
    assertThat(checkFloats(ReduceOp.SUM, x[0] + x[1] + x[2] + x[3], x)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, x[3] + x[2] + x[0] + x[1], x)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, x[0] + x[1] + x[2], x)).isNotEmpty();
  }

  @Test
  void sumsOfIntegersMustBeExact() {
    assertThat(checkFloats(ReduceOp.SUM, 1000003f, 1e6f, 1f, 2f)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, 1000003.06f, 1e6f, 1f, 2f)).isNotEmpty();
    assertThat(checkFloats(ReduceOp.PROD, 12f, 2f, 3f, 2f)).isEmpty();
    assertThat(checkFloats(ReduceOp.PROD, 12.000001f, 2f, 3f, 2f)).isNotEmpty();
  }

  @Test
  void nanAndInfinityFollowTheirRules() {
    float inf = Float.POSITIVE_INFINITY;
    float nan = Float.NaN;
    for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MAX, ReduceOp.MIN)) {
      assertThat(checkFloats(op, nan, 1f, nan, 2f)).isEmpty();
      assertThat(checkFloats(op, 1f, 1f, nan, 2f)).isNotEmpty();
      assertThat(checkFloats(op, nan, 1f, 3f, 2f)).isNotEmpty();
    }
    assertThat(checkFloats(ReduceOp.SUM, inf, inf, 1f)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, 5f, inf, 1f)).isNotEmpty();
    assertThat(checkFloats(ReduceOp.SUM, nan, inf, -inf)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, inf, inf, -inf)).isNotEmpty();
    assertThat(checkFloats(ReduceOp.MAX, -0f, -0f, 0f)).isNotEmpty();
    assertThat(checkFloats(ReduceOp.MIN, -0f, -0f, 0f)).isEmpty();
  }

  @Test
  void partialResultsMayOverflowInSomeOrder() {
    float big = 3e38f;
    assertThat(checkFloats(ReduceOp.SUM, big, big, big, -big)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, Float.POSITIVE_INFINITY, big, big, -big)).isEmpty();
    assertThat(checkFloats(ReduceOp.SUM, Float.POSITIVE_INFINITY, 1e38f, 1e38f)).isNotEmpty();
    assertThat(checkFloats(ReduceOp.PROD, 0f, 1e-30f, 1e-30f, 1e30f, 1e30f)).isEmpty();
    assertThat(checkFloats(ReduceOp.PROD, 0f, 1e-30f, 1e-30f, 1e10f)).isEmpty();
    assertThat(checkFloats(ReduceOp.PROD, 0f, 1e-10f, 1e-10f, 1e10f, 1e10f)).isNotEmpty();
  }

  @Test
  void rankOrderIsCheckedToTheBit() {
    AllReduceParam param = new AllReduceParam(comm(3), FLOAT64, ReduceOp.SUM, 1);
    List<MemorySegment> inputs = new ArrayList<>();
    for (double x : new double[] {0.1, 0.2, 0.3}) {
      inputs.add(MemorySegment.ofArray(new double[] {x}));
    }
    double[] left = {0.1 + 0.2 + 0.3};
    double[] right = {0.1 + (0.2 + 0.3)};
    List<MemorySegment> forward = List.of(s(left), s(left), s(left));
    List<MemorySegment> backward = List.of(s(left), s(left), s(right));

    Reference reference = Reference.of(param);
    assertThat(reference.checkInRankOrder(inputs, forward)).isEmpty();
    assertThat(reference.checkInRankOrder(inputs, backward))
        .containsExactly(new Mismatch(2, 0, "0.6000000000000001", "0.6"));
    assertThat(reference.check(inputs, backward)).isEmpty();
  }

  private static MemorySegment s(double[] values) {
    return MemorySegment.ofArray(values);
  }

  /** 2048 + 1 + 1 is 2048 if every step rounds to float16, and 2050 if only the result is. */
  @Test
  void sixteenBitFloatsAreRoundedOnce() {
    short[] result = new short[1];
    Reference.of(new AllReduceParam(comm(3), FLOAT16, ReduceOp.SUM, 1))
        .compute(0, List.of(half(2048), half(1), half(1)), MemorySegment.ofArray(result));
    assertThat(Float.float16ToFloat(result[0])).isEqualTo(2050f);

    Reference.of(new AllReduceParam(comm(3), BFLOAT16, ReduceOp.SUM, 1))
        .compute(0, List.of(brain(256), brain(1), brain(1)), MemorySegment.ofArray(result));
    assertThat(result[0]).isEqualTo((short) (Float.floatToRawIntBits(258f) >>> 16));
  }

  @Test
  void float32IsRoundedAfterEveryStep() {
    float tiny = 0x1p-24f;
    float[] result = new float[1];
    Reference.of(new AllReduceParam(comm(3), FLOAT32, ReduceOp.SUM, 1))
        .compute(
            0,
            List.of(
                MemorySegment.ofArray(new float[] {1}),
                MemorySegment.ofArray(new float[] {tiny}),
                MemorySegment.ofArray(new float[] {tiny})),
            MemorySegment.ofArray(result));
    assertThat(result[0]).isEqualTo(1f);
  }

  @Test
  void rankOrderIsCheckedAfterRoundingToTheType() {
    for (DataType type : List.of(FLOAT16, BFLOAT16)) {
      MemorySegment even = type == FLOAT16 ? half(2048) : brain(256);
      MemorySegment one = type == FLOAT16 ? half(1) : brain(1);
      Reference reference = Reference.of(new AllReduceParam(comm(2), type, ReduceOp.SUM, 1));
      assertThat(reference.checkInRankOrder(List.of(even, one), List.of(even, even))).isEmpty();
      assertThat(reference.checkInRankOrder(List.of(even, one), List.of(even, one)))
          .extracting(Mismatch::rank)
          .containsExactly(1);
    }
  }

  private static MemorySegment half(float value) {
    return MemorySegment.ofArray(new short[] {Float.floatToFloat16(value)});
  }

  private static MemorySegment brain(float value) {
    return MemorySegment.ofArray(new short[] {(short) (Float.floatToRawIntBits(value) >>> 16)});
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void testDataMakesResultsExactInEveryOrder(DataType type) {
    int ranks = 64;
    int count = 3000;
    for (ReduceOp op : ReduceOp.values()) {
      if (!op.supports(type)) {
        continue;
      }
      AllReduceParam param = new AllReduceParam(comm(ranks), type, op, count);
      List<MemorySegment> inputs = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        MemorySegment input = MemorySegment.ofArray(new byte[count * type.size()]);
        TestData.of(5).fillInput(param.withComm(param.comm().withRank(rank)), input);
        inputs.add(input);
      }
      MemorySegment forward = MemorySegment.ofArray(new byte[count * type.size()]);
      MemorySegment backward = MemorySegment.ofArray(new byte[count * type.size()]);
      Reference reference = Reference.of(param);
      reference.compute(0, inputs, forward);
      reference.compute(0, inputs.reversed(), backward);

      assertThat(forward.mismatch(backward)).as("%s %s", type, op).isEqualTo(-1);
      assertThat(forward.mismatch(inputs.getFirst())).as("%s %s", type, op).isNotEqualTo(-1);
    }
  }

  @Test
  void testDataDiffersBetweenSeedsAndRanks() {
    MemorySegment a = data(1, 0);
    assertThat(a.mismatch(data(1, 0))).isEqualTo(-1);
    assertThat(a.mismatch(data(1, 1))).isNotEqualTo(-1);
    assertThat(a.mismatch(data(2, 0))).isNotEqualTo(-1);
  }

  private static MemorySegment data(long seed, int rank) {
    MemorySegment segment = MemorySegment.ofArray(new float[100]);
    TestData.of(seed).fill(segment, FLOAT32, ReduceOp.SUM, rank);
    return segment;
  }

  @Test
  void specialsAppearOnlyWhenAsked() {
    float[] values = new float[1000];
    TestData.of(3).fill(MemorySegment.ofArray(values), FLOAT32, null, 0);
    assertThat(values).doesNotContain(Float.NaN, Float.POSITIVE_INFINITY);
    TestData.of(3).withSpecials().fill(MemorySegment.ofArray(values), FLOAT32, null, 0);
    assertThat(values).contains(Float.NaN, Float.POSITIVE_INFINITY, -0.0f);
  }
}
