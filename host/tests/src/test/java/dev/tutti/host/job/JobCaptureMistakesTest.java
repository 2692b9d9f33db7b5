package dev.tutti.host.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.host.job.OneJvmJob.Link;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors in captures of ranks in separate contexts are reported to all ranks. */
@ParameterizedClass
@EnumSource(names = {"MEMORY", "MESSAGES"})
@Timeout(600)
final class JobCaptureMistakesTest {

  @Parameter private Link link;

  /** Without shared memory, a replay that fails may have begun, so it ends the group. */
  private void requireSharedMemory() {
    assumeThat(link).isEqualTo(Link.MEMORY);
  }

  private static TuttiException errorOf(Runnable call) {
    try {
      call.run();
    } catch (TuttiException e) {
      return e;
    }
    throw new AssertionError("nothing was refused");
  }

  /** The error of each rank of a job whose capture fails; the group is checked to go on. */
  private List<TuttiException> errorsOfCapture(int ranks, BiConsumer<Context, RankHandle> body)
      throws Exception {
    return OneJvmJob.inGroup(
        link,
        ranks,
        (context, rank) -> {
          TuttiException error = errorOfCapture(rank, same -> body.accept(context, same));
          checkUsable(context, rank);
          return error;
        });
  }

  private static TuttiException errorOfCapture(RankHandle rank, Consumer<RankHandle> body) {
    return errorOf(() -> rank.group().capture(body));
  }

  private static void sum(RankHandle rank, MemorySegment in, MemorySegment out) {
    rank.allReduce(in, out, DataType.INT32, ReduceOp.SUM);
  }

  private static void sum(Context context, RankHandle rank, int count) {
    sum(rank, ints(context, count), ints(context, count));
  }

  private static MemorySegment ints(Context context, int count) {
    return context.allocate(4L * count).segment();
  }

  private static MemorySegment filled(Context context, int count, int value) {
    MemorySegment memory = ints(context, count);
    fill(memory, value);
    return memory;
  }

  private static void fill(MemorySegment memory, int value) {
    for (int i = 0; i < memory.byteSize() / 4; i++) {
      memory.setAtIndex(ValueLayout.JAVA_INT, i, value);
    }
  }

  private static int first(MemorySegment memory) {
    return memory.getAtIndex(ValueLayout.JAVA_INT, 0);
  }

  /** Collective operations, transfers between all neighbours, and a capture still work. */
  private static void checkUsable(Context context, RankHandle rank) {
    int ranks = rank.rankSize();
    MemorySegment in = filled(context, 2, 1 + rank.rank());
    MemorySegment out = ints(context, 2);
    sum(rank, in, out);
    assertThat(first(out)).isEqualTo(ranks * (ranks + 1) / 2);
    MemorySegment from = ints(context, 2);
    int next = (rank.rank() + 1) % ranks;
    int before = (rank.rank() + ranks - 1) % ranks;
    if (rank.rank() == 0) {
      rank.send(in, DataType.INT32, next);
    }
    rank.receive(from, DataType.INT32, before);
    if (rank.rank() > 0) {
      rank.send(in, DataType.INT32, next);
    }
    assertThat(first(from)).isEqualTo(1 + before);
    fill(out, 0);
    try (Captured captured = rank.group().capture(same -> sum(same, in, out))) {
      assertThat(first(out)).isZero();
      captured.run();
      assertThat(first(out)).isEqualTo(ranks * (ranks + 1) / 2);
    }
  }

  @Test
  void callsThatDifferAreToldToAllAndNothingIsCaptured() throws Exception {
    List<TuttiException> errors =
        errorsOfCapture(
            3,
            (context, same) -> {
              sum(context, same, 7);
              sum(context, same, same.rank() == 2 ? 5 : 4);
            });
    assertThat(errors)
        .allSatisfy(
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED);
              assertThat(error)
                  .hasMessageContaining(
                      "because the body of rank 0 failed; the group is still usable")
                  .hasMessageContaining(
                      "as operation 3, but rank 2 differs from rank 0 in its count: expected 4,"
                          + " actual 5");
              assertThat(error.getCause())
                  .isInstanceOfSatisfying(
                      TuttiException.class,
                      cause -> assertThat(cause.code()).isEqualTo(ErrorCode.CALL_MISMATCH));
            });
  }

  @Test
  void aBodyMayGoOnAfterCallsThatDiffered() throws Exception {
    OneJvmJob.inGroup(
        link,
        2,
        (context, rank) -> {
          MemorySegment in = filled(context, 3, 5);
          MemorySegment out = ints(context, 3);
          Captured captured =
              rank.group()
                  .capture(
                      same -> {
                        TuttiException error = errorOf(() -> sum(context, same, 1 + rank.rank()));
                        assertThat(error.code()).isEqualTo(ErrorCode.CALL_MISMATCH);
                        sum(same, in, out);
                      });
          assertThat(captured.calls()).hasSize(1);
          captured.run();
          assertThat(first(out)).isEqualTo(10);
          return null;
        });
  }

  @Test
  void anArgumentThatOneRankGotWrongEndsTheCapture() throws Exception {
    List<TuttiException> errors =
        errorsOfCapture(
            2,
            (context, same) ->
                same.allReduce(
                    ints(context, 8),
                    ints(context, same.rank() == 1 ? 4 : 8),
                    DataType.INT32,
                    ReduceOp.SUM));
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining("because the body of rank 1 failed")
                    .hasMessageContaining("the output of rank 1 must have 32 bytes"));
    assertThat(errors.get(1).getCause())
        .isInstanceOfSatisfying(
            TuttiException.class,
            cause -> assertThat(cause.code()).isEqualTo(ErrorCode.BUFFER_TOO_SMALL));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void ifTheBodyOfOneRankFailsNothingIsCapturedOnAnyRank(int failing) throws Exception {
    List<TuttiException> errors =
        errorsOfCapture(
            3,
            (context, same) -> {
              sum(context, same, 4);
              if (same.rank() == failing) {
                throw new IllegalStateException("rank " + failing + " cannot");
              }
              sum(context, same, 4);
            });
    assertThat(errors)
        .allSatisfy(
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED);
              assertThat(error)
                  .hasMessage(
                      "the capture was abandoned on all ranks, because the body of rank %d failed;"
                          + " the group is still usable. The failure was:"
                          + " java.lang.IllegalStateException: rank %d cannot",
                      failing, failing);
            });
    assertThat(errors.get(failing)).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(errors.get((failing + 1) % 3)).hasCauseInstanceOf(TuttiException.class);
  }

  /** The other end of a transfer fails, and a third rank waits for one that waits for it. */
  @Test
  void transfersThatWaitForAFailedBodyEndToo() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              MemorySegment data = ints(context, 4);
              TuttiException error =
                  errorOfCapture(
                      rank,
                      same -> {
                        switch (rank.rank()) {
                          case 0 -> throw new IllegalStateException("never sends");
                          case 1 -> {
                            same.receive(data, DataType.INT32, 0);
                            same.send(data, DataType.INT32, 2);
                          }
                          default -> same.receive(data, DataType.INT32, 1);
                        }
                      });
              checkUsable(context, rank);
              return error;
            });
    assertThat(errors).allSatisfy(error -> assertThat(error).hasMessageContaining("never sends"));
  }

  /**
   * An operation that a rank has started in advance does not count for the others, which never
   * start it.
   */
  @Test
  void whatWasStartedInAdvanceDoesNotShiftLaterCalls() throws Exception {
    List<TuttiException> errors =
        errorsOfCapture(
            2,
            (context, same) -> {
              if (same.rank() == 1) {
                throw new IllegalStateException("at once");
              }
              for (int i = 0; i < 5; i++) {
                same.requests()
                    .allReduce(ints(context, 1), ints(context, 1), DataType.INT32, ReduceOp.SUM)
                    .start();
                same.requests().send(ints(context, 1), DataType.INT32, 1).start();
              }
            });
    assertThat(errors).allSatisfy(error -> assertThat(error).hasMessageContaining("at once"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void ifOneRankCapturesAnOperationFewerNothingIsCaptured(int fewer) throws Exception {
    List<TuttiException> errors =
        errorsOfCapture(
            3,
            (context, same) -> {
              sum(context, same, 4);
              if (same.rank() != fewer) {
                sum(context, same, 4);
              }
            });
    assertThat(errors)
        .allSatisfy(
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED);
              assertThat(error)
                  .hasMessageContaining("the capture was abandoned on all ranks")
                  .hasMessageContaining(
                      "rank " + fewer + " has ended the body of its capture without this call");
            });
  }

  @Test
  void aBodyThatForgetsAFailureDoesNotHideThatNothingIsCaptured() throws Exception {
    List<TuttiException> errors =
        errorsOfCapture(
            2,
            (context, same) -> {
              sum(context, same, 1);
              if (same.rank() == 1) {
                return;
              }
              for (int i = 0; i < 3; i++) {
                TuttiException refused = errorOf(() -> sum(context, same, 1));
                assertThat(refused.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED);
              }
            });
    assertThat(errors)
        .allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.CAPTURE_ABANDONED));
  }

  @Test
  void aReplayAndAnOrdinaryCallDoNotMatch() throws Exception {
    requireSharedMemory();
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              MemorySegment in = filled(context, 4, 1);
              MemorySegment out = ints(context, 4);
              Captured captured = rank.group().capture(same -> sum(same, in, out));
              Captured other = rank.group().capture(same -> sum(same, out, in));
              TuttiException ofOther = errorOf(() -> (rank.rank() == 0 ? captured : other).run());
              assertThat(ofOther.code()).isEqualTo(ErrorCode.CALL_MISMATCH);
              assertThat(ofOther)
                  .hasMessageContaining(
                      "in its operation: expected replay of capture 1, actual replay of capture 2");
              TuttiException error =
                  errorOf(
                      () -> {
                        if (rank.rank() == 0) {
                          captured.run();
                        } else {
                          sum(rank, in, out);
                        }
                      });
              assertThat(first(out)).as("nothing has moved").isZero();
              captured.run();
              assertThat(first(out)).isEqualTo(2);
              checkUsable(context, rank);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error -> {
              assertThat(error.code()).isEqualTo(ErrorCode.CALL_MISMATCH);
              assertThat(error)
                  .hasMessageContaining(
                      "rank 1 differs from rank 0 in its operation: expected replay of capture 1,"
                          + " actual allreduce");
            });
  }

  @Test
  void aCaptureAndAnOrdinaryCallDoNotMatch() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              TuttiException error =
                  errorOf(
                      () -> {
                        if (rank.rank() == 0) {
                          sum(context, rank, 1);
                        } else {
                          rank.group().capture(same -> sum(context, same, 1));
                        }
                      });
              checkUsable(context, rank);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error -> assertThat(error).hasMessageContaining("expected allreduce, actual capture"));
  }

  /** The receiver began the transfer before the capture; the sender makes it in the capture. */
  @Test
  void aTransferOfACaptureAndAnOrdinaryOneDoNotMatch() throws Exception {
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              boolean sends = rank.rank() == 0;
              RankRequest transfer =
                  sends
                      ? rank.requests().send(ints(context, 1), DataType.INT32, 1)
                      : rank.requests().receive(ints(context, 1), DataType.INT32, 0);
              if (!sends) {
                transfer.start();
              }
              TuttiException error =
                  errorOfCapture(
                      rank,
                      same -> {
                        if (sends) {
                          transfer.start();
                        }
                        transfer.await();
                      });
              checkUsable(context, rank);
              return error;
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .hasMessageContaining("in its operation: expected send in a capture, actual"));
  }

  @Test
  void capturesThatAreNoneAreRefused() throws Exception {
    OneJvmJob.inGroup(
        link,
        2,
        (context, rank) -> {
          TuttiException empty = errorOfCapture(rank, same -> {});
          assertThat(empty.code()).isEqualTo(ErrorCode.INVALID_STATE);
          assertThat(empty).hasMessageContaining("nothing was captured");
          TuttiException nested =
              errorOfCapture(rank, same -> rank.group().capture(again -> sum(context, again, 1)));
          assertThat(nested).hasMessageContaining("this group is already capturing");
          assertThatThrownBy(() -> rank.group().capture(() -> {}))
              .hasMessageContaining("a capture by one caller needs all ranks in one process");
          checkUsable(context, rank);
          return null;
        });
  }

  @Test
  void oneRankCancelsAReplayForAll() throws Exception {
    requireSharedMemory();
    CountDownLatch isCancelled = new CountDownLatch(1);
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              MemorySegment in = filled(context, 4, 1);
              MemorySegment out = ints(context, 4);
              Captured captured = rank.group().capture(same -> sum(same, in, out));
              TuttiException error;
              if (rank.rank() == 0) {
                captured.start();
                assertThat(captured.isRunning()).isTrue();
                assertThatThrownBy(captured::close).hasMessageContaining("it is running");
                assertThatThrownBy(captured::start).hasMessageContaining("it is under way");
                assertThat(captured.cancel()).isTrue();
                isCancelled.countDown();
                error = errorOf(captured::await);
              } else {
                assertThat(isCancelled.await(5, TimeUnit.MINUTES)).isTrue();
                error = errorOf(captured::run);
              }
              assertThat(captured.isRunning()).isFalse();
              captured.run();
              assertThat(first(out)).isEqualTo(2);
              captured.close();
              captured.close();
              assertThatThrownBy(captured::start)
                  .hasMessageContaining("it is closed; capture again");
              return error;
            });
    assertThat(errors).allSatisfy(error -> assertThat(error.code()).isEqualTo(ErrorCode.CANCELLED));
    assertThat(errors.get(0)).hasMessageContaining("replay of capture 1");
  }

  @Test
  void aRankThatDoesNotReplayIsNamed() throws Exception {
    requireSharedMemory();
    CountDownLatch isOver = new CountDownLatch(1);
    List<@Nullable TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            3,
            (context, rank) -> {
              MemorySegment data = filled(context, 4, 1);
              Captured captured = rank.group().capture(same -> sum(same, data, data));
              if (rank.rank() == 1) {
                assertThat(isOver.await(5, TimeUnit.MINUTES)).isTrue();
                return errorOf(captured::run);
              }
              if (rank.rank() == 2) {
                return errorOf(captured::run);
              }
              try {
                captured.start();
                return errorOf(() -> captured.await(Duration.ofMillis(100)));
              } finally {
                isOver.countDown();
              }
            });
    assertThat(errors.get(0))
        .hasMessageContaining("rank 0 waited 100 ms in operation")
        .hasMessageContaining("replay of capture 1, for ")
        .hasMessageContaining("rank 1 (process ");
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error.code())
                    .isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.GROUP_POISONED));
  }

  @Test
  void aRankThatNeverCapturesIsNamed() throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    List<@Nullable TuttiException> errors =
        OneJvmJob.run(
            link,
            2,
            builder -> builder.deadline(Duration.ofSeconds(2)),
            context -> {
              boolean isFirst = context.rte().isLocal(0);
              try (Group group = context.createGroup(2)) {
                RankHandle rank = group.rank(isFirst ? 0 : 1);
                sum(context, rank, 1);
                if (!isFirst) {
                  assertThat(isOver.await(5, TimeUnit.MINUTES)).isTrue();
                  return null;
                }
                try {
                  return errorOfCapture(
                      rank,
                      same -> {
                        throw new AssertionError("the capture has not begun");
                      });
                } finally {
                  isOver.countDown();
                }
              }
            });
    assertThat(errors.get(0))
        .hasMessageContaining("rank 0 waited 2000 ms in operation 2, capture, for 1 of 2 ranks");
  }

  @Test
  void aBufferThatIsGoneIsTheErrorOfItsRankAndAMismatchForTheOthers() throws Exception {
    requireSharedMemory();
    List<TuttiException> errors =
        OneJvmJob.inGroup(
            link,
            2,
            (context, rank) -> {
              RegisteredMemory memory = context.allocate(16);
              MemorySegment out = ints(context, 4);
              Captured captured = rank.group().capture(same -> sum(same, memory.segment(), out));
              if (rank.rank() == 1) {
                memory.close();
              }
              TuttiException error = errorOf(captured::run);
              checkUsable(context, rank);
              return error;
            });
    assertThat(errors.get(0).code()).isEqualTo(ErrorCode.CALL_MISMATCH);
    assertThat(errors.get(0))
        .hasMessageContaining("the part of rank 1 (replay of capture 1) was refused");
    assertThat(errors.get(1).code()).isEqualTo(ErrorCode.BUFFER_UNAVAILABLE);
  }
}
