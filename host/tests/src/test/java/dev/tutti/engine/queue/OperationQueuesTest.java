package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.RandomExecutor;
import dev.tutti.engine.TestExecutors;
import dev.tutti.engine.queue.QueuesCase.Part;
import dev.tutti.host.Await;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks enter and leave operations on their own, and buffers are theirs again when they leave. */
class OperationQueuesTest {

  private static final int ROUNDS = 300;

  private static CollExecutorBase<AllReduceParam> executor(String name) {
    return switch (name) {
      case "star" -> new TestExecutors.Star();
      case "unclosed" -> new TestExecutors.Unclosed();
      default -> new TestExecutors.TwoStage();
    };
  }

  /** Each rank overwrites its buffers as soon as its own operation has ended. */
  @ParameterizedTest
  @CsvSource({
    "star, 2, 1, false",
    "star, 5, 300, true",
    "unclosed, 2, 3000, false",
    "unclosed, 4, 700, false",
    "unclosed, 3, 20, true",
    "unclosed, 70, 20, true",
    "two-stage, 1, 10, false",
    "two-stage, 2, 1, false",
    "two-stage, 4, 5000, false",
    "two-stage, 16, 100, true"
  })
  void eachRankGetsTheSumsAndItsBuffersBack(String name, int ranks, long count, boolean areVirtual)
      throws Exception {
    try (AllReduceCase work = AllReduceCase.of(executor(name), ranks, count);
        QueuesCase queues = new QueuesCase(ranks, 2, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      QueuesCase.onThreads(
          ranks,
          areVirtual,
          rank -> {
            for (int round = 0; round < ROUNDS; round++) {
              work.fill(rank, round);
              queues.run(rank, parts.get(rank));
              assertThat(work.mismatch(rank, round)).as("round %d", round).isEmpty();
            }
          });

      // Ranks may be in operation 2 before the thread that had them agree has opened the gate.
      assertThat(queues.agreements.get()).isBetween(1, 2);
      assertThat(queues.queues.started(0)).isEqualTo(ROUNDS);
    }
  }

  @ParameterizedTest
  @CsvSource({"64, 1", "4096, 2", "20000, 3"})
  void randomPlansGiveTheResultOfTheInterpreter(int cellBytes, long firstSeed) throws Exception {
    for (long seed = firstSeed * 500; seed < firstSeed * 500 + 20; seed++) {
      int ranks = 1 + (int) (seed % 5);
      long count = (long) RandomExecutor.CELLS * cellBytes / Integer.BYTES;
      GroupPlan plan = AllReduceCase.plan(new RandomExecutor(seed), ranks, count);
      try (AllReduceCase work = new AllReduceCase(plan, count);
          QueuesCase queues = new QueuesCase(ranks, 2, 4)) {
        MemorySegment[] expected = interpret(work, plan, seed);
        List<Part> parts = QueuesCase.parts(work);
        long shown = seed;
        QueuesCase.onThreads(
            ranks,
            seed % 2 == 0,
            rank -> {
              for (int round = 0; round < 20; round++) {
                work.fill(rank, (int) shown);
                queues.run(rank, parts.get(rank));
                assertThat(work.output(rank).mismatch(expected[rank]))
                    .as("seed %d, round %d, rank %d", shown, round, rank)
                    .isEqualTo(-1);
              }
            });
      }
    }
  }

  private static MemorySegment[] interpret(AllReduceCase work, GroupPlan plan, long seed) {
    work.fill((int) seed);
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      memory.input(rank).copyFrom(work.input(rank));
      memory.output(rank).copyFrom(work.output(rank));
    }
    assertThat(interpreter.run(seed, memory).findings()).isEmpty();
    return memory.outputs().toArray(MemorySegment[]::new);
  }

  /** Ranks start several operations, each on separate memory, before they wait for the first. */
  @ParameterizedTest
  @CsvSource({"2, 1", "3, 2", "5, 2"})
  void manyOperationsAreInFlight(int ranks, int workers) throws Exception {
    int depth = 8;
    List<AllReduceCase> works = new ArrayList<>();
    List<List<Part>> parts = new ArrayList<>();
    for (int each = 0; each < depth; each++) {
      works.add(AllReduceCase.of(new TestExecutors.Unclosed(), ranks, 1 + 97L * each));
      parts.add(QueuesCase.parts(works.get(each)));
    }
    try (QueuesCase queues = new QueuesCase(ranks, workers, depth)) {
      QueuesCase.onThreads(
          ranks,
          false,
          rank -> {
            for (int round = 0; round < 100; round++) {
              long[] numbers = new long[depth];
              for (int each = 0; each < depth; each++) {
                works.get(each).fill(rank, round);
                assertThat(queues.queues.isFull(rank)).isFalse();
                numbers[each] = queues.queues.start(rank, parts.get(each).get(rank));
              }
              queues.queues.leave(rank);
              for (int each = 0; each < depth; each++) {
                assertThat(queues.await(rank, numbers[each]))
                    .isEqualTo(OperationQueues.Outcome.ENDED);
                assertThat(works.get(each).mismatch(rank, round)).isEmpty();
              }
            }
          });

      assertThat(queues.agreements.get()).isEqualTo(depth);
    } finally {
      works.forEach(AllReduceCase::close);
    }
  }

  @Test
  void helpersGoOnWhileTheThreadsOfRanksDoSomethingElse() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 100);
        QueuesCase queues = new QueuesCase(2, 2, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      work.fill(1);
      for (int rank = 0; rank < 2; rank++) {
        queues.queues.start(rank, parts.get(rank));
        queues.queues.leave(rank);
      }

      Await.until(() -> queues.queues.hasEnded(0, 1) && queues.queues.hasEnded(1, 1));
      assertThat(work.mismatch(1)).isEmpty();
      assertThat(queues.queues.inFlight(0)).isZero();
    }
  }

  /** The helpers sleep until the other rank starts, which alone can continue a left operation. */
  @Test
  void aRankThatStartsWakesAHelperForARankThatHasLeft() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 100);
        QueuesCase queues = new QueuesCase(2, 2, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      for (int round = 1; round <= 3; round++) {
        int number = round;
        work.fill(round);
        queues.queues.start(0, parts.get(0));
        queues.queues.leave(0);
        queues.awaitSleepOfHelpers();

        queues.queues.start(1, parts.get(1));

        Await.until(() -> queues.queues.hasEnded(0, number) && queues.queues.hasEnded(1, number));
        assertThat(work.mismatch(round)).isEmpty();
      }
    }
  }

  /** The other rank starts when this one waits for the last moment, and will not look again. */
  @Test
  void aRankThatStopsWaitingLeavesItsOperationToAHelper() {
    AtomicReference<@Nullable Runnable> atTheLook = new AtomicReference<>();
    Waiting waiting = new Waiting(new HookedClock(Thread.currentThread(), atTheLook), 2);
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), 2, 100).fill(1);
        QueuesCase queues = new QueuesCase(2, 2, 4, waiting)) {
      List<Part> parts = QueuesCase.parts(work);
      queues.queues.start(0, parts.get(0));
      queues.queues.leave(0);
      queues.awaitSleepOfHelpers();
      atTheLook.set(() -> queues.queues.start(1, parts.get(1)));

      assertThat(queues.queues.await(0, 1, queues.queues.newIdler(0), 0))
          .isEqualTo(OperationQueues.Outcome.LATE);

      Await.until(() -> queues.queues.hasEnded(0, 1) && queues.queues.hasEnded(1, 1));
      assertThat(work.mismatch(1)).isEmpty();
    }
  }

  /** Does something when a thread reads it for the next time. */
  private record HookedClock(Thread thread, AtomicReference<@Nullable Runnable> hook)
      implements Clock {

    @Override
    public long nanoTime() {
      Runnable next = Thread.currentThread().equals(thread) ? hook.getAndSet(null) : null;
      if (next != null) {
        next.run();
      }
      return Clock.system().nanoTime();
    }

    @Override
    public void parkUntil(Object blocker, long untilNanos) {
      Clock.system().parkUntil(blocker, untilNanos);
    }
  }

  @Test
  void ranksThatDisagreeAreToldBeforeAnythingMoves() {
    try (AllReduceCase one = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        AllReduceCase other = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> ones = QueuesCase.parts(one);
      List<Part> others = QueuesCase.parts(other);
      both(queues, ones, 1);
      both(queues, others, 2);
      one.fill(3);
      other.fill(3);
      queues.queues.start(0, ones.get(0));
      queues.queues.start(1, others.get(1));

      assertThat(queues.await(0, 3)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.await(1, 3)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertMismatch(ones.get(0));
      assertMismatch(others.get(1));
      assertThat(one.mismatch(0, 3)).contains("actual -1");
      assertThat(other.mismatch(1, 3)).contains("actual -1");
      both(queues, ones, 4);
      assertThat(queues.agreements.get()).isEqualTo(3);
      assertThat(queues.queues.failedAhead()).isZero();
    }
  }

  private static void assertMismatch(Part part) {
    assertThat(part.failure())
        .isInstanceOfSatisfying(
            TuttiException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.CALL_MISMATCH));
  }

  private static void both(QueuesCase queues, List<Part> parts, int round) {
    AllReduceCase work = parts.getFirst().work;
    work.fill(round);
    for (int rank = 0; rank < parts.size(); rank++) {
      queues.queues.start(rank, parts.get(rank));
    }
    for (int rank = 0; rank < parts.size(); rank++) {
      assertThat(queues.await(rank, queues.queues.started(rank)))
          .isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(parts.get(rank).failure()).isNull();
      assertThat(work.mismatch(rank, round)).isEmpty();
    }
  }

  /** At 4 million operations a second, 31 bits are full after nine minutes. */
  @ParameterizedTest
  @ValueSource(longs = {1L << 31, 1L << 32})
  void operationsPassTheLargestNumberOfTheirHalfWord(long number) throws Exception {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 3, 20);
        AllReduceCase other = AllReduceCase.of(new TestExecutors.Unclosed(), 3, 30);
        QueuesCase queues = new QueuesCase(3, 2, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      List<Part> others = QueuesCase.parts(other);
      for (int rank = 0; rank < 3; rank++) {
        queues.queues.realign(rank, number - 50);
      }
      QueuesCase.onThreads(
          3,
          false,
          rank -> {
            for (int round = 0; round < 100; round++) {
              boolean isMistaken = round % 7 == 6;
              Part part = (isMistaken && rank == 0 ? others : parts).get(rank);
              work.fill(rank, round);
              if (rank == 1 && round % 5 == 3) {
                boolean ignored = queues.queues.close();
              }
              queues.run(rank, part);
              if (isMistaken) {
                assertMismatch(part);
              } else {
                assertThat(part.failure()).isNull();
                assertThat(work.mismatch(rank, round)).as("round %d", round).isEmpty();
              }
            }
          });
      assertThat(queues.queues.started(0)).isEqualTo(number + 50);
    }
  }

  /** The last decision is by then as far behind as a half word can tell. */
  @ParameterizedTest
  @ValueSource(longs = {(1L << 31) - 1, 1L << 31, 1L << 32, 3L << 31})
  void ranksRunWhatTheyBringHoweverLongAgoTheyAgreedOnIt(long number) {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 3, 20);
        AllReduceCase other = AllReduceCase.of(new TestExecutors.Unclosed(), 3, 20);
        QueuesCase queues = new QueuesCase(3, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      List<Part> others = QueuesCase.parts(other);
      both(queues, parts, 1);
      both(queues, others, 2);
      for (int rank = 0; rank < 3; rank++) {
        queues.queues.realign(rank, number);
      }
      for (int round = 3; round < 8; round++) {
        both(queues, parts, round);
        both(queues, others, round);
      }
      assertThat(queues.agreements.get()).isEqualTo(2);
    }
  }

  @Test
  void ranksThatCouldNotAgreeAgreeBeforeTheyBeginAnother() {
    try (AllReduceCase one = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        AllReduceCase other = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 20);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> ones = QueuesCase.parts(one);
      both(queues, ones, 1);
      assertThat(queues.queues.close()).isTrue();
      queues.queues.start(0, ones.get(0));
      Part different = QueuesCase.parts(other).get(1);
      queues.queues.start(1, different);
      assertThat(queues.await(0, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.await(1, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertMismatch(different);
      assertThat(queues.agreements.get()).isEqualTo(2);

      both(queues, ones, 3);
      assertThat(queues.agreements.get()).isEqualTo(3);
    }
  }

  @Test
  void whatIsNotCurrentIsAgreedOnAgain() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 3, 10);
        QueuesCase queues = new QueuesCase(3, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      both(queues, parts, 1);
      parts.get(1).isCurrent = false;
      both(queues, parts, 2);
      both(queues, parts, 3);

      assertThat(queues.agreements.get()).isEqualTo(2);
    }
  }

  @Test
  void aRankThatCannotTakePartEndsTheOperationForAll() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 3, 10);
        QueuesCase queues = new QueuesCase(3, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      both(queues, parts, 1);
      queues.queues.start(0, parts.get(0));
      queues.queues.refuse(1, parts.get(1), new TuttiException(ErrorCode.INVALID_COUNT, "no"));

      assertThat(queues.await(0, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.await(1, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      queues.queues.start(2, parts.get(2));
      assertThat(queues.await(2, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(parts).allSatisfy(part -> assertThat(part.failure()).hasMessageContaining("no"));
      both(queues, parts, 3);
      assertThat(queues.queues.failedAhead()).isZero();
    }
  }

  @Test
  void anErrorOutsideOfThePlanEndsTheOperationForAll() throws Exception {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      both(queues, parts, 1);
      queues.queues.start(0, parts.get(0));
      FutureTask<OperationQueues.Outcome> waits = new FutureTask<>(() -> queues.await(0, 2));
      Thread sleeper = Thread.ofPlatform().daemon().start(waits);
      Await.until(() -> sleeper.getState() == Thread.State.TIMED_WAITING);
      parts.get(1).error = new IllegalStateException("not asked");

      assertThatThrownBy(() -> queues.queues.start(1, parts.get(1))).hasMessage("not asked");

      assertThat(waits.get(5, TimeUnit.MINUTES)).isEqualTo(OperationQueues.Outcome.ENDED);
      parts.get(1).error = null;
      assertThat(queues.await(1, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(parts)
          .allSatisfy(part -> assertThat(part.failure()).hasMessageContaining("not asked"));
      both(queues, parts, 3);
      assertThat(queues.queues.failedAhead()).isZero();
    }
  }

  /**
   * Operations fail at any moment: each rank gets its sums or the failure, and the next is right.
   */
  @ParameterizedTest
  @CsvSource({"2, 2000, false", "4, 50, false", "4, 300, true", "6, 3000, true"})
  void operationsThatFailAtAnyMomentLeaveTheNextOnesWhole(int ranks, long count, boolean areVirtual)
      throws Exception {
    AtomicInteger failed = new AtomicInteger();
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.TwoStage(), ranks, count);
        QueuesCase queues = new QueuesCase(ranks, 2, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      queues.queues.fail(1, new TuttiException(ErrorCode.CANCELLED, "enough"));
      QueuesCase.onThreads(
          ranks,
          areVirtual,
          rank -> {
            Random random = new Random(rank);
            for (int round = 1; round <= 2 * ROUNDS; round++) {
              work.fill(rank, round);
              Part part = parts.get(rank);
              long number = queues.queues.start(rank, part);
              if (random.nextInt(3 * ranks) == 0) {
                queues.queues.fail(number, new TuttiException(ErrorCode.CANCELLED, "enough"));
              }
              assertThat(queues.await(rank, number)).isEqualTo(OperationQueues.Outcome.ENDED);
              if (part.failure() == null) {
                assertThat(work.mismatch(rank, round)).as("round %d", round).isEmpty();
              } else {
                failed.getAndIncrement();
              }
            }
          });
      both(queues, parts, 7);
      assertThat(queues.queues.failedAhead()).isZero();
    }
    assertThat(failed.get()).isGreaterThanOrEqualTo(ranks);
  }

  @Test
  void afterAFailureOfAllEverythingFails() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      queues.queues.start(0, parts.get(0));
      queues.queues.failAll(new TuttiException(ErrorCode.GROUP_POISONED, "over"));

      assertThat(queues.await(0, 1)).isEqualTo(OperationQueues.Outcome.ENDED);
      queues.queues.start(1, parts.get(1));
      assertThat(queues.await(1, 1)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(parts).allSatisfy(part -> assertThat(part.failure()).hasMessageContaining("over"));
    }
  }

  @Test
  void whatATaskThrowsIsTheFailureOfAll() {
    AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
    try (QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      both(queues, parts, 1);
      work.close();
      queues.queues.start(0, parts.get(0));
      queues.queues.start(1, parts.get(1));

      assertThat(queues.await(0, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.await(1, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(parts)
          .allSatisfy(part -> assertThat(part.failure().code()).isEqualTo(ErrorCode.RUN_FAILED));
      assertThat(queues.broken).isSameAs(parts.getFirst().failure());
    }
  }

  @Test
  void queuesAreClosedOnlyBetweenOperations() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      both(queues, parts, 1);
      queues.queues.start(0, parts.get(0));

      assertThat(queues.queues.isRunning()).isFalse();
      assertThat(queues.queues.close()).isTrue();
      queues.queues.start(1, parts.get(1));
      assertThat(queues.await(1, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.await(0, 2)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.agreements.get()).isEqualTo(2);
    }
  }

  @Test
  void ranksBeginWithTheSameOperationAgain() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      for (int each = 0; each < 3; each++) {
        queues.queues.refuse(0, parts.get(0), new TuttiException(ErrorCode.CANCELLED, "no"));
      }
      queues.queues.realign();
      both(queues, parts, 1);

      assertThat(queues.queues.started(1)).isEqualTo(4);
    }
  }

  @Test
  void waitsEndWithTheirTimeAndWithAnInterrupt() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 10);
        QueuesCase queues = new QueuesCase(2, 1, 4)) {
      List<Part> parts = QueuesCase.parts(work);
      work.fill(1);
      queues.queues.start(0, parts.get(0));

      assertThat(queues.queues.await(0, 1, queues.queues.newIdler(0), 1_000))
          .isEqualTo(OperationQueues.Outcome.LATE);
      assertThat(queues.queues.missing(1)).containsExactly(1);
      Thread.currentThread().interrupt();
      assertThat(queues.await(0, 1)).isEqualTo(OperationQueues.Outcome.INTERRUPTED);
      assertThat(Thread.interrupted()).isTrue();
      queues.queues.start(1, parts.get(1));
      assertThat(queues.await(0, 1)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.await(1, 1)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(work.mismatch(1)).isEmpty();
    }
  }
}
