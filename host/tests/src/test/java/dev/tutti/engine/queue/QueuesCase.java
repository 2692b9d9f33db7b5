package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.RankBinding;
import dev.tutti.host.Await;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Operation queues of some ranks, whose parts show where they belong. */
final class QueuesCase implements AutoCloseable, OperationAgreement {

  static final long MINUTE = 60_000_000_000L;

  final Engine engine;
  final OperationQueues queues;
  private final List<Thread> helpers;
  final AtomicInteger agreements = new AtomicInteger();
  volatile @Nullable TuttiException broken;

  QueuesCase(int ranks, int workers, int capacity) {
    this(ranks, workers, capacity, Waiting.system());
  }

  QueuesCase(int ranks, int workers, int capacity, Waiting waiting) {
    Set<Thread> others = Thread.getAllStackTraces().keySet();
    this.engine = new Engine(new EngineConfig(workers, 1_000, 20_000, 0, Long.MAX_VALUE), waiting);
    this.helpers =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("tutti-engine-"))
            .filter(thread -> !others.contains(thread))
            .toList();
    this.queues = OperationQueues.ofGroup(engine, ranks, capacity, this);
  }

  /** Waits until all helpers sleep, except those of other engines. */
  void awaitSleepOfHelpers() {
    Await.until(
        () -> helpers.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
  }

  /** One rank's part in an all-reduce on separate memory. */
  static final class Part extends QueuedOperation {
    final AllReduceCase work;
    volatile boolean isCurrent = true;

    /** What happens if somebody asks whether it is current. */
    volatile @Nullable RuntimeException error;

    Part(AllReduceCase work) {
      this.work = work;
    }

    @Override
    protected boolean isCurrent() {
      RuntimeException thrown = error;
      if (thrown != null) {
        throw thrown;
      }
      return isCurrent;
    }
  }

  /** The parts of all ranks. */
  static List<Part> parts(AllReduceCase work) {
    List<Part> parts = new ArrayList<>();
    for (int rank = 0; rank < work.plan().rankSize(); rank++) {
      parts.add(new Part(work));
    }
    return parts;
  }

  @Override
  public @Nullable RankBinding agree(long number, List<QueuedOperation> parts) {
    agreements.getAndIncrement();
    AllReduceCase work = ((Part) parts.getFirst()).work;
    for (QueuedOperation part : parts) {
      if (((Part) part).work != work) {
        throw new TuttiException(ErrorCode.CALL_MISMATCH, "operation %d differs", number);
      }
      ((Part) part).isCurrent = true;
    }
    return bind(work.plan(), work);
  }

  private RankBinding bind(GroupPlan plan, AllReduceCase work) {
    return engine.bindForRanks(
        RankBinding.nextNumber(),
        queues.compile(plan),
        work.memory(),
        new RankBinding.Traces(Clock.system()),
        work);
  }

  @Override
  public void propose(long number, List<QueuedOperation> parts) {
    throw new AssertionError("all ranks are in this process");
  }

  @Override
  public TuttiException failed(long number, Throwable thrown) {
    return new TuttiException(ErrorCode.RUN_FAILED, thrown, "operation %d: %s", number, thrown);
  }

  @Override
  public void broken(TuttiException failure) {
    broken = failure;
  }

  OperationQueues.Outcome await(int rank, long number) {
    return queues.await(rank, number, queues.newIdler(rank), MINUTE);
  }

  /** Starts and awaits. */
  void run(int rank, Part part) {
    long number = queues.start(rank, part);
    OperationQueues.Outcome outcome = await(rank, number);
    if (outcome != OperationQueues.Outcome.ENDED) {
      throw new AssertionError("operation " + number + " of rank " + rank + ": " + outcome);
    }
  }

  /** Runs a body per rank on separate threads; throws the exception of the first one. */
  static void onThreads(int ranks, boolean areVirtual, IntConsumer body) throws Exception {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int each = 0; each < ranks; each++) {
      int rank = each;
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                body.accept(rank);
                return null;
              });
      tasks.add(task);
      (areVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).start(task);
    }
    for (FutureTask<Void> task : tasks) {
      try {
        task.get(5, TimeUnit.MINUTES);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw e;
      }
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
