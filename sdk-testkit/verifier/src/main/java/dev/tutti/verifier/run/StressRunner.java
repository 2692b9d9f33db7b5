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
 * <p>Notifies have one bit, and the errors that {@link PlanInterpreter} finds about them are found
 * here, too.
 */
public final class StressRunner {

  /** The default of the longest time without progress of any stream. */
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

  /** Prepares a plan that is flattened already. */
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

  /** The same on platform threads, or on virtual threads. */
  public StressRunner withPlatformThreads(boolean areWanted) {
    return new StressRunner(plan, areWanted, hasAtomicReductions, deadline);
  }

  /** The same with reductions into one memory that exclude each other, as some hardware does. */
  public StressRunner withAtomicReductions(boolean areAtomic) {
    return new StressRunner(plan, onPlatformThreads, areAtomic, deadline);
  }

  /**
   * The same with another deadline.
   *
   * @param longest the longest time without progress of any stream; then the run is abandoned
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
   * @param seed chooses where the streams are delayed now and then
   * @param memory of this plan, with its inputs filled, from {@link #allocate} or {@link
   *     PlanInterpreter}; no segment of it may be confined to a thread
   * @param caller called on the threads of the ranks' main streams; methods for different ranks run
   *     at once
   * @return as of {@link PlanInterpreter}; if the deadline has passed, all ranks that are inside
   *     their call have failed with one diagnosis, and {@code steps} is the number of events that
   *     have run
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} if a thread or the caller throws, or
   *     the waiting thread is interrupted; no thread of the run is left then
   */
  public PlanInterpreter.Outcome run(long seed, GroupMemory memory, Caller caller) {
    StressRun run = new StressRun(plan, memory, caller, seed, hasAtomicReductions);
    return run.run(onPlatformThreads, deadline);
  }
}
