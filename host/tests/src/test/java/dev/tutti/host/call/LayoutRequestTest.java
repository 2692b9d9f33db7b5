package dev.tutti.host.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operations on strided and indexed data give the same as on packed data, and do not touch gaps.
 */
final class LayoutRequestTest {

  private static final int RANKS = 3;
  private static final Layout STRIDED = Layout.vector(2, 3, 5).withExtent(11);
  private static final Layout INDEXED =
      Layout.indexed(new long[] {1, 3, 2}, new long[] {9, 0, 5}).withExtent(12);

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  private MemorySegment[] buffers(int ints, int base) {
    MemorySegment[] segments = new MemorySegment[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      segments[rank] = arena.allocate(ValueLayout.JAVA_INT, ints);
      for (int i = 0; i < ints; i++) {
        segments[rank].setAtIndex(ValueLayout.JAVA_INT, i, base + 1000 * rank + i);
      }
    }
    return segments;
  }

  /** Element positions of a layout, one after another. */
  private static int[] places(Layout layout, int elements) {
    LayoutBlocks blocks = layout.blocks(elements / layout.elements());
    int[] places = new int[elements];
    int at = 0;
    for (int block = 0; block < blocks.size(); block++) {
      for (long i = 0; i < blocks.length(block); i++) {
        places[at++] = (int) (blocks.start(block) + i);
      }
    }
    return places;
  }

  private static int[] values(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_INT_UNALIGNED);
  }

  /** Runs a call with layouts, and on packed copies without, and compares. */
  private void compare(CollectiveCall call, Layout in, Layout out) {
    int elements = (int) Math.max(1, call.count()) * RANKS;
    MemorySegment[] inputs = buffers(60 * RANKS, 1);
    MemorySegment[] outputs = buffers(60 * RANKS, 500_000);
    MemorySegment[] packedIn = buffers(elements, 0);
    MemorySegment[] packedOut = buffers(elements, 0);
    for (int rank = 0; rank < RANKS; rank++) {
      int[] from = places(in, elements);
      int[] to = places(out, elements);
      for (int i = 0; i < elements; i++) {
        packedIn[rank].setAtIndex(ValueLayout.JAVA_INT, i, values(inputs[rank])[from[i]]);
        packedOut[rank].setAtIndex(ValueLayout.JAVA_INT, i, values(outputs[rank])[to[i]]);
      }
    }
    int[][] expected = new int[RANKS][];
    group.request(call).buffers(packedIn, packedOut).run();
    for (int rank = 0; rank < RANKS; rank++) {
      expected[rank] = values(outputs[rank]);
      int[] to = places(out, elements);
      for (int i = 0; i < elements; i++) {
        expected[rank][to[i]] = values(packedOut[rank])[i];
      }
    }
    int[][] before = Arrays.stream(outputs).map(LayoutRequestTest::values).toArray(int[][]::new);
    try (Request request = group.request(call).layouts(in, out).buffers(inputs, outputs).build()) {
      request.run();
      assertAll(expected, outputs, call + " " + in + " " + out);
      for (int rank = 0; rank < RANKS; rank++) {
        outputs[rank].copyFrom(MemorySegment.ofArray(before[rank]));
      }
      request.run();
      assertAll(expected, outputs, "again " + call);
    }
  }

  private static void assertAll(int[][] expected, MemorySegment[] actual, String what) {
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(values(actual[rank])).as("%s, rank %d", what, rank).isEqualTo(expected[rank]);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {
        "BROADCAST",
        "ALL_GATHER",
        "GATHER",
        "SCATTER",
        "ALL_TO_ALL",
        "SEND",
        "ALL_REDUCE",
        "REDUCE",
        "REDUCE_SCATTER",
        "SCAN",
        "EXCLUSIVE_SCAN"
      })
  void givesWhatItGivesOnPackedData(Operation operation) {
    CollectiveCall call = CollectiveCall.of(operation, RANKS, DataType.INT32, ReduceOp.SUM, 12, 1);
    for (Layout in : new Layout[] {Layout.contiguous(), STRIDED, INDEXED}) {
      for (Layout out : new Layout[] {Layout.contiguous(), STRIDED, INDEXED}) {
        compare(call, in, out);
      }
    }
  }

  @Test
  void randomLayoutsGiveWhatTheyGiveOnPackedData() {
    for (long seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      IntFunction<Layout> layout =
          elements -> {
            int[] cuts = random.ints(3, 0, elements + 1).sorted().toArray();
            long[] lengths = {cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], elements - cuts[2]};
            long[] starts = new long[4];
            long at = random.nextInt(3);
            for (int block : random.ints(0, 4).distinct().limit(4).toArray()) {
              starts[block] = at;
              at += lengths[block] + random.nextInt(3);
            }
            return Layout.indexed(lengths, starts).withExtent(at + random.nextInt(3) + 1);
          };
      Operation[] operations = {
        Operation.ALL_GATHER, Operation.ALL_TO_ALL, Operation.BROADCAST, Operation.ALL_REDUCE
      };
      compare(
          CollectiveCall.of(
              operations[random.nextInt(4)], RANKS, DataType.INT32, ReduceOp.SUM, 8, 0),
          layout.apply(4),
          layout.apply(random.nextBoolean() ? 4 : 8));
    }
  }

  @Test
  void ranksGatherColumnsOfTheirMatrices() {
    int rows = 4;
    int width = 5;
    Layout columns = Layout.vector(rows, 1, width).withExtent(1);
    CallOptions options = CallOptions.defaults().withLayouts(columns, Layout.contiguous());
    group.run(
        rank -> {
          int[] matrix = new int[rows * width];
          Arrays.setAll(matrix, i -> 100 * rank.rank() + i);
          int[] all = new int[RANKS * rows * 2];
          CollectiveCall call = CollectiveCall.allGather(DataType.INT32, 2 * rows);
          rank.with(options).run(call, MemorySegment.ofArray(matrix), MemorySegment.ofArray(all));
          assertThat(all)
              .startsWith(0, 5, 10, 15, 1, 6, 11, 16, 100, 105)
              .endsWith(201, 206, 211, 216);
        });
  }

  @Test
  void countsOfRankCallsFollowFromTheRepetitionsThatFit() {
    CallOptions options = CallOptions.defaults().withLayouts(STRIDED, STRIDED);
    group.run(
        rank -> {
          int[] data = new int[8 + 11];
          Arrays.fill(data, rank.rank() == 0 ? 7 : 0);
          rank.with(options).broadcast(data, 0);
          assertThat(data)
              .startsWith(7, 7, 7, rank.rank() == 0 ? 7 : 0)
              .endsWith(7, 7, 7, rank.rank() == 0 ? 7 : 0, rank.rank() == 0 ? 7 : 0, 7, 7, 7);
        });
  }

  @Test
  void leavesTheGapsOfArraysAlone() {
    MemorySegment[] in = buffers(30, 1);
    MemorySegment[] out = new MemorySegment[RANKS];
    Arrays.setAll(out, rank -> MemorySegment.ofArray(new int[] {-1, -1, -1, -1, -1, -1, -1, -1}));
    group
        .request(CollectiveCall.broadcast(DataType.INT32, 6, 2))
        .layouts(Layout.contiguous(), Layout.vector(2, 3, 5))
        .buffers(in, out)
        .run();
    assertThat(values(out[0])).containsExactly(2001, 2002, 2003, -1, -1, 2004, 2005, 2006);
  }

  @Test
  void takesOtherBuffersAndKeepsThePlan() {
    CollectiveCall call = CollectiveCall.allGather(DataType.INT32, 6);
    MemorySegment[] in = buffers(8, 1);
    MemorySegment[] out = buffers(18, 0);
    RequestBuilder builder =
        group.request(call).layouts(Layout.vector(2, 3, 5), Layout.contiguous());
    try (Request request = builder.buffers(in, out).build()) {
      request.run();
      MemorySegment[] otherIn = buffers(8, 50);
      MemorySegment[] otherOut = buffers(18, 0);
      request.rebind(otherIn, otherOut);
      request.run();
      assertThat(values(otherOut[2])).startsWith(50, 51, 52, 55, 56, 57, 1050);
      assertThat(values(out[2])).startsWith(1, 2, 3, 6, 7, 8, 1001);
      try (Request copy = request.copy(in, otherOut)) {
        copy.run();
        assertThat(values(otherOut[0])).startsWith(1, 2, 3, 6, 7, 8, 1001);
      }
    }
    builder.build().close();
    assertThat(group.planCache().misses()).isEqualTo(1);
    builder.layouts(Layout.vector(2, 3, 4), Layout.contiguous()).build().close();
    assertThat(group.planCache().misses()).isEqualTo(2);
  }

  /** Columns of a matrix are summed in place, as arrays and in memory that all ranks reach. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reducesInPlaceAndAverages(boolean isArray) {
    Layout columns = Layout.vector(4, 1, 5).withExtent(1);
    for (boolean averages : new boolean[] {false, true}) {
      MemorySegment[] matrices = buffers(4 * 5, 3);
      for (int rank = 0; rank < RANKS && isArray; rank++) {
        matrices[rank] = MemorySegment.ofArray(values(matrices[rank]));
      }
      group
          .request(CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, 4 * 2))
          .options(CallOptions.defaults().withLayouts(columns, columns).withAverage(averages))
          .buffers(matrices, matrices)
          .run();
      for (int rank = 0; rank < RANKS; rank++) {
        for (int i = 0; i < 4 * 5; i++) {
          int sum = RANKS * (3 + i) + 1000 * RANKS * (RANKS - 1) / 2;
          int expected = i % 5 > 1 ? 3 + 1000 * rank + i : averages ? sum / RANKS : sum;
          assertThat(values(matrices[rank])[i]).as("rank %d, %d", rank, i).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 11})
  void countsMustBeWholeRepetitions(int count) {
    RequestBuilder builder =
        group
            .request(CollectiveCall.broadcast(DataType.INT32, count, 0))
            .layouts(Layout.contiguous(), STRIDED);
    assertThat(Errors.message(ErrorCode.INVALID_COUNT, builder::build))
        .startsWith("the output layout (2 blocks of 6 elements in 8, extent 11) must repeat")
        .endsWith("Actual: " + count + " elements");
  }

  @Test
  void refusesOutputsInWhichElementsShareAPlace() {
    Layout overlapping = Layout.vector(3, 2, 1);
    CollectiveCall call = CollectiveCall.broadcast(DataType.INT32, 6, 0);
    MemorySegment[] in = buffers(20, 1);
    MemorySegment[] out = buffers(20, 0);
    assertThat(
            Errors.message(
                ErrorCode.BUFFER_OVERLAP,
                group.request(call).layouts(Layout.contiguous(), overlapping).buffers(in, out)
                    ::build))
        .startsWith("an output layout must have a place for each element");
    group.request(call).layouts(overlapping, Layout.contiguous()).buffers(in, out).run();
    assertThat(values(out[1])).startsWith(1, 2, 2, 3, 3, 4);
  }

  @Test
  void refusesMoreBlocksThanAPlanMayHold() {
    Layout thin = Layout.vector(1 << 10, 1, 2);
    CollectiveCall call = CollectiveCall.allToAll(DataType.INT8, 1L << 16);
    assertThat(
            Errors.message(
                ErrorCode.PLAN_TOO_LARGE,
                group.request(call).layouts(thin, Layout.contiguous())::plan))
        .startsWith("a buffer has more than 65536 separate blocks");
    try (Group large = context.createGroup(9)) {
      CollectiveCall gather = CollectiveCall.allGather(DataType.INT8, 7 << 10);
      assertThat(
              Errors.message(
                  ErrorCode.PLAN_TOO_LARGE, large.request(gather).layouts(thin, thin)::plan))
          .startsWith("the buffers of all ranks have 644508 separate blocks");
    }
  }

  @Test
  void refusesBuffersThatAreSmallerThanTheLayoutSpans() {
    CollectiveCall call = CollectiveCall.broadcast(DataType.INT32, 12, 0);
    assertThat(
            Errors.message(
                ErrorCode.BUFFER_TOO_SMALL,
                group
                        .request(call)
                        .layouts(STRIDED, Layout.contiguous())
                        .buffers(buffers(18, 0), buffers(12, 0))
                    ::build))
        .isEqualTo("the input of rank 0 must have 76 bytes. Actual: 72 bytes");
  }

  @Test
  void ranksMustHaveOneLayout() {
    CallOptions options = CallOptions.defaults();
    group.run(
        rank ->
            assertThat(
                    Errors.message(
                        ErrorCode.CALL_MISMATCH,
                        () ->
                            rank.with(
                                    rank.rank() == 1
                                        ? options.withLayouts(STRIDED, Layout.contiguous())
                                        : options)
                                .run(
                                    CollectiveCall.broadcast(DataType.INT32, 6, 0),
                                    MemorySegment.ofArray(new int[8]),
                                    MemorySegment.ofArray(new int[6]))))
                .contains("rank 1 differs from rank 0 in its input layout: expected contiguous"));
  }
}
