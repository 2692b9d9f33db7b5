package dev.tutti.engine;

import dev.tutti.base.idle.Waiting;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads run the lists of an all-reduce, which wait for each other. Each thread ends as soon
 * as it can do nothing, and never returns: when both have ended, everything must be done.
 */
@JCStressTest
@State
@Outcome(id = "1, 33, 33", expect = Expect.ACCEPTABLE, desc = "done, with the right sums")
@Outcome(id = "0, .*", expect = Expect.FORBIDDEN, desc = "a list was forgotten")
@Outcome(expect = Expect.FORBIDDEN, desc = "data did not travel with the claim or the progress")
public class ListRunStress {

  private static final int RANKS = 2;
  private static final GroupPlan PLAN = AllReduceCase.plan(new TestExecutors.Star(), RANKS, 1);
  private static final CompiledPlan COMPILED = compile();

  /** Memory of many more states than are in use at once, because native memory is made slowly. */
  private static final int POOL = 1 << 16;

  private static final int STATE_BYTES = 256;
  private static final int OPERAND_BYTES = 64;
  private static final MemorySegment MEMORY =
      Arena.global().allocate((long) POOL * STATE_BYTES, OPERAND_BYTES);
  private static final AtomicInteger STATES = new AtomicInteger();

  private final MemorySegment[] inputs = new MemorySegment[RANKS];
  private final MemorySegment[] outputs = new MemorySegment[RANKS];
  private final ListRun run;

  public ListRunStress() {
    long at = (long) (STATES.getAndIncrement() & POOL - 1) * STATE_BYTES;
    @Nullable MemorySegment[][] memory = new MemorySegment[RANKS][TransportMemType.values().length];
    for (int rank = 0; rank < RANKS; rank++) {
      inputs[rank] = MEMORY.asSlice(at + 2L * rank * OPERAND_BYTES, Integer.BYTES);
      outputs[rank] = MEMORY.asSlice(at + (2L * rank + 1) * OPERAND_BYTES, Integer.BYTES);
      inputs[rank].set(ValueLayout.JAVA_INT, 0, 11 * (rank + 1));
      outputs[rank].set(ValueLayout.JAVA_INT, 0, 0);
      memory[rank][TransportMemType.PARAM_INPUT.ordinal()] = inputs[rank];
      memory[rank][TransportMemType.PARAM_OUTPUT.ordinal()] = outputs[rank];
    }
    run =
        (ListRun)
            COMPILED.newRun(COMPILED.slots().bind(memory), new ArrayList<>(), Waiting.system());
    run.begin(Long.MAX_VALUE);
  }

  /** Two lists, although the plan is too small to be worth them. */
  private static CompiledPlan compile() {
    Programs programs =
        new UnrolledPrograms(
            PLAN, null, new IdentityHashMap<>(), Programs.RankLists.NONE, RANKS, false);
    Programs.Program program = programs.lists(RANKS);
    return new CompiledPlan(
        programs.slots(),
        programs.frames(),
        programs.kernels(),
        program,
        Programs.RankLists.NONE,
        null,
        RANKS,
        false);
  }

  private void help(int worker) {
    while (run.help(worker)) {}
  }

  @Actor
  public void caller() {
    help(0);
  }

  @Actor
  public void helper() {
    help(1);
  }

  @Arbiter
  public void result(III_Result result) {
    result.r1 = run.isDone() ? 1 : 0;
    result.r2 = outputs[0].get(ValueLayout.JAVA_INT, 0);
    result.r3 = outputs[1].get(ValueLayout.JAVA_INT, 0);
  }
}
