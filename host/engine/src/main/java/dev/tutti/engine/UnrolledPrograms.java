package dev.tutti.engine;

import dev.tutti.engine.Programs.Program;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Programs that are made by walking the plan. */
final class UnrolledPrograms implements Programs {

  private final int ranks;
  private final Frame.OfPlan frames;
  private final MemorySlots slots;
  private final KernelTable kernels;
  private final RankLists rankLists;
  private final int workers;
  private final boolean calls;

  /**
   * Programs of a plan.
   *
   * @param views the callers' memories of a composition, or null
   * @param divisors the divisors of the plans of a composition that divide
   * @param workers threads that may run a graph
   * @param calls whether the graph calls back when a rank is done
   */
  UnrolledPrograms(
      GroupPlan plan,
      @Nullable ViewTable views,
      IdentityHashMap<RankPlan, Integer> divisors,
      RankLists rankLists,
      int workers,
      boolean calls) {
    this.ranks = plan.rankSize();
    this.frames = new Frame.OfPlan(plan);
    this.slots = new MemorySlots(plan, views);
    this.kernels = new KernelTable(divisors);
    this.rankLists = rankLists;
    this.workers = workers;
    this.calls = calls;
  }

  int ranks() {
    return ranks;
  }

  /** The tasks of all ranks, in one order. */
  TaskArrays whole() {
    return walk(1, new int[ranks]).whole();
  }

  @Override
  public Program lists(int count) {
    ListCompiler compiler = walk(count, ListCompiler.blocks(ranks, count));
    return new Program(compiler.finish(), null, compiler.signals());
  }

  @Override
  public Program forRanks() {
    ListCompiler compiler = walk(rankLists.count(), rankLists.listOf());
    return new Program(compiler.finishClosed(), null, compiler.signals());
  }

  private ListCompiler walk(int count, int[] listOf) {
    ListCompiler compiler = new ListCompiler(count, listOf, slots, kernels);
    Unroller.walk(frames.root(), frames.parts(), compiler);
    return compiler;
  }

  @Override
  public Program graph() {
    GraphCompiler compiler = new GraphCompiler(workers, calls, slots, kernels);
    Unroller.walk(frames.root(), frames.parts(), compiler);
    TaskGraph graph = compiler.finish(ranks, frames.root());
    return new Program(List.of(), graph, compiler.signals());
  }

  @Override
  public RankLists rankLists() {
    return rankLists;
  }

  @Override
  public MemorySlots slots() {
    return slots;
  }

  @Override
  public ReduceKernel[] kernels() {
    return kernels.toArray();
  }

  @Override
  public Frame.OfPlan frames() {
    return frames;
  }
}
