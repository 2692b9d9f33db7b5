package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tutti.base.idle.TickingClock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.host.call.CallOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of an operation as a stage. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CompletionTest {

  private static final int RANKS = 3;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);

  @AfterEach
  void close() {
    context.close();
  }

  private static List<RankRequest> requests(Group group, Function<RankRequests, RankRequest> of) {
    List<RankRequest> requests = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      requests.add(of.apply(group.rank(rank).requests()));
    }
    return requests;
  }

  private static CompletableFuture<Void> end(RankRequest request) {
    return request.completion().toCompletableFuture();
  }

  /** No rank's thread waits, so the stage's own threads and the helpers do the work. */
  @Test
  void theStageCompletesWhenTheOutputIsThereAndTheRequestIsReadyAgain() {
    int[][] sums = new int[RANKS][1];
    List<RankRequest> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      all.add(
          group.rank(rank).requests().allReduce(new int[] {rank + 1}, sums[rank], ReduceOp.SUM));
    }
    for (int i = 0; i < 100; i++) {
      for (int[] each : sums) {
        each[0] = 0;
      }
      all.forEach(RankRequest::start);
      for (int rank = RANKS - 1; rank >= 0; rank--) {
        end(all.get(rank)).join();
        assertThat(sums[rank]).containsExactly(6);
        assertThat(all.get(rank).isRunning()).isFalse();
      }
    }
  }

  /** Dependents of a stage may make calls and block, because each has its own thread. */
  @Test
  void dependentsMayBlockInOtherCallsAndStartTheRequestAgain() {
    List<RankRequest> all = requests(group, RankRequests::barrier);
    AtomicInteger ends = new AtomicInteger();
    List<CompletableFuture<Void>> stages = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      RankHandle own = group.rank(rank);
      RankRequest request = all.get(rank).start();
      stages.add(
          request
              .completion()
              .thenRun(own::barrier)
              .thenCompose(nothing -> request.start().completion())
              .thenRun(ends::incrementAndGet)
              .toCompletableFuture());
    }
    stages.forEach(CompletableFuture::join);
    assertThat(ends).hasValue(RANKS);
  }

  @Test
  void theStageFailsWithWhatAWaitWouldThrow() {
    List<RankRequest> all = requests(group, RankRequests::barrier);
    all.forEach(RankRequest::start);
    end(all.get(0)).join();
    all.get(1).await();
    all.get(2).await();
    all.get(0).start();
    CompletableFuture<Void> cancelled = end(all.get(0));
    assertThat(all.get(0).cancel()).isTrue();
    assertThat(error(cancelled).code()).isEqualTo(ErrorCode.CANCELLED);

    all.get(1).start();
    Errors.message(ErrorCode.CANCELLED, all.get(1)::await);
    CompletableFuture<Void> mismatched = end(all.get(1).start());
    Errors.message(ErrorCode.INVALID_RANK, () -> group.rank(0).broadcast(new int[1], RANKS));
    assertThat(error(mismatched).code()).isEqualTo(ErrorCode.CALL_MISMATCH);

    CompletableFuture<Void> closed = end(all.get(0).start());
    group.close();
    assertThat(error(closed)).hasMessage("the group is closed; create another one");
  }

  private static TuttiException error(CompletableFuture<Void> stage) {
    Throwable thrown = catchThrowable(stage::join);
    assertThat(thrown)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(TuttiException.class);
    return (TuttiException) thrown.getCause();
  }

  @Test
  void theDeadlineEndsAStageThatNobodyWaitsFor() {
    try (Context impatient =
        SampleAlgorithms.addTo(Context.builder())
            .waiting(new Waiting(new TickingClock(Duration.ofNanos(100)), 2))
            .open()) {
      CallOptions brief = CallOptions.defaults().withDeadline(Duration.ofMillis(100));
      RankHandle first = impatient.createGroup(RANKS).rank(0).with(brief);
      CompletableFuture<Void> late = end(first.requests().barrier().start());
      assertThat(error(late).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void whoAsksForTheStageDoesNotWaitOtherwise() {
    RankRequest request = group.rank(0).requests().barrier();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::completion))
        .isEqualTo(
            "cannot use the completion of the barrier of rank 0: it is not started; start it"
                + " first");
    CompletableFuture<Void> end = end(request.start());
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::await))
        .isEqualTo(
            "cannot wait for the barrier of rank 0: its completion is in use; wait for that");
    Errors.message(ErrorCode.INVALID_STATE, request::test);
    CompletableFuture<Void> again = end(request);
    request.cancel();
    assertThat(error(end)).hasMessage(error(again).getMessage());
  }

  @Test
  void aBodyThatEndsBeforeItsStageEndsTheStage() {
    List<CompletableFuture<Void>> left = new ArrayList<>();
    Throwable thrown =
        catchThrowable(
            () ->
                group.run(
                    rank -> {
                      if (rank.rank() == 0) {
                        left.add(end(rank.requests().barrier().start()));
                      }
                    }));
    assertThat(thrown).isNull();
    assertThat(error(left.getFirst()).code()).isEqualTo(ErrorCode.INVALID_STATE);
    group.run(RankHandle::barrier);
  }

  @Test
  void confinedOutputsAreFilledByTheirOwnThreadOnly() {
    try (Arena own = Arena.ofConfined()) {
      MemorySegment data = own.allocate(4);
      RankRequest request = group.rank(0).requests().broadcast(data, DataType.INT32, 0).start();
      assertThat(Errors.message(ErrorCode.BUFFER_UNAVAILABLE, request::completion))
          .startsWith("the output of rank 0 is in a confined arena");
      int[] got = new int[1];
      RankRequest other = group.rank(1).requests().broadcast(got, 0).start();
      RankRequest third = group.rank(2).requests().broadcast(new int[1], 0).start();
      end(other).join();
      end(third).join();
      request.await();
    }
  }
}
