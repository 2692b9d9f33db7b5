package dev.tutti.mutation;

import dev.tutti.sdk.DataType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.element.Block;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Compares the callers' memory after a changed plan with that after the original, byte by byte,
 * over several runs with different data and orders. Before each run, the outputs and all other
 * memory are filled with a byte that differs between runs. Sums of the floating-point inputs round,
 * so that two orders of operands differ, unless exact data is requested.
 */
final class SameResults {

  private static final int RUNS = 4;

  private final DataType type;

  /** Whether no sum of the data rounds, so that the association does not matter. */
  private final boolean isExact;

  /** For each run, the inputs before it. */
  private final List<List<MemorySegment>> inputs = new ArrayList<>();

  /** For each run, the memory after the original plan. */
  private final List<List<MemorySegment>> expected = new ArrayList<>();

  /**
   * Runs the original.
   *
   * @param type the operation's element type
   * @param isExact whether the data is small integers, whose sums do not round
   */
  SameResults(FlatPlan original, DataType type, boolean isExact) {
    this.type = type;
    this.isExact = isExact;
    for (int seed = 1; seed <= RUNS; seed++) {
      inputs.add(inputs(original, seed));
      List<MemorySegment> results = results(original, seed);
      if (results.isEmpty()) {
        throw new IllegalArgumentException("the plan does not run to its end: " + original.plan());
      }
      expected.add(results);
    }
  }

  /** Whether all runs of a changed plan give the same memory as those of the original. */
  boolean areThoseOf(FlatPlan changed) {
    for (int seed = 1; seed <= RUNS; seed++) {
      List<MemorySegment> wanted = expected.get(seed - 1);
      List<MemorySegment> results = results(changed, seed);
      if (results.isEmpty()) {
        return false;
      }
      for (int i = 0; i < wanted.size(); i++) {
        if (wanted.get(i).mismatch(results.get(i)) >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** All inputs and outputs after one run; empty if the run got stuck or lost a signal. */
  private List<MemorySegment> results(FlatPlan plan, int seed) {
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    memory.poison(seed);
    List<MemorySegment> data = inputs.get(seed - 1);
    for (int i = 0; i < data.size(); i++) {
      memory.inputs().get(i).copyFrom(data.get(i));
    }
    PlanInterpreter.Outcome outcome = interpreter.run(seed, memory);
    if (!outcome.isComplete() || !outcome.findings().isEmpty()) {
      return List.of();
    }
    List<MemorySegment> results = new ArrayList<>(memory.inputs());
    results.addAll(memory.outputs());
    return results;
  }

  private List<MemorySegment> inputs(FlatPlan plan, int seed) {
    List<MemorySegment> filled = new PlanInterpreter(plan).allocate().inputs();
    Random random = new Random(seed);
    Block block = new Block();
    filled.forEach(input -> fill(input, random, block));
    return filled;
  }

  private void fill(MemorySegment input, Random random, Block block) {
    long count = input.byteSize() / type.size();
    for (long done = 0; done < count; done += Block.SIZE) {
      int n = (int) Math.min(Block.SIZE, count - done);
      for (int i = 0; i < n; i++) {
        block.integers[i] = random.nextLong();
        block.reals[i] = isExact ? random.nextInt(-8, 9) : random.nextGaussian();
      }
      block.store(type, input, done * type.size(), n);
    }
  }
}
