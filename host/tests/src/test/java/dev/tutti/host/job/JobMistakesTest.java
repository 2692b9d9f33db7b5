package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.engine.TestExecutors;
import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors between ranks in separate contexts are reported to all ranks. */
@Timeout(600)
@ParameterizedClass
@EnumSource
final class JobMistakesTest {

  @Parameter private Link link;

  static TuttiException errorOf(Runnable call) {
    try {
      call.run();
    } catch (TuttiException e) {
      return e;
    }
    throw new AssertionError("nothing was refused");
  }

  private static MemorySegment ints(Context context, int count) {
    return context.allocate(4L * count).segment();
  }

  private static void sum(Context context, RankHandle rank, int count) {
    MemorySegment in = ints(context, count);
    for (int i = 0; i < count; i++) {
      in.setAtIndex(ValueLayout.JAVA_INT, i, i + rank.rank());
    }
    MemorySegment out = ints(context, count);
    rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
    int ranks = rank.rankSize();
    for (int i = 0; i < count; i++) {
      assertThat(out.getAtIndex(ValueLayout.JAVA_INT, i))
          .isEqualTo(ranks * i + ranks * (ranks - 1) / 2);
    }
  }

  @Test
  void callsThatDifferAreToldToAllAndTheGroupGoesOn() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              TuttiException error = errorOf(() -> sum(context, rank, rank.rank() == 2 ? 5 : 4));
              sum(context, rank, 100);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.CALL_MISMATCH);
              assertThat(error)
                  .hasMessageContaining(
                      "as operation 1, but rank 2 differs from rank 0 in its count: expected 4,"
                          + " actual 5");
            });
  }

  /** The error of a call in which the output of rank 1 is too short. */
  private static TuttiException errorOfAShortOutput(Context context, RankHandle rank) {
    MemorySegment in = ints(context, 8);
    MemorySegment out = ints(context, rank.rank() == 1 ? 4 : 8);
    return errorOf(() -> rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM));
  }

  @Test
  void anArgumentThatOneRankGotWrongIsItsOwnErrorAndAMismatchForTheOthers() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              TuttiException error = errorOfAShortOutput(context, rank);
              sum(context, rank, 3);
              return error;
            });
    assertThat(errors.get(0).code()).isEqualTo(ErrorCode.CALL_MISMATCH);
    assertThat(errors.get(0)).hasMessageContaining("the part of rank 1 (allreduce) was refused");
    assertThat(errors.get(1).code()).isEqualTo(ErrorCode.BUFFER_TOO_SMALL);
  }

  /** The others may still be leaving the failed operation. */
  @Test
  void aRankMayCloseTheGroupRightAfterItsMistake() throws Exception {
    for (int round = 0; round < 20; round++) {
      List<TuttiException> errors =
          OneJvmJob.inGroup(link, 3, JobMistakesTest::errorOfAShortOutput);
      assertThat(errors)
          .extracting(TuttiException::code)
          .containsExactly(
              ErrorCode.CALL_MISMATCH, ErrorCode.BUFFER_TOO_SMALL, ErrorCode.CALL_MISMATCH);
    }
  }

  /** Whether it leaves before the others ask for the group or while they wait. */
  @Test
  void aGroupWithARankThatHasLeftIsRefusedAtOnce() throws Exception {
    assumeThat(link).as("each rank is a process").isNotEqualTo(Link.MIXED);
    for (int round = 0; round < 5; round++) {
      OneJvmJob.inGroup(
          link,
          3,
          (context, rank) -> {
            if (rank.rank() < 2) {
              TuttiException error = errorOf(() -> context.createGroup(3));
              assertThat(error.code()).isEqualTo(ErrorCode.INVALID_STATE);
              // The other one may have left after the same error.
              assertThat(error).hasMessageMatching("rank [012] has left the job.*");
            }
            return null;
          });
    }
  }

  @Test
  void anAlgorithmThatNobodyHasIsRefusedForAll() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              RankHandle caller = rank.with(CallOptions.defaults().withAlgorithm("nosuch"));
              TuttiException error = errorOf(() -> sum(context, caller, 3));
              sum(context, rank, 3);
              return error;
            });
    assertThat(errors)
        .allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.UNKNOWN_NAME));
  }

  @Test
  void ranksThatPlanDifferentlyAreToldBeforeAnythingMoves() throws Exception {
    Path directory = OneJvmJob.newDirectory();
    List<FutureTask<TuttiException>> ranks = new ArrayList<>();
    for (int each = 0; each < 2; each++) {
      int rank = each;
      FutureTask<TuttiException> task =
          new FutureTask<>(
              () -> {
                try (Context context =
                        OneJvmJob.builder(rank, 2, directory)
                            .algorithm(
                                "mine",
                                rank == 0
                                    ? new SampleAlgorithms.PullAllReduce()
                                    : new TestExecutors.TwoStage())
                            .open();
                    Group group = context.createGroup(2)) {
                  RankHandle caller = group.rank(rank);
                  TuttiException error =
                      errorOf(
                          () ->
                              sum(
                                  context,
                                  caller.with(CallOptions.defaults().withAlgorithm("mine")),
                                  8));
                  sum(context, caller.with(CallOptions.defaults().withAlgorithm("pull")), 8);
                  return error;
                }
              });
      ranks.add(task);
      Thread.ofPlatform().daemon().start(task);
    }
    for (FutureTask<TuttiException> rank : ranks) {
      TuttiException error = rank.get(5, TimeUnit.MINUTES);
      assertThat(error.code()).isEqualTo(ErrorCode.CALL_MISMATCH);
      assertThat(error)
          .hasMessageContaining("all ranks must have the same plan of")
          .hasMessageContaining("but rank 1 differs from rank 0: expected ");
    }
    OneJvmJob.requireNothingLeft(directory);
  }

  @Test
  void oneRankCancelsForAll() throws Exception {
    CountDownLatch isCancelled = new CountDownLatch(1);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              if (rank.rank() == 0) {
                RankRequest request =
                    rank.requests()
                        .allReduce(
                            ints(context, 1), ints(context, 1), DataType.INT32, ReduceOp.SUM);
                request.start();
                assertThat(request.cancel()).isTrue();
                isCancelled.countDown();
                TuttiException error = errorOf(request::await);
                sum(context, rank, 2);
                return error;
              }
              // Comes after the cancel, as its operation would else begin.
              assertThat(isCancelled.await(5, TimeUnit.MINUTES)).isTrue();
              TuttiException error = errorOf(() -> sum(context, rank, 1));
              sum(context, rank, 2);
              return error;
            });
    assertThat(errors).allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.CANCELLED));
  }

  @Test
  void aRankThatDoesNotComeIsNamedWithItsProcess() throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    List<@Nullable TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              if (rank.rank() == 1) {
                assertThat(isOver.await(5, TimeUnit.MINUTES)).isTrue();
                return errorOf(() -> sum(context, rank, 1));
              }
              Duration deadline = Duration.ofMillis(rank.rank() == 0 ? 100 : 100_000);
              RankHandle caller = rank.with(CallOptions.defaults().withDeadline(deadline));
              try {
                return errorOf(() -> sum(context, caller, 1));
              } finally {
                if (rank.rank() == 0) {
                  isOver.countDown();
                }
              }
            });
    String process = "process " + ProcessHandle.current().pid();
    assertThat(errors.get(0))
        .hasMessageContaining("rank 0 waited 100 ms in operation 1")
        .hasMessageContaining("rank 1 (" + process + "; it had started no operation");
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error.code())
                    .isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.GROUP_POISONED));
  }

  @Test
  void aRankThatClosesTheGroupEndsTheWaitsForIt() throws Exception {
    // Ranks of one process close their group together.
    assumeThat(link).isNotEqualTo(Link.MIXED);
    CyclicBarrier haveEnded = new CyclicBarrier(3);
    List<@Nullable TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              sum(context, rank, 1);
              Await.barrier(haveEnded);
              return rank.rank() == 1 ? null : errorOf(() -> sum(context, rank, 1));
            });
    for (int rank : new int[] {0, 2}) {
      assertThat(errors.get(rank)).hasMessageContaining("rank 1 has closed the group");
    }
  }

  /** A rank may learn that another has closed the group before it learns of the failure itself. */
  @Test
  void aRankThatClosesTheGroupAfterAFailureSaysWhatItWas() throws Exception {
    assumeThat(link).isNotEqualTo(Link.MIXED);
    CyclicBarrier haveEnded = new CyclicBarrier(3);
    List<@Nullable TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              sum(context, rank, 1);
              Await.barrier(haveEnded);
              if (rank.rank() == 1) {
                HostAccess.poison(rank.group(), "a test");
                return null;
              }
              return errorOf(() -> sum(context, rank, 1));
            });
    for (int rank : new int[] {0, 2}) {
      assertThat(errors.get(rank)).hasMessageContaining(": a test");
      assertThat(errors.get(rank).code()).isEqualTo(ErrorCode.GROUP_POISONED);
    }
  }

  @Test
  void whatARankHasStartedAndLeftEndsWithItsGroup() throws Exception {
    // Without shared memory the other rank may have got all that it needs before.
    assumeThat(link).isEqualTo(Link.MEMORY);
    CountDownLatch isStarted = new CountDownLatch(1);
    List<@Nullable TuttiException> errors =
        OneJvmJob.run(
            link,
            2,
            builder -> builder,
            context -> {
              boolean isFirst = context.rte().isLocal(0);
              try (Group group = context.createGroup(2)) {
                RankHandle rank = group.rank(isFirst ? 0 : 1);
                sum(context, rank, 1);
                if (isFirst) {
                  rank.requests()
                      .allReduce(ints(context, 1), ints(context, 1), DataType.INT32, ReduceOp.SUM)
                      .start();
                  return null;
                }
                return errorOf(
                    () -> {
                      await(isStarted);
                      sum(context, rank, 1);
                    });
              } finally {
                isStarted.countDown();
              }
            });
    assertThat(errors.get(1))
        .hasMessageContaining("rank 0 has closed the group without waiting for operation 2");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatNeedsAllRanksInOneProcessIsRefused() throws Exception {
    OneJvmJob.inGroup(
        link,
        2,
        (context, rank) -> {
          Group group = rank.group();
          assertThatThrownBy(() -> group.request(CollectiveCall.barrier()))
              .hasMessageContaining("a request of all ranks needs all ranks in one process");
          assertThatThrownBy(() -> group.rank(1 - rank.rank()))
              .hasMessageContaining("is in another process");
          assertThatThrownBy(() -> context.createGroup(3))
              .hasMessageContaining(
                  "the processes of this job have 2 ranks, 1+1, and its groups must have as many")
              .hasMessageContaining("Actual: 3");
          return null;
        });
  }

  @Test
  void groupsThatDifferAreRefused() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.run(
            link,
            2,
            builder -> builder,
            context -> {
              Topology topology =
                  context.rte().isLocal(0) ? Topology.flat(2) : Topology.nodes(1, 1);
              TuttiException error = errorOf(() -> context.createGroup(topology));
              context.createGroup(2).close();
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining(
                        "rank 1 differs from rank 0 in the topology of group 1: expected 2, actual"
                            + " 1+1"));
  }
}
