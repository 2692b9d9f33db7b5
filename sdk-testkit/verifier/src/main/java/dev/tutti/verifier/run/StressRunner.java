package dev.tutti.verifier.run;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.flow.FlatPlan;
import java.time.Duration;

/**
 * Runs a plan on real memory with real concurrency: a thread for each stream, and notifies that are
 * flags between them. The machine determines the order, so a run cannot be replayed. It finds
 * errors that a simulated order cannot show. Immutable; runs on different memories may run at the
 * same time.
 *
 * <p>Notifies have one bit. A run detects the same errors of notifies as {@link PlanInterpreter}.
 */
public final class StressRunner {

  /** The default deadline: the longest time in which no stream makes progress. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);

  private final FlatPlan plan;
  private final boolean onPlatformThreads;
  private final boolean hasAtomicReductions;
  private final Duration deadline;

  /**
   * Prepares a plan, to run on virtual threads.
   *
   * @throws TuttiException as {@link PlanInterpreter#PlanInterpreter(GroupPlan)}
   */
  public StressRunner(GroupPlan plan) {
    this(FlatPlan.of(plan));
  }

  /** Prepares a flattened plan. */
  public StressRunner(FlatPlan plan) {
    this(plan, false, false, DEFAULT_DEADLINE);
  }

  private StressRunner(
      FlatPlan plan, boolean onPlatformThreads, boolean hasAtomicReductions, Duration deadline) {
    this.plan = plan;
    this.onPlatformThreads = onPlatformThreads;
    this.hasAtomicReductions = hasAtomicReductions;
    this.deadline = deadline;
  }

  /** The same runner on platform threads or on virtual threads. */
  public StressRunner withPlatformThreads(boolean areWanted) {
    return new StressRunner(plan, areWanted, hasAtomicReductions, deadline);
  }

  /**
   * The same runner, but concurrent reductions into one memory exclude each other, as on some
   * hardware.
   */
  public StressRunner withAtomicReductions(boolean areAtomic) {
    return new StressRunner(plan, onPlatformThreads, areAtomic, deadline);
  }

  /**
   * The same runner with another deadline.
   *
   * @param longest the longest time in which no stream makes progress; after it, the run stops
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not positive
   */
  public StressRunner withDeadline(Duration longest) {
    if (longest.isZero() || longest.isNegative()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a deadline must be longer than 0. Actual: %s", longest);
    }
    return new StressRunner(plan, onPlatformThreads, hasAtomicReductions, longest);
  }

  /** New memory of this plan's sizes. */
  public GroupMemory allocate() {
    return GroupMemory.allocate(plan);
  }

  /**
   * Runs the plan once and waits for its end.
   *
   * @param seed chooses the occasional delays of streams
   * @param memory memory of this plan, with its inputs filled, from {@link #allocate} or {@link
   *     PlanInterpreter}; no segment of it may be confined to a thread
   * @param caller called on the threads of the ranks' main streams; methods for different ranks may
   *     run at the same time
   * @return the outcome. If the deadline has passed, all ranks that are inside their call have
   *     failed with the same diagnosis. {@code steps} is the number of events that have run
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} if a thread or the caller throws, or
   *     if the waiting thread is interrupted; all threads of the run have then ended
   */
  public PlanInterpreter.Outcome run(long seed, GroupMemory memory, Caller caller) {
    StressRun run = new StressRun(plan, memory, caller, seed, hasAtomicReductions);
    return run.run(onPlatformThreads, deadline);
  }
}
