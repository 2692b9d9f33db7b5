package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Averages of ranks' values, in every way to call. */
final class AverageTest {

  private static final int RANKS = 3;
  private static final CallOptions AVERAGE = CallOptions.defaults().withAverage(true);

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  @AfterEach
  void close() {
    context.close();
  }

  /** Integers are divided towards zero, after the sum has wrapped around. */
  @ParameterizedTest
  @CsvSource({
    "INT8, 1 1 0, 0",
    "INT8, -5 -2 -1, -2",
    "INT8, 100 100 0, -18",
    "UINT8, 200 50 2, 84",
    "UINT8, 200 100 0, 14",
    "INT16, -7 0 0, -2",
    "UINT16, 65535 0 0, 21845",
    "INT32, 2147483647 1 0, -715827882",
    "UINT32, -1 0 0, 1431655765",
    "INT64, -4 -4 0, -2",
    "UINT64, -1 0 0, 6148914691236517205"
  })
  void integersAreDividedTowardsZero(DataType type, String values, long expected) {
    int size = type.size();
    long[] each = Arrays.stream(values.split(" ")).mapToLong(Long::parseLong).toArray();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] data = new MemorySegment[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        data[rank] = arena.allocate(5L * size, 128);
        for (int i = 0; i < 5; i++) {
          put(data[rank], i, size, each[rank]);
        }
      }
      group.allReduce(data, data, type, ReduceOp.SUM).options(AVERAGE).run();
      MemorySegment wanted = arena.allocate(5L * size, 128);
      for (int i = 0; i < 5; i++) {
        put(wanted, i, size, expected);
      }
      for (MemorySegment own : data) {
        assertThat(own.mismatch(wanted)).isEqualTo(-1);
      }
    }
  }

  private static void put(MemorySegment to, int index, int size, long value) {
    for (int b = 0; b < size; b++) {
      to.set(ValueLayout.JAVA_BYTE, (long) index * size + b, (byte) (value >> 8 * b));
    }
  }

  @Test
  void floatsAreDivided() {
    float[][] floats = {{1, 2}, {1, 3}, {0, 5}};
    double[][] doubles = {{1}, {1}, {8}};
    short[][] halves = {{half(1)}, {half(1)}, {half(7)}};
    group.run(
        rank -> {
          RankHandle own = rank.with(AVERAGE);
          own.allReduce(floats[rank.rank()], floats[rank.rank()], ReduceOp.SUM);
          own.allReduce(doubles[rank.rank()], doubles[rank.rank()], ReduceOp.SUM);
          MemorySegment half = MemorySegment.ofArray(halves[rank.rank()]);
          own.allReduce(half, half, DataType.FLOAT16, ReduceOp.SUM);
        });
    assertThat(floats[1]).containsExactly(2 / 3f, 10 / 3f);
    assertThat(doubles[2]).containsExactly(10 / 3.0);
    assertThat(halves[0]).containsExactly(half(3));
  }

  private static short half(float value) {
    return Float.floatToFloat16(value);
  }

  /** Sizes on both sides of what runs on one thread and on several, and what streams. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1001, 300_000, 3_000_000})
  void everySizeIsRight(int count) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = new MemorySegment[RANKS];
      MemorySegment[] outputs = new MemorySegment[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        inputs[rank] = arena.allocate(4L * count, 128);
        outputs[rank] = arena.allocate(4L * count, 128);
        for (int i = 0; i < count; i++) {
          inputs[rank].setAtIndex(ValueLayout.JAVA_INT, i, i + rank);
        }
      }
      try (Request request =
          group.allReduce(inputs, outputs, DataType.INT32, ReduceOp.SUM).options(AVERAGE).build()) {
        request.run();
        check(outputs, count);
        for (MemorySegment output : outputs) {
          output.fill((byte) 0);
        }
        request.run();
        check(outputs, count);
      }
      for (MemorySegment output : outputs) {
        output.fill((byte) 0);
      }
      group.run(
          rank ->
              rank.with(AVERAGE)
                  .allReduce(
                      inputs[rank.rank()], outputs[rank.rank()], DataType.INT32, ReduceOp.SUM));
      check(outputs, count);
    }
  }

  private static void check(MemorySegment[] outputs, int count) {
    for (MemorySegment output : outputs) {
      for (int i = 0; i < count; i++) {
        if (output.getAtIndex(ValueLayout.JAVA_INT, i) != i + 1) {
          assertThat(output.getAtIndex(ValueLayout.JAVA_INT, i))
              .as("element %d", i)
              .isEqualTo(i + 1);
        }
      }
    }
  }

  @Test
  void reducesAndReduceScattersAverageWhereTheirOutputIs() {
    int[][] ones = new int[RANKS][1];
    int[] root = new int[1];
    group.run(
        rank -> {
          RankHandle own = rank.with(AVERAGE);
          int mine = rank.rank();
          own.reduceScatter(new int[] {3, 6, 9 + mine}, ones[mine], ReduceOp.SUM);
          own.reduce(new int[] {mine}, mine == 2 ? root : null, ReduceOp.SUM, 2);
        });
    assertThat(ones).isDeepEqualTo(new int[][] {{3}, {6}, {10}});
    assertThat(root).containsExactly(1);
  }

  /** An operation after an average reads its result, also if a capture joins both into one plan. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void capturesHaveAveragesToo(boolean byRanks) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment[] data = new MemorySegment[RANKS];
      MemorySegment[] all = new MemorySegment[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        data[rank] = arena.allocate(4, 128);
        all[rank] = arena.allocate(4L * RANKS, 128);
      }
      try (Captured captured =
          byRanks
              ? group.capture(
                  rank -> {
                    int own = rank.rank();
                    rank.with(AVERAGE)
                        .allReduce(data[own], data[own], DataType.INT32, ReduceOp.SUM);
                    rank.allGather(data[own], all[own], DataType.INT32);
                    rank.allReduce(data[own], data[own], DataType.INT32, ReduceOp.SUM);
                  })
              : group.capture(
                  () -> {
                    group
                        .allReduce(data, data, DataType.INT32, ReduceOp.SUM)
                        .options(AVERAGE)
                        .run();
                    group.allGather(data, all, DataType.INT32).run();
                    group.allReduce(data, data, DataType.INT32, ReduceOp.SUM).run();
                  })) {
        for (int run = 1; run < 4; run++) {
          for (int rank = 0; rank < RANKS; rank++) {
            data[rank].set(ValueLayout.JAVA_INT, 0, run + rank);
          }
          captured.run();
          for (int rank = 0; rank < RANKS; rank++) {
            int average = run + 1;
            assertThat(all[rank].toArray(ValueLayout.JAVA_INT))
                .containsExactly(average, average, average);
            assertThat(data[rank].get(ValueLayout.JAVA_INT, 0)).isEqualTo(RANKS * average);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ReduceOp.class,
      names = {"SUM"},
      mode = EnumSource.Mode.EXCLUDE)
  void onlySumsHaveAverages(ReduceOp op) {
    int[] data = new int[1];
    assertThat(
            Errors.message(
                ErrorCode.UNSUPPORTED,
                () -> group.rank(0).with(AVERAGE).requests().allReduce(data, data, op)))
        .contains("Actual: allreduce of 1 int32, " + op.label());
  }

  @Test
  void otherOperationsHaveNone() {
    int[] data = new int[1];
    RankRequests requests = group.rank(0).with(AVERAGE).requests();
    Errors.message(ErrorCode.UNSUPPORTED, () -> requests.scan(data, data, ReduceOp.SUM));
    Errors.message(ErrorCode.UNSUPPORTED, () -> requests.broadcast(data, 0));
    Errors.message(
        ErrorCode.UNSUPPORTED,
        () -> group.request(CollectiveCall.barrier()).options(AVERAGE).run());
  }

  @Test
  void ranksMustAgreeOnIt() {
    List<String> told = new ArrayList<>();
    group.run(
        rank -> {
          String message =
              Errors.message(
                  ErrorCode.CALL_MISMATCH,
                  () ->
                      rank.with(CallOptions.defaults().withAverage(rank.rank() == 2))
                          .allReduce(new int[1], new int[1], ReduceOp.SUM));
          synchronized (told) {
            told.add(message);
          }
        });
    assertThat(told)
        .hasSize(RANKS)
        .allSatisfy(
            each ->
                assertThat(each)
                    .contains("rank 2 differs from rank 0 in its average: expected false, actual"));
  }
}
