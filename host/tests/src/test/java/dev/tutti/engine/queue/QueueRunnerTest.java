package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.RandomExecutor;
import dev.tutti.engine.RankBinding;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.TuttiException;
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
  private record Started(@Nullable RankBinding binding) implements QueueRunner.Source {

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
    QueueRunner runner = new QueueRunner(lines, 1, new Started(null));
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
      states.block(0, 1, i);
      states.block(0, RankBinding.MESSAGE, 0);
    }
    isOver.set(true);
    looks.get(1, TimeUnit.MINUTES);
  }

  /** Runs a plan; gives how often a list has gone from one wait to a later one. */
  private static int steps(long seed) {
    long count = (long) RandomExecutor.CELLS * 64 / Integer.BYTES;
    GroupPlan plan = AllReduceCase.plan(new RandomExecutor(seed), RANKS, count);
    int steps = 0;
    try (AllReduceCase work = new AllReduceCase(plan, count);
        QueuesCase queues = new QueuesCase(RANKS, 2, 4)) {
      RankBinding binding =
          queues.engine.bindForRanks(
              RankBinding.nextNumber(),
              queues.queues.compile(plan),
              work.memory(),
              new RankBinding.Traces(Clock.system()),
              work);
      QueueRunner runner =
          new QueueRunner(QueueLines.ofHeap(RANKS, RANKS), 1, new Started(binding));
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
