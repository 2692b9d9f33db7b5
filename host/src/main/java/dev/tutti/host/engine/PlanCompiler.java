package dev.tutti.host.engine;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/** Turns plans into programs, and chooses how they run. */
final class PlanCompiler {

  private static final int MAX_LISTS = 16;

  /** What a task costs beside its bytes, in bytes. */
  private static final long TASK_BYTES = 512;

  /** Work between waits below which a worker gets one list only, in bytes. */
  private static final long MIN_WORK_PER_WAIT = 256 << 10;

  /** Work between waits below which one worker does everything, in bytes. */
  private static final long MIN_WORK_PER_WAIT_PAIRED = 16 << 10;

  /**
   * How much longer than a fair share the work of one thread may take before lists are given up.
   */
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
    MemorySlots slots = new MemorySlots(plan);
    KernelTable kernels = new KernelTable();
    List<ListProgram> programs =
        lists(plan, root, parts, slots, kernels, isSpread ? config.workers() : 1);
    boolean isTightlyCoupled = programs.size() == 1 && plan.rankSize() > 1;
    if (isSpread
        && !isTightlyCoupled
        && options.mode() == CompileOptions.Mode.AUTO
        && imbalance(programs, config.workers()) > MAX_IMBALANCE) {
      return dynamic(plan, root, parts, options, config);
    }
    return new CompiledPlan(
        slots,
        parts,
        kernels.toArray(),
        programs,
        null,
        null,
        config.workers(),
        streams(plan, config));
  }

  /**
   * As many lists as pay: two for each worker, so that a worker whose list has to wait finds
   * another one; fewer if the lists would do little between two waits for each other.
   */
  private static List<ListProgram> lists(
      GroupPlan plan,
      Frame root,
      List<Frame.Part> parts,
      MemorySlots slots,
      KernelTable kernels,
      int workers) {
    int most = workers == 1 ? 1 : Math.min(plan.rankSize(), Math.min(MAX_LISTS, 2 * workers));
    for (int lists = most; ; lists = lists > workers ? workers : 1) {
      ListCompiler compiler = new ListCompiler(lists, plan.rankSize(), slots, kernels);
      Unroller.walk(root, parts, compiler);
      List<ListProgram> programs = compiler.finish();
      long least = lists > workers ? MIN_WORK_PER_WAIT : MIN_WORK_PER_WAIT_PAIRED;
      if (lists == 1 || workPerWait(programs) >= least) {
        return programs;
      }
    }
  }

  /** Work between two waits of all lists together, on average. */
  private static long workPerWait(List<ListProgram> programs) {
    long waits = 1;
    long work = 0;
    for (ListProgram program : programs) {
      work += work(program.tasks());
      for (int task = 0; task < program.tasks().size; task++) {
        waits += program.tasks().op[task] == TaskArrays.WAIT ? 1 : 0;
      }
    }
    return work / waits;
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
        config.workers(),
        streams(plan, config));
  }

  /** Whether the caller's and the staging memory of all ranks do not fit in the caches. */
  private static boolean streams(GroupPlan plan, EngineConfig config) {
    long bytes = 0;
    for (RankPlan rank : plan.ranks()) {
      bytes += rank.memSize(TransportMemType.PARAM_INPUT);
      bytes += plan.inPlace() ? 0 : rank.memSize(TransportMemType.PARAM_OUTPUT);
    }
    return bytes >= config.streamingBytes();
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
    long[] work = programs.stream().mapToLong(program -> work(program.tasks())).sorted().toArray();
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
