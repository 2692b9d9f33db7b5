package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A mistake of one rank is reported to it, and at once to the others, and no data moves. */
final class RankMistakesTest {

  private static final int RANKS = 3;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  @AfterEach
  void close() {
    context.close();
  }

  private static MemorySegment ofAThreadThatEnds() {
    FutureTask<MemorySegment> made = new FutureTask<>(() -> Arena.ofConfined().allocate(16));
    Thread.ofPlatform().start(made);
    Await.until(made::isDone);
    return made.resultNow();
  }

  private static Arguments mistake(
      String name, ErrorCode code, String message, Consumer<RankHandle> call) {
    return Arguments.of(name, code, message, call);
  }

  static Stream<Arguments> mistakes() {
    int[] four = new int[4];
    MemorySegment memory = MemorySegment.ofArray(new int[8]);
    MemorySegment ofAnotherThread = ofAThreadThatEnds();
    return Stream.of(
        mistake(
            "no array",
            ErrorCode.INVALID_ARGUMENT,
            "input must not be null",
            r -> r.allReduce((int[]) null, four, ReduceOp.SUM)),
        mistake(
            "no memory",
            ErrorCode.INVALID_ARGUMENT,
            "output must not be null",
            r -> r.allReduce(memory, null, DataType.INT32, ReduceOp.SUM)),
        mistake(
            "no reduction",
            ErrorCode.INVALID_ARGUMENT,
            "reduceOp must not be null",
            r -> r.scan(four, four, null)),
        mistake(
            "no type",
            ErrorCode.INVALID_ARGUMENT,
            "dataType must not be null",
            r -> r.allGather(memory, memory, null)),
        mistake(
            "bits of floats",
            ErrorCode.UNSUPPORTED_TYPE,
            "band",
            r -> r.allReduce(new float[4], new float[4], ReduceOp.BAND)),
        mistake(
            "short output",
            ErrorCode.BUFFER_TOO_SMALL,
            "the output of rank 1 must have 16 bytes. Actual: 12 bytes",
            r -> r.allReduce(four, new int[3], ReduceOp.SUM)),
        mistake(
            "no output on the root",
            ErrorCode.BUFFER_TOO_SMALL,
            "the output of rank 1 must have 16 bytes. Actual: no buffer",
            r -> r.reduce(four, null, ReduceOp.SUM, 1)),
        mistake(
            "longer output",
            ErrorCode.INVALID_COUNT,
            "the output of rank 1 has 20 bytes, but allreduce of 4 int32, sum uses 16 of them",
            r -> r.allReduce(four, new int[5], ReduceOp.SUM)),
        mistake(
            "odd bytes",
            ErrorCode.INVALID_COUNT,
            "the input of rank 1 must be whole elements of int32",
            r -> r.allReduce(memory.asSlice(0, 7), memory, DataType.INT32, ReduceOp.SUM)),
        mistake(
            "odd blocks",
            ErrorCode.INVALID_COUNT,
            "the input of rank 1 must be 3 blocks of one size. Actual: 4 elements",
            r -> r.allToAll(four, new int[4])),
        mistake("root", ErrorCode.INVALID_RANK, "root", r -> r.broadcast(four, 3)),
        mistake(
            "counts",
            ErrorCode.INVALID_COUNT,
            "sendCounts",
            r -> {
              CollectiveCall call = CollectiveCall.allGatherV(DataType.INT32, List.of(1L));
              r.run(call, memory, memory);
            }),
        mistake(
            "memory of another thread",
            ErrorCode.BUFFER_UNAVAILABLE,
            "is in a confined arena of another thread",
            r -> r.broadcast(ofAnotherThread, DataType.INT32, 0)),
        mistake(
            "memory that was freed",
            ErrorCode.BUFFER_UNAVAILABLE,
            "of rank 1 was freed",
            r -> r.broadcast(freed(), DataType.INT32, 0)),
        mistake(
            "constant output",
            ErrorCode.BUFFER_TOO_SMALL,
            "the output of rank 1 is read-only",
            r -> r.broadcast(memory.asReadOnly(), DataType.INT32, 0)),
        mistake(
            "overlap",
            ErrorCode.BUFFER_OVERLAP,
            "input and output of rank 1 overlap partly",
            r ->
                r.allReduce(
                    memory.asSlice(0, 16), memory.asSlice(8, 16), DataType.INT32, ReduceOp.SUM)),
        mistake(
            "colour",
            ErrorCode.INVALID_ARGUMENT,
            "the colour of rank 1 must be 0 or more",
            r -> r.split(-2, 0)));
  }

  /** All mistakes except the one that only the root can make. */
  static Stream<Arguments> mistakesOfAll() {
    return mistakes().filter(each -> !each.get()[0].equals("no output on the root"));
  }

  private static MemorySegment freed() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(16);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void aMistakeIsItsRanksOwnErrorAndAMismatchForTheOthers(
      String name, ErrorCode code, String message, Consumer<RankHandle> call) {
    int[][] data = {{1, 2}, {3, 4}, {5, 6}};
    String[] told = new String[RANKS];
    for (int i = 0; i < 2; i++) {
      group.run(
          rank ->
              told[rank.rank()] =
                  rank.rank() == 1
                      ? Errors.message(code, () -> call.accept(rank))
                      : Errors.message(
                          ErrorCode.CALL_MISMATCH,
                          () ->
                              rank.allReduce(data[rank.rank()], data[rank.rank()], ReduceOp.SUM)));
      assertThat(told[1]).contains(message);
      assertThat(told[0])
          .startsWith(
              "all ranks must make the same call as operation "
                  + (1 + 2 * i)
                  + ", but the part of rank 1 (")
          .endsWith(") was refused, so no data has moved: " + told[1])
          .isEqualTo(told[2]);
      assertThat(data).isDeepEqualTo(new int[][] {{1, 2}, {3, 4}, {5, 6}});
      sumsAreRight();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakesOfAll")
  void aMistakeThatAllMakeIsAnErrorOfEach(
      String name, ErrorCode code, String message, Consumer<RankHandle> call) {
    String[] told = new String[RANKS];
    group.run(rank -> told[rank.rank()] = Errors.message(code, () -> call.accept(rank)));
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(told[rank]).contains(message.replace("rank 1", "rank " + rank));
    }
    sumsAreRight();
  }

  @Test
  void aWrongColourIsToldToTheOthersWhoSplitToo() {
    String[] told = new String[RANKS];
    group.run(
        rank -> {
          boolean isWrong = rank.rank() == 2;
          told[rank.rank()] =
              Errors.message(
                  isWrong ? ErrorCode.INVALID_ARGUMENT : ErrorCode.CALL_MISMATCH,
                  () -> rank.split(isWrong ? -9 : 0, 0));
        });
    assertThat(told[0]).contains("the part of rank 2 (split) was refused").endsWith(told[2]);
    sumsAreRight();
  }

  private void sumsAreRight() {
    int[][] sums = new int[RANKS][1];
    group.run(rank -> rank.allReduce(new int[] {rank.rank()}, sums[rank.rank()], ReduceOp.SUM));
    assertThat(sums).isDeepEqualTo(new int[][] {{3}, {3}, {3}});
  }

  @Test
  void theOtherEndOfATransferIsToldToo() {
    RankHandle source = group.rank(0);
    RankHandle destination = group.rank(2);
    String own = Errors.message(ErrorCode.INVALID_ARGUMENT, () -> source.send((float[]) null, 2));
    assertThat(Errors.message(ErrorCode.CALL_MISMATCH, () -> destination.receive(new float[1], 0)))
        .isEqualTo(
            "all ranks must make the same call as operation 1, but the part of rank 0 (send) was"
                + " refused, so no data has moved: "
                + own);
    MemorySegment odd = MemorySegment.ofArray(new byte[3]);
    own =
        Errors.message(ErrorCode.INVALID_COUNT, () -> destination.receive(odd, DataType.INT16, 0));
    assertThat(Errors.message(ErrorCode.CALL_MISMATCH, () -> source.send(new float[1], 2)))
        .contains("operation 2, but the part of rank 2 (receive) was refused")
        .endsWith(own);
    float[] got = new float[1];
    group.run(
        rank -> {
          switch (rank.rank()) {
            case 0 -> rank.send(new float[] {4}, 2);
            case 2 -> rank.receive(got, 0);
            default -> rank.rank();
          }
        });
    assertThat(got).containsExactly(4);
  }

  /** It takes its place after the operations in flight, and no rank waits for these. */
  @Test
  void aMistakeBehindOperationsInFlightIsToldAtOnce() {
    List<RankRequest> inFlight = new ArrayList<>();
    RankHandle first = group.rank(0);
    for (int i = 0; i < 3; i++) {
      inFlight.add(first.requests().barrier().start());
    }
    Errors.message(ErrorCode.INVALID_RANK, () -> first.broadcast(new int[1], -1));
    RankRequest after = first.requests().barrier().start();
    assertThat(inFlight).allMatch(RankRequest::isRunning);
    List<List<RankRequest>> others = List.of(fiveBarriers(1), fiveBarriers(2));
    inFlight.forEach(RankRequest::await);
    after.await();
    for (List<RankRequest> own : others) {
      own.subList(0, 3).forEach(RankRequest::await);
      assertThat(Errors.message(ErrorCode.CALL_MISMATCH, own.get(3)::await))
          .contains("operation 4, but the part of rank 0 (broadcast) was refused");
      own.get(4).await();
    }
  }

  private List<RankRequest> fiveBarriers(int rank) {
    RankRequests requests = group.rank(rank).requests();
    return Stream.generate(requests::barrier).limit(5).map(RankRequest::start).toList();
  }

  /** Making a request does not inform other ranks, and does not count. */
  @Test
  void aRequestThatCannotBeMadeDoesNotCount() {
    Errors.message(
        ErrorCode.BUFFER_TOO_SMALL,
        () -> group.rank(1).requests().allReduce(new int[4], new int[3], ReduceOp.SUM));
    sumsAreRight();
  }

  @Test
  void longerBuffersAreTakenIfTheOptionsSaySoOnOneRankOrAll() {
    int[][] outputs = {new int[1], new int[3], new int[1]};
    group.run(
        rank ->
            rank.with(CallOptions.defaults().withLongerBuffers(rank.rank() == 1))
                .allReduce(new int[] {2}, outputs[rank.rank()], ReduceOp.SUM));
    assertThat(outputs).isDeepEqualTo(new int[][] {{6}, {6, 0, 0}, {6}});
  }
}
