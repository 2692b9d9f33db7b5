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
 * Two ranks start an operation that they know, and leave without waiting while one of them also
 * interferes. It ends on both sides, and a rank for which it succeeded has the sum. Only tests of
 * two actors run on a machine with two processors.
 */
public class OperationQueuesStress {

  private static final int RANKS = 2;
  private static final Engine ENGINE = new Engine(new EngineConfig(1, 0, 0, 0, Long.MAX_VALUE));

  /** Memory of many more states than are in use at once, because native memory is made slowly. */
  private static final int POOL = 1 << 16;

  private static final int OPERAND_BYTES = 64;
  private static final int STATE_BYTES = 2 * RANKS * OPERAND_BYTES;
  private static final MemorySegment MEMORY =
      Arena.global().allocate((long) POOL * STATE_BYTES, OPERAND_BYTES);
  private static final AtomicInteger STATES = new AtomicInteger();

  private OperationQueuesStress() {}

  /** The ranks run their lists; the operation is cancelled. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 1", "2, 2", "1, 2", "2, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "each rank has the sum (1) or the failure (2)")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a rank hangs (0), or its sum is wrong (3)")
  public static class Lists extends Case {

    private static final CompiledPlan COMPILED = compiled(OPERAND_BYTES / Integer.BYTES);

    public Lists() {
      super(COMPILED, false);
    }

    @Actor
    public void first() {
      start(0);
    }

    @Actor
    public void second() {
      startAnd(this::cancel);
    }

    @Arbiter
    public void result(II_Result result) {
      result.r1 = of(0);
      result.r2 = of(1);
    }
  }

  /** The ranks compute their results from the inputs that both show; it is cancelled. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 1", "2, 2", "1, 2", "2, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "each rank has the sum (1) or the failure (2)")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a rank hangs (0), or its sum is wrong (3)")
  public static class Short extends Case {

    private static final CompiledPlan COMPILED = compiled(1);

    public Short() {
      super(COMPILED, true);
    }

    @Actor
    public void first() {
      start(0);
    }

    @Actor
    public void second() {
      startAnd(this::cancel);
    }

    @Arbiter
    public void result(II_Result result) {
      result.r1 = of(0);
      result.r2 = of(1);
    }
  }

  /** The same; the gate is closed in between. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each rank has the sum")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a rank hangs (0), failed (2), or is wrong (3)")
  public static class Closed extends Case {

    private static final CompiledPlan COMPILED = compiled(1);

    public Closed() {
      super(COMPILED, true);
    }

    @Actor
    public void first() {
      start(0);
    }

    @Actor
    public void second() {
      startAnd(queues::close);
    }

    @Arbiter
    public void result(II_Result result) {
      result.r1 = of(0);
      result.r2 = of(1);
    }
  }

  private static CompiledPlan compiled(int count) {
    GroupPlan plan = AllReduceCase.plan(new TestExecutors.Unclosed(), RANKS, count);
    return Case.queues().compile(plan);
  }

  /** Queues with one ended operation, whose binding both ranks bring to the next one. */
  static class Case {

    final OperationQueues queues = queues();
    private final MemorySegment[] inputs = new MemorySegment[RANKS];
    private final MemorySegment[] outputs = new MemorySegment[RANKS];
    private final Part[] parts = {new Part(), new Part()};
    private final boolean interferesFirst;

    Case(CompiledPlan compiled, boolean isShort) {
      int state = STATES.getAndIncrement();
      interferesFirst = state % 2 == 0;
      long at = (long) (state & POOL - 1) * STATE_BYTES;
      @Nullable MemorySegment[][] memory =
          new MemorySegment[RANKS][TransportMemType.values().length];
      for (int rank = 0; rank < RANKS; rank++) {
        inputs[rank] = MEMORY.asSlice(at + 2L * rank * OPERAND_BYTES, OPERAND_BYTES);
        outputs[rank] = MEMORY.asSlice(at + (2L * rank + 1) * OPERAND_BYTES, OPERAND_BYTES);
        inputs[rank].set(ValueLayout.JAVA_INT, 0, 5 * (rank + 1));
        memory[rank][TransportMemType.PARAM_INPUT.ordinal()] = inputs[rank];
        memory[rank][TransportMemType.PARAM_OUTPUT.ordinal()] = outputs[rank];
      }
      RankBinding binding =
          ENGINE.bindForRanks(
              RankBinding.nextNumber(),
              compiled,
              memory,
              new RankBinding.Traces(Clock.system()),
              this);
      for (int rank = 0; rank < RANKS; rank++) {
        parts[rank].agreed(binding);
        start(rank);
      }
      if (binding.isShort() != isShort || of(0, 1, 15) != 1 || of(1, 1, 15) != 1) {
        throw new IllegalStateException("the first operation has not ended as expected");
      }
      for (int rank = 0; rank < RANKS; rank++) {
        outputs[rank].set(ValueLayout.JAVA_INT, 0, 0);
        inputs[rank].set(ValueLayout.JAVA_INT, 0, 11 * (rank + 1));
      }
    }

    private static OperationQueues queues() {
      return OperationQueues.ofGroup(ENGINE, RANKS, 4, new SameBinding());
    }

    final void start(int rank) {
      queues.start(rank, parts[rank]);
    }

    /** Starts the second rank, and interferes before or after that. */
    final void startAnd(Runnable interference) {
      if (interferesFirst) {
        interference.run();
      }
      start(1);
      if (!interferesFirst) {
        interference.run();
      }
    }

    final void cancel() {
      queues.fail(2, new TuttiException(ErrorCode.CANCELLED, "enough"));
    }

    final int of(int rank) {
      return of(rank, 2, 33);
    }

    private int of(int rank, long number, int sum) {
      if (!queues.test(rank, number)) {
        return 0;
      }
      if (parts[rank].failure() != null) {
        return 2;
      }
      return outputs[rank].get(ValueLayout.JAVA_INT, 0) == sum ? 1 : 3;
    }
  }

  private static final class Part extends QueuedOperation {
    @Override
    protected boolean isCurrent() {
      return true;
    }
  }

  /** The ranks agree on the binding that they have. */
  private static final class SameBinding implements OperationAgreement {
    @Override
    public @Nullable RankBinding agree(long number, List<QueuedOperation> parts) {
      return parts.getFirst().binding();
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
}
