package dev.tutti.engine;

import dev.tutti.engine.Programs.Program;
import dev.tutti.engine.Programs.RankLists;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.IdentityHashMap;
import java.util.List;

/** Turns plans into programs, and chooses how they run. */
final class PlanCompiler {

  private static final int MAX_LISTS = 16;

  /** The fixed cost of a task besides its bytes, in bytes. */
  private static final long TASK_BYTES = 512;

  /** Work between waits below which a worker gets one list only, in bytes. */
  private static final long MIN_WORK_PER_WAIT = 256 << 10;

  /** Work between waits below which one worker does everything, in bytes. */
  private static final long MIN_WORK_PER_WAIT_PAIRED = 16 << 10;

  /**
   * How much longer than a fair share the work of one thread may take before the compiler prefers a
   * graph to lists.
   */
  private static final double MAX_IMBALANCE = 1.25;

  private final GroupPlan plan;
  private final Programs programs;
  private final boolean streams;
  private final CompileOptions options;
  private final EngineConfig config;

  /**
   * Compiles a plan.
   *
   * @param programs the programs that it can be run as
   * @param streams whether results go past the caches
   */
  PlanCompiler(
      GroupPlan plan,
      Programs programs,
      boolean streams,
      CompileOptions options,
      EngineConfig config) {
    this.plan = plan;
    this.programs = programs;
    this.streams = streams;
    this.options = options;
    this.config = config;
  }

  static CompiledPlan compile(GroupPlan plan, CompileOptions options, EngineConfig config) {
    return of(plan, RankLists.NONE, options, config).compile();
  }

  static CompiledPlan compile(Composite composite, CompileOptions options, EngineConfig config) {
    return of(composite, RankLists.NONE, options, config).compile();
  }

  /** Compiles for ranks that enter and leave on their own. */
  static CompiledPlan compileForRanks(GroupPlan plan, RankLists lists, EngineConfig config) {
    return of(plan, lists, CompileOptions.defaults(), config).forRanks();
  }

  /** The same for several plans that were joined to one. */
  static CompiledPlan compileForRanks(Composite composite, RankLists lists, EngineConfig config) {
    return of(composite, lists, CompileOptions.defaults(), config).forRanks();
  }

  private static PlanCompiler of(
      GroupPlan plan, RankLists lists, CompileOptions options, EngineConfig config) {
    Programs programs =
        new UnrolledPrograms(
            plan, null, new IdentityHashMap<>(), lists, config.workers(), calls(options));
    return new PlanCompiler(plan, programs, streams(plan, config), options, config);
  }

  private static PlanCompiler of(
      Composite composite, RankLists lists, CompileOptions options, EngineConfig config) {
    boolean streams =
        composite.composition().parts().stream().anyMatch(part -> streams(part.plan(), config));
    Programs programs = programs(composite, lists, calls(options), config);
    return new PlanCompiler(composite.plan(), programs, streams, options, config);
  }

  /** The programs of a plan whose ranks start together. */
  static UnrolledPrograms programs(GroupPlan plan, EngineConfig config) {
    return new UnrolledPrograms(
        plan, null, new IdentityHashMap<>(), RankLists.NONE, config.workers(), false);
  }

  /** The same for several plans that were joined to one. */
  static UnrolledPrograms programs(Composite composite, EngineConfig config) {
    return programs(composite, RankLists.NONE, false, config);
  }

  private static UnrolledPrograms programs(
      Composite composite, RankLists lists, boolean calls, EngineConfig config) {
    return new UnrolledPrograms(
        composite.plan(),
        new ViewTable(composite.composition()),
        composite.divisors(),
        lists,
        config.workers(),
        calls);
  }

  private static boolean calls(CompileOptions options) {
    return options.rankDone() != null;
  }

  CompiledPlan forRanks() {
    return compiled(programs.forRanks(), programs.rankLists());
  }

  CompiledPlan compile() {
    boolean hasCalls = calls(options);
    if (hasCalls && options.mode() == CompileOptions.Mode.STATIC) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "callbacks need the dynamic mode. Actual: static");
    }
    boolean isSpread = config.workers() > 1 && plan.traffic() >= config.parallelBytes();
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
   * Compiles to as many lists as pay off: two for each worker, so that a worker whose list has to
   * wait finds another one; fewer if the lists would do little work between waits for each other.
   */
  private CompiledPlan lists(int workers) {
    int most = workers == 1 ? 1 : Math.min(plan.rankSize(), Math.min(MAX_LISTS, 2 * workers));
    for (int lists = most; ; lists = lists > workers ? workers : 1) {
      Program program = programs.lists(lists);
      long least = lists > workers ? MIN_WORK_PER_WAIT : MIN_WORK_PER_WAIT_PAIRED;
      if (lists == 1 || workPerWait(program.lists()) >= least) {
        return compiled(program);
      }
    }
  }

  /** Work between two waits of all lists together, on average. */
  private static long workPerWait(List<TaskArrays> programs) {
    long waits = 1;
    long work = 0;
    for (TaskArrays program : programs) {
      work += work(program);
      for (int task = 0; task < program.size; task++) {
        waits += program.op[task] == TaskArrays.WAIT ? 1 : 0;
      }
    }
    return work / waits;
  }

  private CompiledPlan dynamic() {
    return compiled(programs.graph());
  }

  private CompiledPlan compiled(Program program) {
    return compiled(program, RankLists.NONE);
  }

  private CompiledPlan compiled(Program program, RankLists rankLists) {
    return new CompiledPlan(
        programs.slots(),
        programs.frames(),
        programs.kernels(),
        program,
        rankLists,
        program.graph() == null ? null : options.rankDone(),
        config.workers(),
        streams);
  }

  /** Whether the inputs and outputs of all ranks do not fit in the caches. */
  static boolean streams(GroupPlan plan, EngineConfig config) {
    long bytes = 0;
    for (RankPlan rank : plan.ranks()) {
      bytes += rank.memSize(TransportMemType.PARAM_INPUT);
      bytes += plan.inPlace() ? 0 : rank.memSize(TransportMemType.PARAM_OUTPUT);
    }
    return bytes >= config.streamingBytes();
  }

  /**
   * The work of the busiest thread divided by the fair share, if threads take the longest list
   * first.
   */
  private static double imbalance(List<TaskArrays> programs, int workers) {
    long[] work = programs.stream().mapToLong(PlanCompiler::work).sorted().toArray();
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
