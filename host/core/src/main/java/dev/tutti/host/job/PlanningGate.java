package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Ensures that when ranks in several processes make a plan together, all of them make it before a
 * change of plugins, or all of them after it. Confined to the job's thread, except for methods that
 * say otherwise.
 *
 * <p>Each process counts the changes it has made: this count is its epoch. The first rank of a
 * meeting sends the others the epoch in which it has planned, and each of them plans in that epoch,
 * too. A process that is held starts no new plan as the first rank, but finishes the plans that it
 * has started. Once all processes are held and no plan is under way, no new plan uses the old
 * plugins. Then each process may change at any time:
 *
 * <ul>
 *   <li>a plan of a later epoch comes from a process that has already changed, and waits until this
 *       one has changed, too;
 *   <li>a plan of an earlier epoch cannot arrive, because its process would have been held with
 *       that plan under way. A plan that has ended early is no exception: its process sent the
 *       message before it answered that no plan is under way, so the message arrived before the
 *       change.
 * </ul>
 *
 * <p>If a plan of a new version has failed, rank 0 may roll back to the older version. The process
 * in which the plan has failed starts no other operation until rank 0 has decided, so the next
 * operation is planned with the version that serves then.
 */
public final class PlanningGate {

  private static final long POLL_NANOS = 500_000;

  private final Predicate<Runnable> jobThread;
  private long epoch;
  private boolean isHeld;

  /** Plans that wait while the gate is held. */
  private final List<Runnable> held = new ArrayList<>();

  /** Plans of the next epoch. */
  private final List<Runnable> early = new ArrayList<>();

  /** Plans that have begun, and may have ended. */
  private final Set<BooleanSupplier> begun = new HashSet<>();

  /** Steps that wait for decisions. Guarded by itself, as is the number of decisions. */
  private final List<Runnable> undecided = new ArrayList<>();

  private int decisions;

  /**
   * An open gate.
   *
   * @param jobThread runs a step on the job's thread; returns whether the step will run
   */
  PlanningGate(Predicate<Runnable> jobThread) {
    this.jobThread = jobThread;
  }

  /** The number of changes that this process has made. */
  public long epoch() {
    return epoch;
  }

  /**
   * Plans as the first rank of a meeting, now or when the gate is no longer held. If the planning
   * fails and another version of the plugin then serves, it plans again.
   *
   * @param failed gets the final failure
   */
  public void begin(Runnable planning, Consumer<RuntimeException> failed) {
    if (isHeld) {
      held.add(() -> begin(planning, failed));
      return;
    }
    try {
      planning.run();
    } catch (TuttiException e) {
      if (isUndecided()) {
        long before = epoch;
        whenDecided(
            () -> {
              if (epoch == before) {
                throw e;
              }
              begin(planning, failed);
            },
            failed);
      } else {
        failed.accept(e);
      }
    } catch (RuntimeException e) {
      failed.accept(e);
    }
  }

  /**
   * Notes that the other ranks have been asked to plan.
   *
   * @param isUnderWay whether the plan may still be under way
   */
  public void begun(BooleanSupplier isUnderWay) {
    begun.removeIf(each -> !each.getAsBoolean());
    begun.add(isUnderWay);
  }

  /**
   * Plans at the request of the first rank of a meeting, now or when this process has changed, too.
   *
   * @param planned the epoch of the first rank
   * @param failed gets a later exception
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this process has made more
   *     changes
   */
  public void follow(long planned, Runnable planning, Consumer<RuntimeException> failed) {
    if (planned < epoch) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the first rank has planned with plugins that no longer serve here (change %d, and this"
              + " process has made %d); please report this",
          planned,
          epoch);
    }
    if (planned > epoch) {
      early.add(() -> attempt(planning, failed));
    } else {
      planning.run();
    }
  }

  // Changes.

  /** Lets no new plan begin. */
  public void hold() {
    isHeld = true;
  }

  /**
   * Waits until no plan that began here is under way. Callable on any thread except the job's.
   *
   * @return whether this happened in time, and this thread was not interrupted
   */
  public boolean awaitQuiet(Clock clock, long patienceNanos) {
    long end = clock.nanoTime() + patienceNanos;
    while (!isQuiet()) {
      if (Thread.currentThread().isInterrupted() || clock.nanoTime() - end >= 0) {
        return false;
      }
      clock.park(this, POLL_NANOS);
    }
    return true;
  }

  private boolean isQuiet() {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    boolean isAsked =
        jobThread.test(
            () -> {
              begun.removeIf(each -> !each.getAsBoolean());
              answer.complete(begun.isEmpty());
            });
    return !isAsked || answer.join();
  }

  /** Notes that this process serves other plugins now, and releases the gate. */
  public void changed() {
    epoch++;
    runAll(early);
    release();
  }

  /** Releases the gate. */
  public void release() {
    isHeld = false;
    runAll(held);
  }

  private static void runAll(List<Runnable> waiting) {
    List<Runnable> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(Runnable::run);
  }

  // Decisions.

  /** Notes that rank 0 must decide about a version that has failed here. Callable on any thread. */
  public void awaitsDecision() {
    synchronized (undecided) {
      decisions++;
    }
  }

  /** Notes a decision of rank 0. Callable on any thread. */
  public void decided() {
    List<Runnable> all;
    synchronized (undecided) {
      decisions--;
      if (decisions > 0) {
        return;
      }
      all = List.copyOf(undecided);
      undecided.clear();
    }
    for (Runnable each : all) {
      boolean ignored = jobThread.test(each);
    }
  }

  private boolean isUndecided() {
    synchronized (undecided) {
      return decisions > 0;
    }
  }

  /**
   * Runs a step at once, or on the job's thread when rank 0 has decided. Callable on any thread.
   *
   * @param failed gets a later exception
   */
  public void whenDecided(Runnable step, Consumer<RuntimeException> failed) {
    synchronized (undecided) {
      if (decisions > 0) {
        undecided.add(() -> attempt(step, failed));
        return;
      }
    }
    step.run();
  }

  private static void attempt(Runnable step, Consumer<RuntimeException> failed) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failed.accept(e);
    }
  }
}
