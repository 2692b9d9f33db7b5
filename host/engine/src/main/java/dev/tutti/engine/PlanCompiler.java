package dev.tutti.engine;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  private final GroupPlan plan;
  private final @Nullable ViewTable views;
  private final IdentityHashMap<RankPlan, Integer> divisors;
  private final boolean streams;
  private final CompileOptions options;
  private final EngineConfig config;
  private final List<Frame.Part> parts = new ArrayList<>();
  private final Frame root;

  private PlanCompiler(
      GroupPlan plan,
      @Nullable ViewTable views,
      IdentityHashMap<RankPlan, Integer> divisors,
      boolean streams,
      CompileOptions options,
      EngineConfig config) {
    this.plan = plan;
    this.views = views;
    this.divisors = divisors;
    this.streams = streams;
    this.options = options;
    this.config = config;
    this.root = Frame.open(plan, parts);
  }

  static CompiledPlan compile(GroupPlan plan, CompileOptions options, EngineConfig config) {
    return new PlanCompiler(
            plan, null, new IdentityHashMap<>(), streams(plan, config), options, config)
        .compile();
  }

  static CompiledPlan compile(Composite composite, CompileOptions options, EngineConfig config) {
    Composition composition = composite.composition();
    boolean streams = composition.parts().stream().anyMatch(part -> streams(part.plan(), config));
    ViewTable views = new ViewTable(composition);
    return new PlanCompiler(composite.plan(), views, composite.divisors(), streams, options, config)
        .compile();
  }

  /**
   * Compiles for ranks that enter and leave on their own.
   *
   * @param listOf the list of each rank
   * @param lists how many lists there are
   */
  static CompiledPlan compileForRanks(
      GroupPlan plan, int[] listOf, int lists, EngineConfig config) {
    return new PlanCompiler(
            plan,
            null,
            new IdentityHashMap<>(),
            streams(plan, config),
            CompileOptions.defaults(),
            config)
        .forRanks(listOf, lists);
  }

  /** The same for several plans that were joined to one. */
  static CompiledPlan compileForRanks(
      Composite composite, int[] listOf, int lists, EngineConfig config) {
    Composition composition = composite.composition();
    boolean streams = composition.parts().stream().anyMatch(part -> streams(part.plan(), config));
    ViewTable views = new ViewTable(composition);
    return new PlanCompiler(
            composite.plan(),
            views,
            composite.divisors(),
            streams,
            CompileOptions.defaults(),
            config)
        .forRanks(listOf, lists);
  }

  private CompiledPlan forRanks(int[] listOf, int lists) {
    MemorySlots slots = new MemorySlots(plan, views);
    KernelTable kernels = new KernelTable(divisors);
    ListCompiler compiler = new ListCompiler(lists, listOf, slots, kernels);
    Unroller.walk(root, parts, compiler);
    List<ListProgram> programs = compiler.finishClosed();
    return compiled(slots, kernels, programs, null, compiler.signals());
  }

  private CompiledPlan compile() {
    boolean hasCalls = options.rankDone() != null;
    if (hasCalls && options.mode() == CompileOptions.Mode.STATIC) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "callbacks need the dynamic mode. Actual: static");
    }
    boolean isSpread = config.workers() > 1 && traffic(parts) >= config.parallelBytes();
    if (hasCalls || options.mode() == CompileOptions.Mode.DYNAMIC) {
      return dynamic();
    }
    CompiledPlan lists = lists(isSpread ? config.workers() : 1);
    boolean isTightlyCoupled = lists.listCount() == 1 && plan.rankSize() > 1;
    if (isSpread
        && !isTightlyCoupled
        && options.mode() == CompileOptions.Mode.AUTO
        && imbalance(lists.lists(), config.workers()) > MAX_IMBALANCE) {
      return dynamic();
    }
    return lists;
  }

  /**
   * As many lists as pay: two for each worker, so that a worker whose list has to wait finds
   * another one; fewer if the lists would do little between two waits for each other.
   */
  private CompiledPlan lists(int workers) {
    MemorySlots slots = new MemorySlots(plan, views);
    KernelTable kernels = new KernelTable(divisors);
    int most = workers == 1 ? 1 : Math.min(plan.rankSize(), Math.min(MAX_LISTS, 2 * workers));
    for (int lists = most; ; lists = lists > workers ? workers : 1) {
      ListCompiler compiler =
          new ListCompiler(lists, ListCompiler.blocks(plan.rankSize(), lists), slots, kernels);
      Unroller.walk(root, parts, compiler);
      List<ListProgram> programs = compiler.finish();
      long least = lists > workers ? MIN_WORK_PER_WAIT : MIN_WORK_PER_WAIT_PAIRED;
      if (lists == 1 || workPerWait(programs) >= least) {
        return compiled(slots, kernels, programs, null, compiler.signals());
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

  private CompiledPlan dynamic() {
    MemorySlots slots = new MemorySlots(plan, views);
    KernelTable kernels = new KernelTable(divisors);
    GraphCompiler compiler =
        new GraphCompiler(config.workers(), options.rankDone() != null, slots, kernels);
    Unroller.walk(root, parts, compiler);
    TaskGraph graph = compiler.finish(plan.rankSize(), root);
    return compiled(slots, kernels, List.of(), graph, compiler.signals());
  }

  private CompiledPlan compiled(
      MemorySlots slots,
      KernelTable kernels,
      List<ListProgram> programs,
      @Nullable TaskGraph graph,
      SignalCount signals) {
    return new CompiledPlan(
        slots,
        root,
        parts,
        kernels.toArray(),
        programs,
        graph,
        graph == null ? null : options.rankDone(),
        config.workers(),
        streams,
        signals);
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
