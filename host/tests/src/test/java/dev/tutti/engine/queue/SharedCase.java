package dev.tutti.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.RankBinding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Ranks with separate queues in one shared memory, as in several processes, in one thread. */
final class SharedCase implements AutoCloseable {

  private final AllReduceCase work;
  private final Engine engine = new Engine(new EngineConfig(1, 1_000, 20_000, 0, Long.MAX_VALUE));
  private final List<Rank> ranks = new ArrayList<>();

  SharedCase(AllReduceCase work) {
    this.work = work;
    int count = work.plan().rankSize();
    MemorySegment memory =
        Arena.ofAuto().allocate(OperationQueues.sharedBytes(count, true), QueueCells.LINE);
    long number = RankBinding.nextNumber();
    for (int rank = 0; rank < count; rank++) {
      ranks.add(new Rank(rank, count, memory, number));
    }
  }

  private static final class Part extends QueuedOperation {
    @Override
    protected boolean isCurrent() {
      return true;
    }
  }

  private final class Rank extends ProcessAgreement {
    private final int rank;
    private final OperationQueues queues;
    private final RankBinding binding;
    private final Part part = new Part();

    Rank(int rank, int count, MemorySegment memory, long number) {
      this.rank = rank;
      this.queues = OperationQueues.ofGroup(engine, count, rank, memory, 4, this);
      this.binding =
          engine.bindForRanks(
              number,
              queues.compile(work.plan()),
              work.memory(),
              new RankBinding.Traces(Clock.system()),
              this);
    }

    /** The first operation: all ranks would propose the same. */
    @Override
    public void propose(long number, List<QueuedOperation> parts) {
      parts.forEach(each -> each.agreed(binding));
      queues.decided(number, binding);
    }
  }

  /** Starts the next operation of one rank. */
  long start(int rank) {
    return ranks.get(rank).queues.start(rank, ranks.get(rank).part);
  }

  /** Runs what a rank can do, and tells whether an operation has ended for it. */
  boolean hasEnded(int rank, long number) {
    return ranks.get(rank).queues.test(rank, number);
  }

  /** Runs an operation of all ranks. */
  void run() {
    long number = 0;
    for (Rank each : ranks) {
      number = start(each.rank);
    }
    boolean isDone = false;
    for (int round = 0; !isDone && round < 1_000; round++) {
      isDone = true;
      for (Rank each : ranks) {
        isDone &= hasEnded(each.rank, number);
      }
    }
    assertThat(isDone).isTrue();
    assertThat(ranks).allMatch(each -> each.part.failure() == null);
  }

  boolean isShort() {
    return ranks.getFirst().binding.isShort();
  }

  @Override
  public void close() {
    engine.close();
  }
}
