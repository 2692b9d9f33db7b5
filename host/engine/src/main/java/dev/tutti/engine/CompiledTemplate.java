package dev.tutti.engine;

import dev.tutti.engine.Programs.Program;
import dev.tutti.engine.Programs.RankLists;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.Arguments;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A compiled plan from which plans of the same structure are compiled. Only the positions of their
 * spans are computed; they share everything else. Thread-safe.
 *
 * <p>The result is the same as without a template. The number of bytes decides how a plan is spread
 * over threads, so this is decided for each plan. Kinds of programs that the first plan did not
 * need are made when another plan needs them.
 */
public final class CompiledTemplate {

  private static final int GRAPH = 0;
  private static final int FOR_RANKS = -1;

  private final PlanClone origin;
  private final UnrolledPrograms programs;
  private final boolean isForRanks;
  private final EngineConfig config;

  /** By the number of lists, or {@link #GRAPH} or {@link #FOR_RANKS}. */
  private final Map<Integer, ProgramMarks> known = new HashMap<>();

  private final CompiledPlan compiled;

  /** The memories that all plans of the structure touch. */
  private final int[] touched;

  CompiledTemplate(PlanClone origin, RankLists rankLists, EngineConfig config) {
    this.origin = origin;
    this.isForRanks = rankLists.count() > 0;
    this.config = config;
    this.programs =
        new UnrolledPrograms(
            origin.plan(), null, new IdentityHashMap<>(), rankLists, config.workers(), false);
    this.compiled = compiled(origin.plan(), new OwnPrograms());
    this.touched = programs.slots().touchedPlaces();
  }

  /** The plan that all others are made from. */
  public CompiledPlan compiled() {
    return compiled;
  }

  /**
   * Compiles another plan of the structure.
   *
   * @return empty if the number of bytes changes a decision within the program, for example what is
   *     tiled; the plan then needs a template of its own
   */
  public synchronized Optional<CompiledPlan> compile(PlanClone plan) {
    Arguments.require(plan, "plan");
    if (plan.structure() != origin.structure()) {
      throw new IllegalArgumentException("a plan of another structure");
    }
    try {
      return Optional.of(compiled(plan.plan(), new MovedPrograms(plan)));
    } catch (OtherProgram e) {
      return Optional.empty();
    }
  }

  private CompiledPlan compiled(GroupPlan plan, Programs from) {
    PlanCompiler compiler =
        new PlanCompiler(
            plan, from, PlanCompiler.streams(plan, config), CompileOptions.defaults(), config);
    return isForRanks ? compiler.forRanks() : compiler.compile();
  }

  /** Bytes of heap that the template takes, for its structure's marks and the program. */
  public long heapBytes() {
    long perTask = 100;
    return perTask * compiled.taskCount();
  }

  ProgramMarks lists(int count) {
    return known(count, () -> programs.lists(count));
  }

  ProgramMarks graph() {
    return known(GRAPH, programs::graph);
  }

  ProgramMarks forRanks() {
    return known(FOR_RANKS, programs::forRanks);
  }

  private ProgramMarks known(int number, Supplier<Program> make) {
    return known.computeIfAbsent(number, key -> ProgramMarks.of(make.get(), origin));
  }

  /** The programs of the origin itself, kept for other plans. */
  private final class OwnPrograms implements Programs {

    @Override
    public Program lists(int count) {
      return CompiledTemplate.this.lists(count).program();
    }

    @Override
    public Program graph() {
      return CompiledTemplate.this.graph().program();
    }

    @Override
    public Program forRanks() {
      return CompiledTemplate.this.forRanks().program();
    }

    @Override
    public RankLists rankLists() {
      return programs.rankLists();
    }

    @Override
    public MemorySlots slots() {
      return programs.slots();
    }

    @Override
    public ReduceKernel[] kernels() {
      return programs.kernels();
    }

    @Override
    public Frame.OfPlan frames() {
      return programs.frames();
    }
  }

  /** The programs of a plan, made from those of another plan of the same structure. */
  private final class MovedPrograms implements Programs {

    private final PlanClone plan;
    private final MemorySlots slots;
    private final Frame.OfPlan frames;

    MovedPrograms(PlanClone plan) {
      this.plan = plan;
      this.slots = programs.slots().moved(plan, touched);
      this.frames = new Frame.OfPlan(plan.plan());
    }

    @Override
    public Program lists(int count) {
      return moved(CompiledTemplate.this.lists(count));
    }

    @Override
    public Program graph() {
      return moved(CompiledTemplate.this.graph());
    }

    @Override
    public Program forRanks() {
      return moved(CompiledTemplate.this.forRanks());
    }

    private Program moved(ProgramMarks marks) {
      Program program = marks.moved(plan);
      if (program == null) {
        throw new OtherProgram();
      }
      return program;
    }

    @Override
    public RankLists rankLists() {
      return programs.rankLists();
    }

    @Override
    public MemorySlots slots() {
      return slots;
    }

    @Override
    public ReduceKernel[] kernels() {
      return programs.kernels();
    }

    @Override
    public Frame.OfPlan frames() {
      return frames;
    }
  }

  /** Ends the attempt to reuse a program: this plan's number of bytes leads to other decisions. */
  private static final class OtherProgram extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private OtherProgram() {
      super("the plan needs a program of its own", null, false, false);
    }
  }
}
