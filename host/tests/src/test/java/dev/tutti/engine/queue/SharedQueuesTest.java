package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Ranks in several processes, which agree in messages: none begins what another cannot begin yet,
 * because a rank that has ended its part may free memory that the other has not mapped.
 */
final class SharedQueuesTest {

  private static final int RANKS = 3;
  private static final int LAST = RANKS - 1;

  private final MemorySegment memory =
      Arena.ofAuto().allocate(OperationQueues.sharedBytes(RANKS, false), QueueCells.LINE);
  private final List<Process> processes = new ArrayList<>();

  SharedQueuesTest() {
    for (int rank = 0; rank < RANKS; rank++) {
      processes.add(new Process(rank, memory));
    }
  }

  @AfterEach
  void close() {
    processes.forEach(each -> each.engine.close());
  }

  /** A process with one rank, which only proposes. */
  private static final class Process extends ProcessAgreement {
    private final Engine engine = new Engine(new EngineConfig(1, 1_000, 20_000, 0, Long.MAX_VALUE));
    private final int rank;
    private final OperationQueues queues;
    private final Part part = new Part();
    private int proposals;

    Process(int rank, MemorySegment memory) {
      this.rank = rank;
      this.queues = OperationQueues.ofGroup(engine, RANKS, rank, memory, 4, this);
    }

    long start() {
      return queues.start(rank, part);
    }

    boolean hasEnded(long number) {
      return queues.test(rank, number);
    }

    @Override
    public void propose(long number, List<QueuedOperation> parts) {
      proposals++;
    }
  }

  private static final class Part extends QueuedOperation {
    @Override
    protected boolean isCurrent() {
      return false;
    }
  }

  /** Starts the next operation in all processes; all but the last decide on it. */
  private long startAndDecideInAllButTheLast() {
    long number = 0;
    for (Process each : processes) {
      number = each.start();
    }
    for (Process each : processes) {
      assertThat(each.hasEnded(number)).isFalse();
      assertThat(each.proposals).isEqualTo(number);
    }
    for (Process each : processes.subList(0, LAST)) {
      each.queues.decided(number, null);
    }
    return number;
  }

  @Test
  void anOperationBeginsWhenAllProcessesHaveDecidedOnIt() {
    for (int round = 0; round < 3; round++) {
      long number = startAndDecideInAllButTheLast();
      assertThat(processes).noneMatch(each -> each.hasEnded(number));
      processes.getLast().queues.decided(number, null);
      assertThat(processes).allMatch(each -> each.hasEnded(number));
      assertThat(processes).allMatch(each -> each.part.failure() == null);
    }
  }

  @Test
  void anOperationThatOneProcessCannotRunFailsForAllBeforeItBegins() {
    long number = startAndDecideInAllButTheLast();
    TuttiException failure = new TuttiException(ErrorCode.OUT_OF_MEMORY, "no room");
    assertThat(processes.getLast().queues.fail(number, failure)).isTrue();
    for (int round = 0; round < 2; round++) {
      processes.forEach(each -> each.hasEnded(number));
    }
    for (Process each : processes) {
      assertThat(each.hasEnded(number)).isTrue();
      assertThat(each.part.hasBegun()).isFalse();
      assertThat(each.part.failure()).hasMessage("no room");
    }
  }

  /** Its rank may close the group, although others have not left the failed operation yet. */
  @Test
  void aQueueThatWaitsForOthersToLeaveIsNotAtWork() {
    long number = startAndDecideInAllButTheLast();
    Process first = processes.getFirst();
    assertThat(first.queues.fail(number, new TuttiException(ErrorCode.CANCELLED, "over"))).isTrue();
    assertThat(first.hasEnded(number)).as("the others are inside").isFalse();
    assertThat(first.queues.isRunning()).isFalse();
    processes.forEach(each -> each.hasEnded(number));
    assertThat(first.hasEnded(number)).isTrue();
  }

  /** Threads that wait may sleep, and the last process to decide wakes them. */
  @Test
  void theLastDecisionWakesTheOthers() throws Exception {
    long number = startAndDecideInAllButTheLast();
    List<FutureTask<OperationQueues.Outcome>> waiting = new ArrayList<>();
    for (Process each : processes) {
      FutureTask<OperationQueues.Outcome> task =
          new FutureTask<>(
              () ->
                  each.queues.await(
                      each.rank, number, each.queues.newIdler(each.rank), QueuesCase.MINUTE));
      waiting.add(task);
      Thread.ofPlatform().daemon().start(task);
    }
    processes.getLast().queues.decided(number, null);
    for (FutureTask<OperationQueues.Outcome> each : waiting) {
      assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo(OperationQueues.Outcome.ENDED);
    }
  }
}
