package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.AllReduceCase;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.TestExecutors;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two ranks start an operation and leave without waiting, while a third thread makes it fail. It
 * ends on both sides, one way or the other, and a rank for which it succeeded has the sum.
 */
@JCStressTest
@State
@Outcome(
    id = {"1, 1", "2, 2", "1, 2", "2, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "each rank has the sum (1) or the failure (2)")
@Outcome(expect = Expect.FORBIDDEN, desc = "a rank was forgotten (0), or its sum is wrong (3)")
public class OperationQueuesStress {

  private static final int RANKS = 2;
  private static final Engine ENGINE = new Engine(new EngineConfig(1, 0, 0, 0, Long.MAX_VALUE));
  private static final GroupPlan PLAN = AllReduceCase.plan(new TestExecutors.Unclosed(), RANKS, 1);
  private static final CompiledPlan COMPILED = queues().compile(PLAN);

  /** Memory of many more states than are in use at once, because native memory is made slowly. */
  private static final int POOL = 1 << 16;

  private static final int OPERAND_BYTES = 64;
  private static final int STATE_BYTES = 2 * RANKS * OPERAND_BYTES;
  private static final MemorySegment MEMORY =
      Arena.global().allocate((long) POOL * STATE_BYTES, OPERAND_BYTES);
  private static final AtomicInteger STATES = new AtomicInteger();

  private final MemorySegment[] outputs = new MemorySegment[RANKS];
  private final Part[] parts = {new Part(), new Part()};
  private final OperationQueues queues = queues();

  private static final class Part extends QueuedOperation {
    @Override
    protected boolean isCurrent() {
      return true;
    }
  }

  /** The ranks bring the same binding, so no agreement is needed. */
  private static final class NoAgreement implements OperationAgreement {
    @Override
    public @Nullable RankBinding agree(long number, List<QueuedOperation> parts) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "nothing to agree on");
    }

    @Override
    public void propose(long number, List<QueuedOperation> parts) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "all ranks are in this process");
    }

    @Override
    public TuttiException failed(long number, Throwable thrown) {
      return new TuttiException(ErrorCode.RUN_FAILED, thrown, "failed");
    }

    @Override
    public void broken(TuttiException failure) {}
  }

  private static OperationQueues queues() {
    return OperationQueues.ofGroup(ENGINE, RANKS, 4, new NoAgreement());
  }

  public OperationQueuesStress() {
    long at = (long) (STATES.getAndIncrement() & POOL - 1) * STATE_BYTES;
    @Nullable MemorySegment[][] memory = new MemorySegment[RANKS][TransportMemType.values().length];
    for (int rank = 0; rank < RANKS; rank++) {
      MemorySegment input = MEMORY.asSlice(at + 2L * rank * OPERAND_BYTES, Integer.BYTES);
      outputs[rank] = MEMORY.asSlice(at + (2L * rank + 1) * OPERAND_BYTES, Integer.BYTES);
      input.set(ValueLayout.JAVA_INT, 0, 11 * (rank + 1));
      outputs[rank].set(ValueLayout.JAVA_INT, 0, 0);
      memory[rank][TransportMemType.PARAM_INPUT.ordinal()] = input;
      memory[rank][TransportMemType.PARAM_OUTPUT.ordinal()] = outputs[rank];
    }
    RankBinding binding =
        ENGINE.bindForRanks(
            RankBinding.nextNumber(),
            COMPILED,
            memory,
            new RankBinding.Traces(Clock.system()),
            this);
    for (Part part : parts) {
      part.agreed(binding);
    }
  }

  @Actor
  public void first() {
    queues.start(0, parts[0]);
  }

  @Actor
  public void second() {
    queues.start(1, parts[1]);
  }

  @Actor
  public void canceller() {
    queues.fail(1, new TuttiException(ErrorCode.CANCELLED, "enough"));
  }

  @Arbiter
  public void result(II_Result result) {
    result.r1 = of(0);
    result.r2 = of(1);
  }

  private int of(int rank) {
    if (!queues.hasEnded(rank, 1)) {
      return 0;
    }
    if (parts[rank].failure() != null) {
      return 2;
    }
    return outputs[rank].get(ValueLayout.JAVA_INT, 0) == 33 ? 1 : 3;
  }
}
