package dev.tutti.host.engine;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;

/** Turns plans into programs, and chooses how they run. */
final class PlanCompiler {

  private static final int MAX_LISTS = 16;

  /** What a task costs beside its bytes, in bytes. */
  private static final long TASK_BYTES = 512;

  /** How much longer than a fair share the work of one thread may take before lists are given up. */
  private static final double MAX_IMBALANCE = 1.25;

  private PlanCompiler() {}

  static CompiledPlan compile(GroupPlan plan, CompileOptions options, EngineConfig config) {
    boolean hasCalls = options.rankDone() != null;
    if (hasCalls && options.mode() == CompileOptions.Mode.STATIC) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "callbacks need the dynamic mode. Actual: static");
    }
    List<Frame.Part> parts = new ArrayList<>();
    Frame root = Frame.open(plan, parts);
    long traffic = traffic(parts);
    boolean isSpread = config.workers() > 1 && traffic >= config.parallelBytes();
    if (hasCalls || options.mode() == CompileOptions.Mode.DYNAMIC) {
      return dynamic(plan, root, parts, options, config);
    }
    int lists = isSpread ? Math.min(plan.rankSize(), Math.min(MAX_LISTS, 2 * config.workers())) : 1;
    MemorySlots slots = new MemorySlots(plan);
    KernelTable kernels = new KernelTable();
    ListCompiler compiler = new ListCompiler(lists, plan.rankSize(), slots, kernels);
    Unroller.walk(root, parts, compiler);
    List<ListProgram> programs = compiler.finish();
    if (isSpread
        && options.mode() == CompileOptions.Mode.AUTO
        && imbalance(programs, config.workers()) > MAX_IMBALANCE) {
      return dynamic(plan, root, parts, options, config);
    }
    return new CompiledPlan(
        slots, parts, kernels.toArray(), programs, null, null, config.workers());
  }

  private static CompiledPlan dynamic(
      GroupPlan plan,
      Frame root,
      List<Frame.Part> parts,
      CompileOptions options,
      EngineConfig config) {
    MemorySlots slots = new MemorySlots(plan);
    KernelTable kernels = new KernelTable();
    GraphCompiler compiler =
        new GraphCompiler(config.workers(), options.rankDone() != null, slots, kernels);
    Unroller.walk(root, parts, compiler);
    return new CompiledPlan(
        slots,
        parts,
        kernels.toArray(),
        List.of(),
        compiler.finish(plan.rankSize(), root),
        options.rankDone(),
        config.workers());
  }

  /** Bytes that all data actions move. */
  private static long traffic(List<Frame.Part> parts) {
    long bytes = 0;
    for (Frame.Part part : parts) {
      RankPlan plan = part.plan;
      for (int action = 0; action < plan.actionCount(); action++) {
        if (plan.kind(action).isData()) {
          bytes += (1L + plan.sourceCount(action)) * plan.bytes(action);
        }
      }
    }
    return bytes;
  }

  /** The longest thread's work over the fair share, if threads take the longest list first. */
  private static double imbalance(List<ListProgram> programs, int workers) {
    long[] work =
        programs.stream().mapToLong(program -> work(program.tasks())).sorted().toArray();
    long[] load = new long[workers];
    long total = 0;
    for (int i = work.length - 1; i >= 0; i--) {
      int least = 0;
      for (int w = 1; w < workers; w++) {
        least = load[w] < load[least] ? w : least;
      }
      load[least] += work[i];
      total += work[i];
    }
    long longest = 0;
    for (long l : load) {
      longest = Math.max(longest, l);
    }
    return total == 0 ? 1 : (double) longest * workers / total;
  }

  private static long work(TaskArrays tasks) {
    long work = 0;
    for (int task = 0; task < tasks.size; task++) {
      work += tasks.traffic(task) + TASK_BYTES;
    }
    return work;
  }
}
