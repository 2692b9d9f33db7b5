package dev.tutti.engine;

import dev.tutti.base.idle.Helpers;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.Programs.RankLists;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Compiles plans and runs them, any number of ranks on few threads. The calling thread takes part
 * in the work; helper threads join it for runs of many bytes. Thread-safe.
 */
public final class Engine implements AutoCloseable {

  private final EngineConfig config;
  private final Waiting waiting;
  private final Helpers helpers;
  private volatile boolean isClosed;

  /** An engine with its helper threads started; close it to end them. */
  public Engine(EngineConfig config) {
    this(config, Waiting.system());
  }

  /**
   * The same with another clock.
   *
   * @param waiting how helpers and callers wait, and the clock of deadlines
   */
  public Engine(EngineConfig config, Waiting waiting) {
    this.config = config;
    this.waiting = waiting;
    this.helpers =
        new Helpers(
            "tutti-engine-", config.workers(), waiting, config.spinNanos(), config.yieldNanos());
  }

  /** How this engine uses the machine. */
  public EngineConfig config() {
    return config;
  }

  /** How its threads wait, and the clock of deadlines. */
  public Waiting waiting() {
    return waiting;
  }

  /** The threads that join callers in runs of many bytes, and continue what ranks have left. */
  public Helpers helpers() {
    return helpers;
  }

  /**
   * Compiles a plan.
   *
   * @throws TuttiException with {@link ErrorCode#DEADLOCK} if the plan can never finish; the
   *     message names rank, stream, action and source line, and which stream waits for which
   */
  public CompiledPlan compile(GroupPlan plan, CompileOptions options) {
    return PlanCompiler.compile(plan, options, config);
  }

  /** Compiles several plans that were joined to one. */
  public CompiledPlan compile(Composite composite, CompileOptions options) {
    return PlanCompiler.compile(composite, options, config);
  }

  /**
   * Compiles a plan for processes that reach only their own memory.
   *
   * @param processOf the process of each rank; processes are numbered from 0
   * @throws TuttiException as {@link #compile(GroupPlan, CompileOptions)}, or with {@link
   *     ErrorCode#INVALID_ARGUMENT} for ranks without a process, or processes without a rank
   */
  public MessagePlan compileForMessages(GroupPlan plan, int[] processOf) {
    return MessagePlan.compile(PlanCompiler.programs(plan, config), processOf);
  }

  /** The same for several plans that were joined to one. */
  public MessagePlan compileForMessages(Composite composite, int[] processOf) {
    return MessagePlan.compile(PlanCompiler.programs(composite, config), processOf);
  }

  /**
   * Compiles a plan so that others of its structure can be compiled from it.
   *
   * @throws TuttiException as {@link #compile(GroupPlan, CompileOptions)}
   */
  public CompiledTemplate template(PlanClone plan) {
    return new CompiledTemplate(plan, RankLists.NONE, config);
  }

  /**
   * The same for ranks that enter and leave on their own.
   *
   * @param listOf the list of each rank
   * @param lists how many lists there are
   * @param room the bytes of input that a list can show the others; see {@link ShortPlan}
   */
  public CompiledTemplate templateForRanks(PlanClone plan, int[] listOf, int lists, int room) {
    return new CompiledTemplate(plan, new RankLists(listOf, lists, room), config);
  }

  /**
   * Binds a compiled plan to memory.
   *
   * @param compiled a plan
   * @param memory for each rank one native segment per kind of memory, at the kind's ordinal, which
   *     every thread may access and which stays alive while the binding is used; null or absent
   *     where the plan touches nothing. In place, input and output of a rank are the same segment
   * @throws TuttiException with {@link ErrorCode#BUFFER_TOO_SMALL} or {@link
   *     ErrorCode#BUFFER_UNAVAILABLE}
   */
  public Binding bind(CompiledPlan compiled, @Nullable MemorySegment[][] memory) {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the engine is closed");
    }
    return new Binding(this, compiled, compiled.slots().bind(memory));
  }

  /**
   * Binds a compiled composition to memory.
   *
   * @param memory as for a plan, without the callers' memory; the sizes in {@link Composite#plan}
   *     are enough
   * @param views a native segment for each view of the composition's memories, by its number
   * @throws TuttiException with {@link ErrorCode#BUFFER_TOO_SMALL} or {@link
   *     ErrorCode#BUFFER_UNAVAILABLE}
   */
  public Binding bind(
      CompiledPlan compiled, @Nullable MemorySegment[][] memory, MemorySegment[] views) {
    if (isClosed) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "the engine is closed");
    }
    return new Binding(this, compiled, compiled.slots().bind(memory, views));
  }

  /**
   * Compiles a plan for ranks that enter and leave on their own: a rank begins once all have
   * entered, and its list ends when no other list will touch the rank's memory any more.
   *
   * @param listOf the list of each rank
   * @param lists how many lists there are
   * @param room the bytes of input that a list can show the others; see {@link ShortPlan}
   * @throws TuttiException as {@link #compile(GroupPlan, CompileOptions)}
   */
  public CompiledPlan compileForRanks(GroupPlan plan, int[] listOf, int lists, int room) {
    return PlanCompiler.compileForRanks(plan, new RankLists(listOf, lists, room), config);
  }

  /** The same for several plans that were joined to one. */
  public CompiledPlan compileForRanks(Composite composite, int[] listOf, int lists, int room) {
    return PlanCompiler.compileForRanks(composite, new RankLists(listOf, lists, room), config);
  }

  /**
   * Binds a plan of ranks that enter and leave on their own.
   *
   * @param number see {@link RankBinding#number}
   * @param compiled a plan that was compiled for the queues which will run it
   * @param memory as for {@link #bind(CompiledPlan, MemorySegment[][])}
   * @param traces the traces of the queues
   * @param owner see {@link RankBinding#owner}
   */
  public RankBinding bindForRanks(
      long number,
      CompiledPlan compiled,
      @Nullable MemorySegment[][] memory,
      RankBinding.Traces traces,
      Object owner) {
    return new RankBinding.OfLists(compiled, compiled.slots().bind(memory), traces, owner, number);
  }

  /**
   * The same for a composition.
   *
   * @param views a native segment for each view of the composition's memories, by its number
   */
  public RankBinding bindForRanks(
      long number,
      CompiledPlan compiled,
      @Nullable MemorySegment[][] memory,
      MemorySegment[] views,
      RankBinding.Traces traces,
      Object owner) {
    return new RankBinding.OfLists(
        compiled, compiled.slots().bind(memory, views), traces, owner, number);
  }

  /** Ends the helper threads; callers finish the runs that are under way. Idempotent. */
  @Override
  public void close() {
    isClosed = true;
    helpers.close();
  }
}
