package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.RandomExecutor;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.ShortPlan;
import dev.tutti.engine.TestExecutors;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that compute their results from the inputs that all show get what the plan gives. */
class ShortPlansTest {

  private static final int PLANS = 400;
  private static final int ROUNDS = 5;
  private static final int[] CELL_INTS = {2, 50, 97, 256, 257};

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void randomPlansGiveTheResultOfTheInterpreter(int ranks) {
    int count = 0;
    for (long seed = 0; seed < PLANS; seed++) {
      // A cell of 4 bytes, and one that no rank can show.
      int cellInts = seed % 10 == 9 ? 2 : 1;
      long ints = (long) RandomExecutor.CELLS * cellInts;
      GroupPlan plan = AllReduceCase.plan(new RandomExecutor(seed), ranks, ints);
      try (AllReduceCase work = new AllReduceCase(plan, ints);
          QueuesCase queues = new QueuesCase(ranks, 1, 4)) {
        List<QueuesCase.Part> parts = QueuesCase.parts(work);
        for (int round = 0; round < ROUNDS; round++) {
          MemorySegment[] expected = work.interpreted(round);
          run(queues, parts);
          for (int rank = 0; rank < ranks; rank++) {
            assertThat(work.output(rank).mismatch(expected[rank]))
                .as("seed %d, round %d, rank %d", seed, round, rank)
                .isEqualTo(-1);
          }
        }
        assertThat(queues.agreements).hasValue(1);
        RankBinding binding = parts.getFirst().binding();
        count += binding != null && binding.isShort() ? 1 : 0;
      }
    }
    assertThat(count).as("short plans").isGreaterThan(PLANS / 20);
  }

  /** With an input of 32 bytes to 4 KiB, and a larger one, for ranks that share memory. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8})
  void randomPlansInRoomsGiveTheResultOfTheInterpreter(int ranks) {
    int count = 0;
    for (int seed = 0; seed < PLANS; seed++) {
      long ints = (long) RandomExecutor.CELLS * CELL_INTS[seed % CELL_INTS.length];
      GroupPlan plan = AllReduceCase.plan(new RandomExecutor(seed), ranks, ints);
      try (AllReduceCase work = new AllReduceCase(plan, ints);
          SharedCase shared = new SharedCase(work)) {
        for (int round = 0; round < ROUNDS; round++) {
          MemorySegment[] expected = work.interpreted(round);
          shared.run();
          for (int rank = 0; rank < ranks; rank++) {
            assertThat(work.output(rank).mismatch(expected[rank]))
                .as("seed %d, round %d, rank %d", seed, round, rank)
                .isEqualTo(-1);
          }
        }
        if (shared.isShort()) {
          assertThat(ints * Integer.BYTES).isLessThanOrEqualTo(ShortPlan.ROOM_BYTES);
          count++;
        }
      }
    }
    assertThat(count).as("short plans").isGreaterThan(PLANS / 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 300})
  void neighbouringPartsWithDifferentOperationsStayApart(int count) {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.MaximaAndSums(), 2, count);
        SharedCase shared = new SharedCase(work)) {
      for (int round = 0; round < ROUNDS; round++) {
        MemorySegment[] expected = work.interpreted(round);
        shared.run();
        assertThat(work.output(0).mismatch(expected[0])).isEqualTo(-1);
        assertThat(work.output(1).mismatch(expected[1])).isEqualTo(-1);
      }
      assertThat(shared.isShort()).isTrue();
    }
  }

  /** In place, the plan writes results where other ranks have their inputs. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 300})
  void ranksReadTheInputsOfAPlanInPlace(int count) {
    GroupPlan apart = AllReduceCase.plan(new TestExecutors.TwoStage(), 3, count);
    try (AllReduceCase work =
            new AllReduceCase(new GroupPlan("in place", true, apart.ranks()), count);
        SharedCase shared = new SharedCase(work)) {
      for (int round = 0; round < ROUNDS; round++) {
        work.fill(round);
        shared.run();
        assertThat(work.mismatch(round)).isEmpty();
      }
      assertThat(shared.isShort()).isTrue();
    }
  }

  /** A rank is one operation ahead of another, which has not read its input yet. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void anInputStaysWhileARankIsAhead(int count) {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, count);
        SharedCase shared = new SharedCase(work)) {
      shared.run();
      long last = 0;
      for (int round = 1; round <= ROUNDS; round++) {
        int ahead = round % 2;
        int behind = 1 - ahead;
        work.fill(behind, round);
        work.fill(ahead, round);
        long number = shared.start(behind);
        assertThat(shared.start(ahead)).isEqualTo(number);
        assertThat(shared.hasEnded(ahead, number)).isTrue();
        assertThat(work.mismatch(ahead, round)).isEmpty();
        work.fill(ahead, round + 1);
        last = shared.start(ahead);

        assertThat(shared.hasEnded(behind, number)).isTrue();
        assertThat(work.mismatch(behind, round)).isEmpty();
        work.fill(behind, round + 1);
        assertThat(shared.start(behind)).isEqualTo(last);
        assertThat(shared.hasEnded(behind, last) && shared.hasEnded(ahead, last)).isTrue();
        assertThat(work.mismatch(round + 1)).isEmpty();
      }
      assertThat(shared.isShort()).isTrue();
    }
  }

  /** Another rank has computed the operation, was cancelled in the next one, and goes on. */
  @Test
  void anInputStaysUntilTheLastRankHasReadIt() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 1);
        QueuesCase queues = new QueuesCase(2, 1, 8)) {
      QueuesCase.Part ahead = new QueuesCase.Part(work);
      QueuesCase.Part behind = new QueuesCase.Part(work);
      run(queues, List.of(ahead, behind));

      work.fill(2);
      long number = queues.queues.start(1, behind);
      queues.run(0, ahead);
      assertThat(work.mismatch(0, 2)).isEmpty();
      long cancelled = queues.queues.start(0, ahead);
      queues.queues.fail(cancelled, new TuttiException(ErrorCode.CANCELLED, "enough"));
      assertThat(queues.await(0, cancelled)).isEqualTo(OperationQueues.Outcome.ENDED);
      work.fill(0, 4);
      long last = queues.queues.start(0, ahead);

      assertThat(queues.await(1, number)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(work.mismatch(1, 2)).isEmpty();
      queues.run(1, behind);
      assertThat(behind.failure())
          .isNotNull()
          .extracting(TuttiException::code)
          .isEqualTo(ErrorCode.CANCELLED);
      work.fill(1, 4);
      queues.run(1, behind);
      assertThat(queues.await(0, last)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(work.mismatch(4)).isEmpty();
    }
  }

  /** The agreement finds the error, or the run, but not the start of the operation. */
  @Test
  void ranksAgreeIfAnInputCannotBeRead() {
    try (QueuesCase queues = new QueuesCase(2, 1, 4)) {
      AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 1);
      List<QueuesCase.Part> parts = QueuesCase.parts(work);
      try (work) {
        run(queues, parts);
      }
      long number = queues.queues.start(0, parts.get(0));
      queues.run(1, parts.get(1));
      assertThat(queues.await(0, number)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(queues.agreements).hasValue(2);
      assertThat(parts).allMatch(part -> part.failure() != null);
    }
  }

  /** Runs an operation of all ranks in this thread. */
  private static void run(QueuesCase queues, List<QueuesCase.Part> parts) {
    long number = 0;
    for (int rank = 0; rank < parts.size(); rank++) {
      number = queues.queues.start(rank, parts.get(rank));
    }
    for (int rank = 0; rank < parts.size(); rank++) {
      assertThat(queues.await(rank, number)).isEqualTo(OperationQueues.Outcome.ENDED);
      assertThat(parts.get(rank).failure()).isNull();
    }
  }
}
