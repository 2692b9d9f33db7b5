package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.RandomExecutor;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.TestExecutors;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueRunnerTest {

  private static final int RANKS = 4;
  private static final String IN_THE_MIDDLE = ", at task ";

  /** One operation, which all ranks have started with the same binding. */
  private static class Started implements OperationSource {

    final @Nullable RankBinding binding;

    Started(@Nullable RankBinding binding) {
      this.binding = binding;
    }

    @Override
    public boolean hasStarted(int queue, long number) {
      return number == 1;
    }

    @Override
    public @Nullable RankBinding brought(int queue, long number) {
      return binding;
    }

    @Override
    public RankBinding known(long number) {
      throw new AssertionError("all ranks are in this process");
    }

    @Override
    public @Nullable RankBinding agree(long number) {
      return binding;
    }

    @Override
    public void propose(long number) {
      throw new AssertionError("all ranks are in this process");
    }

    @Override
    public TuttiException failed(long number, Throwable thrown) {
      throw new AssertionError(thrown);
    }

    @Override
    public void broken(TuttiException failure) {
      throw failure;
    }

    @Override
    public void begin(int queue, long number) {}

    @Override
    public void end(int queue, long number, @Nullable TuttiException failure) {
      assertThat(failure).isNull();
    }
  }

  /** A first operation that all agree on, and one that no rank of the last queue knows. */
  private static final class Unknown extends Started {

    final List<Integer> begun = new ArrayList<>();
    private long last = 1;

    Unknown(RankBinding binding) {
      super(binding);
    }

    @Override
    public boolean hasStarted(int queue, long number) {
      return number <= last;
    }

    @Override
    public @Nullable RankBinding brought(int queue, long number) {
      return number == 1 || queue == RANKS - 1 ? null : binding;
    }

    @Override
    public @Nullable RankBinding agree(long number) {
      return number == 1 ? binding : null;
    }

    @Override
    public void begin(int queue, long number) {
      if (number == 2) {
        begun.add(queue);
      }
    }
  }

  /**
   * The last queue finds that there is nothing to run, and leaves. The others no longer see what it
   * brought, but may not run what they brought.
   */
  @Test
  void aQueueThatHasLeftHasDecidedForAll() {
    try (AllReduceCase work = work(1);
        QueuesCase queues = new QueuesCase(RANKS, 2, 4)) {
      Unknown source = new Unknown(bind(queues, work));
      QueueRunner runner = runner(source);
      while (IntStream.range(0, RANKS).anyMatch(queue -> !runner.hasEnded(queue, 1))) {
        IntStream.range(0, RANKS).forEach(runner::run);
      }
      source.last = 2;
      for (int round = 0; round < 2; round++) {
        IntStream.range(0, RANKS).forEach(runner::run);
      }
      assertThat(IntStream.range(0, RANKS)).allMatch(queue -> runner.hasEnded(queue, 2));
      assertThat(source.begun).isEmpty();
    }
  }

  /** One operation that fails while all queues are in it. */
  private static final class Failing extends Started {

    final List<Integer> ended = new ArrayList<>();

    Failing(RankBinding binding) {
      super(binding);
    }

    @Override
    public void end(int queue, long number, @Nullable TuttiException failure) {
      assertThat(failure).isNotNull();
      ended.add(queue);
    }
  }

  /** Until then, the other queues may still write into the memory of its ranks. */
  @Test
  void aFailureEndsForAQueueWhenNoOtherIsAtWork() {
    try (AllReduceCase work = work(1);
        QueuesCase queues = new QueuesCase(RANKS, 2, 4)) {
      Failing source = new Failing(bind(queues, work));
      QueueRunner runner = runner(source);
      for (int queue = 0; queue < RANKS; queue++) {
        boolean ignored = runner.run(queue);
        assertThat(runner.hasEntered(queue, 1)).isTrue();
        assertThat(runner.hasEnded(queue, 1)).isFalse();
      }
      assertThat(runner.failures().add(1, new TuttiException(ErrorCode.CANCELLED, "over")))
          .isTrue();

      for (int queue = 0; queue < RANKS; queue++) {
        assertThat(source.ended).isEmpty();
        boolean ignored = runner.run(queue);
      }
      IntStream.range(0, RANKS).forEach(runner::run);
      assertThat(source.ended).hasSize(RANKS);
      assertThat(runner.failures().areThereAny()).isFalse();
    }
  }

  /** Two short operations; in the second, the other rank is cancelled while the first computes. */
  private static final class Cancelled extends Started {

    final List<Long> failed = new ArrayList<>();
    private @Nullable QueueRunner runner;
    private long last = 1;

    Cancelled(RankBinding binding) {
      super(binding);
    }

    @Override
    public boolean hasStarted(int queue, long number) {
      return number <= last;
    }

    @Override
    public void begin(int queue, long number) {
      QueueRunner own = runner;
      if (own != null && number == 2) {
        assertThat(own.failures().add(2, new TuttiException(ErrorCode.CANCELLED, "over"))).isTrue();
        boolean ignored = own.run(1 - queue);
        assertThat(own.hasEnded(1 - queue, 2)).isFalse();
        assertThat(own.isReady(1 - queue)).isFalse();
      }
    }

    @Override
    public void end(int queue, long number, @Nullable TuttiException failure) {
      if (failure != null) {
        failed.add(number);
      }
    }
  }

  /** It does not show in its line that it has left. */
  @Test
  void aQueueThatWaitsForTheEndOfAShortOperationSeesIt() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Unclosed(), 2, 1);
        QueuesCase queues = new QueuesCase(2, 2, 4)) {
      RankBinding binding = bind(queues, work);
      assertThat(binding.isShort()).isTrue();
      Cancelled source = new Cancelled(binding);
      QueueRunner runner = new QueueRunner(QueueLines.ofHeap(2, 2), 1, source, queue -> {});
      for (int i = 0; i < 4; i++) {
        boolean ignored = runner.run(i % 2);
      }
      assertThat(runner.hasEnded(0, 1) && runner.hasEnded(1, 1)).isTrue();
      source.runner = runner;
      source.last = 2;
      boolean ignored = runner.run(1);
      ignored = runner.run(0);
      assertThat(runner.hasEnded(0, 2)).isTrue();
      assertThat(source.failed).isEmpty();
      assertThat(runner.isReady(1)).isTrue();
      ignored = runner.run(1);
      assertThat(runner.hasEnded(1, 2)).isTrue();
      assertThat(source.failed).containsExactly(2L);
    }
  }

  @Test
  void whatMetLastMayRunTheOthersFirst() {
    try (AllReduceCase work = AllReduceCase.of(new TestExecutors.Star(), 2, 64);
        QueuesCase queues = new QueuesCase(2, 2, 4)) {
      RankBinding binding = bind(queues, work);
      assertThat(binding.isShort()).isFalse();
      Cancelled source = new Cancelled(binding);
      QueueRunner[] runner = new QueueRunner[1];
      List<Integer> before = new ArrayList<>();
      runner[0] =
          new QueueRunner(
              QueueLines.ofHeap(2, 2),
              1,
              source,
              queue -> {
                before.add(queue);
                if (queue == 1 && source.last == 2) {
                  assertThat(runner[0].isReady(1)).as("it is claimed").isFalse();
                  assertThat(runner[0].run(0)).as("queue 0 begins").isTrue();
                }
              });
      work.fill(0);
      for (int i = 0; i < 8; i++) {
        boolean ignored = runner[0].run(i % 2);
      }
      assertThat(runner[0].hasEnded(0, 1) && runner[0].hasEnded(1, 1)).isTrue();
      before.clear();
      source.last = 2;
      boolean ignored = runner[0].run(0);
      assertThat(before).as("queue 1 is missing").isEmpty();
      ignored = runner[0].run(1);
      assertThat(before).containsExactly(1, 0);
      ignored = runner[0].run(0);
      ignored = runner[0].run(1);
      assertThat(runner[0].hasEnded(0, 2) && runner[0].hasEnded(1, 2)).isTrue();
      assertThat(work.mismatch(0)).isEmpty();
    }
  }

  private static AllReduceCase work(long seed) {
    long count = (long) RandomExecutor.CELLS * 64 / Integer.BYTES;
    return new AllReduceCase(AllReduceCase.plan(new RandomExecutor(seed), RANKS, count), count);
  }

  private static QueueRunner runner(OperationSource source) {
    return new QueueRunner(QueueLines.ofHeap(RANKS, RANKS), 1, source, queue -> {});
  }

  private static RankBinding bind(QueuesCase queues, AllReduceCase work) {
    return queues.engine.bindForRanks(
        RankBinding.nextNumber(),
        queues.queues.compile(work.plan()),
        work.memory(),
        new RankBinding.Traces(Clock.system()),
        work);
  }

  /** Threads that wait for its signals are woken only if it reports progress. */
  @Test
  void aListThatWaitsAgainHasGotOn() {
    int steps = 0;
    for (long seed = 0; seed < 20; seed++) {
      steps += steps(seed);
    }
    assertThat(steps).isPositive();
  }

  /** A queue may begin to wait for a message while another thread reads what it waits for. */
  @Test
  void aLookAtAQueueIsRightWhileItComesToAMessage() throws Exception {
    QueueLines lines = QueueLines.apart(2, new int[] {0, 1}, (number, failure) -> {});
    QueueRunner runner = new QueueRunner(lines, 1, new Started(null), queue -> {});
    QueueStates states = new QueueStates(lines.states());
    AtomicBoolean isOver = new AtomicBoolean();
    FutureTask<Void> looks =
        new FutureTask<>(
            () -> {
              while (!isOver.get()) {
                boolean ignored = runner.isReady(0) || runner.hasCome(0);
              }
              return null;
            });
    Thread.ofPlatform().daemon().start(looks);
    for (int i = 0; i < 1_000_000 && !looks.isDone(); i++) {
      states.block(0, QueueStates.OUTSIDE, 1, i);
      states.block(0, QueueStates.OUTSIDE, RankBinding.MESSAGE, 0);
    }
    isOver.set(true);
    looks.get(1, TimeUnit.MINUTES);
  }

  /** Runs a plan; gives how often a list has gone from one wait to a later one. */
  private static int steps(long seed) {
    int steps = 0;
    try (AllReduceCase work = work(seed);
        QueuesCase queues = new QueuesCase(RANKS, 2, 4)) {
      QueueRunner runner = runner(new Started(bind(queues, work)));
      while (IntStream.range(0, RANKS).anyMatch(queue -> !runner.hasEnded(queue, 1))) {
        for (int queue = 0; queue < RANKS; queue++) {
          String before = runner.report().doing(queue, 1);
          boolean gotOn = runner.run(queue);
          String after = runner.report().doing(queue, 1);
          if (!before.equals(after)) {
            assertThat(gotOn).as("queue %d, %s, %s", queue, before, after).isTrue();
            steps += before.contains(IN_THE_MIDDLE) && after.contains(IN_THE_MIDDLE) ? 1 : 0;
          }
        }
      }
    }
    return steps;
  }
}
