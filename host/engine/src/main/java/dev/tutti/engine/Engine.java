package dev.tutti.engine;

import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.SharedWork;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.UnrolledPrograms.RankLists;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Compiles plans and runs them, any number of ranks on few threads. The calling thread takes part
 * in the work; helper threads join it for runs of many bytes. Thread-safe.
 */
public final class Engine implements AutoCloseable {

  private static final int MAX_ACTIVE = 64;
  private static final int SPINS_PER_LOOK = 64;

  /** How often idle helpers check whether other processes have made progress. */
  private static final long LOOK_NANOS = 1_000_000;

  private final EngineConfig config;
  private final Waiting waiting;
  private final Thread[] helpers;

  /** Runs that need help. A helper that reads a run late finds nothing left to claim in it. */
  private final AtomicReferenceArray<@Nullable SharedWork> active =
      new AtomicReferenceArray<>(MAX_ACTIVE);

  /** Grows with each run that needs help; idle helpers watch it. */
  private final AtomicInteger published = new AtomicInteger();

  /** The work that is shared with other processes. */
  private final List<SharedWork> shared = new CopyOnWriteArrayList<>();

  private final AtomicInteger parked = new AtomicInteger();
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
    this.helpers = new Thread[config.workers() - 1];
    for (int i = 0; i < helpers.length; i++) {
      int worker = i + 1;
      helpers[i] =
          Thread.ofPlatform()
              .daemon()
              .name("tutti-engine-" + worker)
              .unstarted(() -> helpForever(worker));
    }
    for (Thread helper : helpers) {
      helper.start();
    }
  }

  /** How this engine uses the machine. */
  public EngineConfig config() {
    return config;
  }

  /** How its threads wait, and the clock of deadlines. */
  public Waiting waiting() {
    return waiting;
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
   */
  public CompiledTemplate templateForRanks(PlanClone plan, int[] listOf, int lists) {
    return new CompiledTemplate(plan, new RankLists(listOf, lists), config);
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
   * @throws TuttiException as {@link #compile(GroupPlan, CompileOptions)}
   */
  public CompiledPlan compileForRanks(GroupPlan plan, int[] listOf, int lists) {
    return PlanCompiler.compileForRanks(plan, new RankLists(listOf, lists), config);
  }

  /** The same for several plans that were joined to one. */
  public CompiledPlan compileForRanks(Composite composite, int[] listOf, int lists) {
    return PlanCompiler.compileForRanks(composite, new RankLists(listOf, lists), config);
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

  /** Wakes sleeping helpers, because work that they take part in can continue. */
  public void nudge() {
    published.incrementAndGet();
    if (parked.get() > 0) {
      for (Thread helper : helpers) {
        LockSupport.unpark(helper);
      }
    }
  }

  /** Whether there are threads besides the callers'. */
  public boolean hasHelpers() {
    return helpers.length > 0;
  }

  /** Asks helpers to join in; returns the place of the work, or -1 if it gets no help. */
  public int publish(SharedWork run) {
    if (helpers.length == 0) {
      return -1;
    }
    for (int slot = 0; slot < MAX_ACTIVE; slot++) {
      if (active.get(slot) == null && active.compareAndSet(slot, null, run)) {
        nudge();
        return slot;
      }
    }
    return -1;
  }

  /** Withdraws the request for help. */
  public void withdraw(int slot) {
    if (slot >= 0) {
      active.set(slot, null);
    }
  }

  /**
   * Makes all waiting threads of this process, helpers included, take part in work that is shared
   * with other processes, until {@link #unshare}. Progress of the other processes wakes no thread,
   * so helpers poll.
   */
  public void share(SharedWork work) {
    shared.add(work);
    nudge();
  }

  /** Ends what {@link #share} began. */
  public void unshare(SharedWork work) {
    shared.remove(work);
  }

  /** Makes a waiting thread take part in shared work; true if there was anything to do. */
  public boolean helpShared() {
    boolean didWork = false;
    if (!shared.isEmpty()) {
      for (SharedWork each : shared) {
        didWork |= each.help(0);
      }
    }
    return didWork;
  }

  private void helpForever(int worker) {
    Idler idler =
        waiting.helper(config.workers(), config.spinNanos(), config.yieldNanos()).newIdler();
    int seen = -1;
    while (!isClosed) {
      int before = published.get();
      if (helpAll(worker)) {
        forgetInterrupt();
        idler.reset();
        continue;
      }
      if (before != seen) {
        seen = before;
        idler.reset();
      }
      IdlePhase phase = idler.idle();
      if (phase == IdlePhase.SPIN) {
        spin(seen);
      } else if (phase == IdlePhase.PARK && park(seen)) {
        idler.reset();
      }
    }
  }

  /**
   * Clears the interrupt flag, which the JVM sets on a thread if the close of an arena frees memory
   * that the thread uses. A thread with the flag cannot park, and interrupts are not used to end
   * helpers.
   */
  private static void forgetInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  private boolean helpAll(int worker) {
    boolean didWork = helpShared();
    for (int slot = 0; slot < MAX_ACTIVE; slot++) {
      SharedWork run = active.get(slot);
      if (run != null) {
        didWork |= run.help(worker);
      }
    }
    return didWork;
  }

  /**
   * Spins for a moment, while there is no new run, without reading the clock or checking all runs.
   */
  private void spin(int seen) {
    for (int i = 0; i < SPINS_PER_LOOK && published.get() == seen; i++) {
      Thread.onSpinWait();
    }
  }

  /**
   * Parks until a run is published; announces itself first, so that no wake-up is missed. As long
   * as work is shared with other processes, it parks for a short while only.
   *
   * @return whether there is something new
   */
  private boolean park(int seen) {
    parked.incrementAndGet();
    try {
      while (published.get() == seen && !isClosed) {
        if (shared.isEmpty()) {
          LockSupport.park(this);
          forgetInterrupt();
        } else {
          LockSupport.parkNanos(this, LOOK_NANOS);
          forgetInterrupt();
          return false;
        }
      }
      return true;
    } finally {
      parked.decrementAndGet();
    }
  }

  /** Ends the helper threads; callers finish the runs that are under way. Idempotent. */
  @Override
  public void close() {
    isClosed = true;
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
    }
  }
}
