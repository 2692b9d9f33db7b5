package dev.tutti.host;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.engine.trace.RunTrace;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces of operations that ranks call themselves. */
@Timeout(600)
final class RankTraceTest {

  private static final int RANKS = 3;
  private static final int COUNT = 1 << 10;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
  private final Context context = SampleAlgorithms.addTo(Context.builder().workers(2)).open();
  private final Group group = context.createGroup(RANKS);

  /** The traces that each rank asked for. */
  private final List<List<CompletionStage<RunTrace>>> stages = new ArrayList<>();

  RankTraceTest() {
    for (int rank = 0; rank < RANKS; rank++) {
      stages.add(new ArrayList<>());
    }
  }

  @AfterEach
  void close() {
    group.close();
    context.close();
    arena.close();
  }

  private RankRequest allReduce(RankHandle rank) {
    return rank.requests()
        .allReduce(inputs[rank.rank()], outputs[rank.rank()], DataType.FLOAT32, ReduceOp.SUM);
  }

  private void trace(RankHandle rank, RankRequest request) {
    stages.get(rank.rank()).add(request.trace());
  }

  private RunTrace traceOf(int rank, int number) {
    return stages.get(rank).get(number).toCompletableFuture().orTimeout(1, MINUTES).join();
  }

  private void assertSums() {
    for (MemorySegment output : outputs) {
      assertThat(Floats.values(output)).isEqualTo(Floats.sums(RANKS, COUNT));
      output.fill((byte) 0);
    }
  }

  private static void assertEachRankDoesSomething(RunTrace trace) {
    assertThat(trace.actions())
        .extracting(action -> action.ref().rank())
        .containsOnly(0, 1, 2)
        .contains(0, 1, 2);
    assertThat(trace.actions())
        .allSatisfy(
            action -> {
              assertThat(action.fromNanos()).isNotNegative();
              assertThat(action.toNanos()).isBetween(action.fromNanos(), trace.nanos());
              assertThat(action.ref().source()).contains("SampleAlgorithms.java");
            });
    assertThat(trace.waits())
        .allSatisfy(wait -> assertThat(wait.toNanos()).isGreaterThan(wait.fromNanos()));
  }

  @Test
  void allRanksThatTraceGetWhatEachRankDid() {
    group.run(
        rank -> {
          RankRequest request = allReduce(rank);
          request.run();
          trace(rank, request);
          request.await();
          request.run();
        });
    assertSums();

    RunTrace trace = traceOf(0, 0);
    assertEachRankDoesSomething(trace);
    assertThat(traceOf(1, 0)).isSameAs(trace);
    assertThat(traceOf(2, 0)).isSameAs(trace);
  }

  /** Without a trace, ranks show each other so few bytes, and run no lists. */
  @Test
  void aCallOfFewBytesIsTracedToo() {
    group.run(
        rank -> {
          MemorySegment input = inputs[rank.rank()].asSlice(0, 8);
          MemorySegment output = outputs[rank.rank()].asSlice(0, 8);
          RankRequest request =
              rank.requests().allReduce(input, output, DataType.FLOAT32, ReduceOp.SUM);
          request.run();
          request.run();
          trace(rank, request);
          request.await();
          request.run();
        });
    assertEachRankDoesSomething(traceOf(0, 0));
  }

  @Test
  void eachListOfTheTraceBelongsToOneRank() {
    group.run(
        rank -> {
          RankRequest request = allReduce(rank);
          trace(rank, request);
          request.await();
        });
    assertThat(traceOf(0, 0).actions())
        .allSatisfy(action -> assertThat(action.list()).isEqualTo(action.ref().rank()));
  }

  @Test
  void theLastRankCompletesTheTrace() {
    CountDownLatch firstHasRun = new CountDownLatch(1);
    try (Context copying =
            Context.builder().algorithm("copying", new SampleAlgorithms.Copying()).open();
        Group copies = copying.createGroup(RANKS)) {
      copies.run(
          rank -> {
            RankRequest request = allReduce(rank);
            request.run();
            if (rank.rank() == 0) {
              trace(rank, request);
              assertThat(stages.get(0).getFirst().toCompletableFuture()).isNotDone();
              firstHasRun.countDown();
              request.await();
            } else {
              Await.latch(firstHasRun);
              request.run();
            }
          });
    }
    assertEachRankDoesSomething(traceOf(0, 0));
  }

  @Test
  void oneRankThatTracesIsEnough() {
    group.run(
        rank -> {
          RankRequest request = allReduce(rank);
          for (int run = 0; run < 20; run++) {
            if (rank.rank() == 1 && run % 3 == 0) {
              trace(rank, request);
              request.await();
            } else {
              request.run();
            }
          }
        });
    assertSums();
    assertThat(stages.get(1)).hasSize(7);
    for (int number = 0; number < 7; number++) {
      assertEachRankDoesSomething(traceOf(1, number));
    }
  }

  @Test
  void ranksTraceOperationsThatAreInFlightTogether() {
    group.run(
        rank -> {
          RankRequest untraced = allReduce(rank);
          RankRequest first = allReduce(rank);
          RankRequest second = rank.requests().barrier();
          untraced.start();
          if (rank.rank() == 0) {
            trace(rank, first);
          } else {
            first.start();
          }
          trace(rank, second);
          untraced.await();
          first.await();
          second.await();
        });
    assertSums();
    assertEachRankDoesSomething(traceOf(0, 0));
    assertThat(traceOf(0, 1)).isSameAs(traceOf(1, 0)).isNotSameAs(traceOf(0, 0));
    assertThat(traceOf(0, 1).actions()).isEmpty();
  }

  @Test
  void anOperationThatFailsHasNoTrace() {
    assertThatThrownBy(
            () ->
                group.run(
                    rank -> {
                      RankRequest request =
                          rank.rank() == 2 ? rank.requests().barrier() : allReduce(rank);
                      trace(rank, request);
                      request.await();
                    }))
        .isInstanceOf(TuttiException.class);
    group.run(
        rank -> {
          RankRequest request = allReduce(rank);
          trace(rank, request);
          request.await();
        });
    assertSums();
    assertEachRankDoesSomething(traceOf(0, 1));
    assertThatThrownBy(() -> traceOf(0, 0))
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("the operation failed, so there is no trace of it");
  }

  @Test
  void insideACaptureNothingRunsThatCouldBeTraced() {
    List<String> messages = new ArrayList<>(Arrays.asList(new String[RANKS]));
    Captured captured =
        group.capture(
            rank -> {
              RankRequest request = allReduce(rank);
              messages.set(
                  rank.rank(), Errors.message(ErrorCode.INVALID_STATE, () -> request.trace()));
              request.run();
            });
    captured.run();
    assertSums();
    captured.close();
    assertThat(messages)
        .allSatisfy(
            message ->
                assertThat(message).contains("cannot trace the allreduce", "a capture records it"));
  }
}
