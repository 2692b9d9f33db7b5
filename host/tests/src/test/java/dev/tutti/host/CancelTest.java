package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancels requests and captures in each of their states. */
@Timeout(600)
final class CancelTest {

  private static final int RANKS = 4;
  private static final int COUNT = 1 << 18;
  private static final int TRIES = 100_000;

  private final Context context = SampleAlgorithms.addTo(Context.builder().workers(2)).open();
  private final Group group = context.createGroup(RANKS);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);
  private final Request request =
      group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  /** Whether a run that was cancelled after its start ended early. */
  private static boolean endsEarly(GroupOperation run) {
    run.start();
    assertThat(run.cancel()).isTrue();
    try {
      run.await();
      return false;
    } catch (TuttiException e) {
      assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.CANCELLED);
      return true;
    } finally {
      assertThat(run.isRunning()).isFalse();
    }
  }

  private static void cancelInTime(GroupOperation run) {
    int tries = 0;
    while (!endsEarly(run)) {
      assertThat(tries++)
          .as("runs that were complete before they were cancelled")
          .isLessThan(TRIES);
    }
  }

  @Test
  void aCancelledRunCanBeStartedAgain() {
    for (int round = 0; round < 20; round++) {
      cancelInTime(request);
      assertThat(group.isPoisoned()).isFalse();
      request.run();
      assertThat(Floats.values(outputs[3])).isEqualTo(Floats.sums(RANKS, COUNT));
      outputs[3].fill((byte) 0);
    }
  }

  @Test
  void otherRequestsOfTheGroupGoOn() {
    MemorySegment[] others = Floats.zeros(arena, RANKS, COUNT);
    try (Request other = request.copy(inputs, others)) {
      cancelInTime(request);
      other.run();
      assertThat(Floats.values(others[0])).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  @Test
  void arraysAreAsTheyWereBeforeACancelledRun() {
    MemorySegment[] arrays = Floats.heap(RANKS, COUNT);
    float[] before = Floats.values(arrays[1]);
    try (Request staged = group.allReduce(arrays, arrays, DataType.FLOAT32, ReduceOp.SUM).build()) {
      boolean isCancelled = endsEarly(staged);
      assertThat(Floats.values(arrays[1]))
          .isEqualTo(isCancelled ? before : Floats.sums(RANKS, COUNT));
    }
  }

  /** All-reduces the inputs, and then the results once more. */
  private Captured captured(MemorySegment[] from, MemorySegment[] to) {
    return group.capture(
        () -> {
          group.allReduce(from, to, DataType.FLOAT32, ReduceOp.SUM).run();
          group.allReduce(to, to, DataType.FLOAT32, ReduceOp.SUM).run();
        });
  }

  private static float[] sumsOfSums() {
    float[] sums = Floats.sums(RANKS, COUNT);
    for (int i = 0; i < COUNT; i++) {
      sums[i] *= RANKS;
    }
    return sums;
  }

  @Test
  void aCancelledCaptureCanBeStartedAgain() {
    try (Captured captured = captured(inputs, outputs)) {
      for (int round = 0; round < 20; round++) {
        cancelInTime(captured);
        assertThat(group.isPoisoned()).isFalse();
        request.run();
        captured.run();
        assertThat(Floats.values(outputs[3])).isEqualTo(sumsOfSums());
        outputs[3].fill((byte) 0);
      }
    }
  }

  @Test
  void arraysAreAsTheyWereBeforeACancelledCapture() {
    MemorySegment[] arrays = Floats.heap(RANKS, COUNT);
    float[] before = Floats.values(arrays[1]);
    try (Captured captured = captured(arrays, arrays)) {
      assertThat(captured.isStaged()).isTrue();
      boolean isCancelled = endsEarly(captured);
      assertThat(Floats.values(arrays[1])).isEqualTo(isCancelled ? before : sumsOfSums());
    }
  }

  @Test
  void aCaptureIsCancelledOnlyWhileItRuns() {
    Captured captured = captured(inputs, outputs);
    assertThat(captured.cancel()).isFalse();
    assertThat(captured.isRunning()).isFalse();
    captured.start();
    assertThat(captured.isRunning()).isTrue();
    captured.cancel();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, captured::close))
        .isEqualTo(
            "cannot close the capture of 2 operations: it is running; wait for its end first");
    try {
      captured.await();
    } catch (TuttiException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED);
    }
    assertThat(captured.cancel()).isFalse();
    captured.run();
    assertThat(Floats.values(outputs[0])).isEqualTo(sumsOfSums());
    captured.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, captured::cancel))
        .isEqualTo("cannot cancel the capture of 2 operations: it is closed; capture again");
  }

  @Test
  void thereIsNothingToCancelBeforeAndAfterARun() {
    assertThat(request.cancel()).isFalse();
    assertThat(request.isRunning()).isFalse();
    request.run();
    assertThat(request.cancel()).isFalse();
    request.run();
    assertThat(Floats.values(outputs[0])).isEqualTo(Floats.sums(RANKS, COUNT));
  }

  @Test
  void cancelsWhatIsCompleteWithoutHarm() {
    try (Request barrier = group.barrier().build()) {
      barrier.start();
      assertThat(barrier.isRunning()).isTrue();
      assertThat(barrier.cancel()).isTrue();
      assertThat(barrier.test()).isTrue();
      assertThat(barrier.cancel()).isFalse();
      barrier.run();
    }
  }

  @Test
  void aClosedRequestIsNotCancelled() {
    request.close();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::cancel))
        .isEqualTo(
            "cannot cancel the request (allreduce of 262144 float32, sum): it is closed; build"
                + " another one");
    Errors.message(ErrorCode.INVALID_STATE, () -> request.copy(inputs, outputs));
  }

  @Test
  void aRequestIsNotClosedBeforeItsCancelledRunHasEnded() {
    request.start();
    request.cancel();
    assertThat(Errors.message(ErrorCode.INVALID_STATE, request::close))
        .endsWith("it is running; wait for its end first");
    Errors.message(ErrorCode.INVALID_STATE, request::start);
    try {
      request.await();
    } catch (TuttiException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED);
    }
    request.close();
  }

  @Test
  void anotherThreadCancelsARunThatIsWaitedFor() throws InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    Thread canceller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Await.spin(
                      () -> {
                        request.cancel();
                        return isOver.get();
                      });
                });
    boolean isCancelled = false;
    for (int tries = 0; tries < TRIES && !isCancelled; tries++) {
      try {
        request.run();
      } catch (TuttiException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED);
        isCancelled = true;
      }
    }
    isOver.set(true);
    canceller.join();
    assertThat(isCancelled).isTrue();
    request.run();
    assertThat(Floats.values(outputs[0])).isEqualTo(Floats.sums(RANKS, COUNT));
  }

  @Test
  void aCopySharesThePlanAndHasBuffersOfItsOwn() {
    MemorySegment[] others = Floats.zeros(arena, RANKS, COUNT);
    PlanCacheStats before = group.planCache();
    try (Request copy = request.copy(inputs, others)) {
      assertThat(copy.plan()).isSameAs(request.plan());
      assertThat(copy.options()).isEqualTo(request.options());
      assertThat(group.planCache()).isEqualTo(before);
      request.close();
      copy.run();
      assertThat(Floats.values(others[2])).isEqualTo(Floats.sums(RANKS, COUNT));
      assertThat(Floats.values(outputs[2])).containsOnly(0);
    }
    try (Request again = group.allReduce(inputs, others, DataType.FLOAT32, ReduceOp.SUM).build()) {
      assertThat(Errors.message(ErrorCode.INVALID_ARGUMENT, () -> again.copy(inputs, inputs)))
          .startsWith("the request is not in place");
    }
  }
}
