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
 * Keeps plans that ranks in several processes make together on one side of a change of plugins.
 * Confined to the job's thread, but for what says otherwise.
 *
 * <p>Each process counts the changes it has made: its epoch. The first rank of a meeting tells the
 * others the epoch in which it has planned, and each of them plans in that epoch, too. A held
 * process starts no new plan as first rank, but finishes the plans that it has started. Once all
 * processes are held and no plan is under way, no new plan uses the old plugins. Then each process
 * may change at its own time:
 *
 * <ul>
 *   <li>a plan of a later epoch comes from a process that has changed already, and waits until this
 *       one has;
 *   <li>a plan of an earlier epoch cannot come. Its process would have been held with that plan
 *       under way. A plan that has ended early is no exception: its message was sent before the
 *       answer of its process, and so came before the change did.
 * </ul>
 *
 * <p>Where a plan of a new version has failed, rank 0 may go back to the older one. The process in
 * which it has failed starts no other operation until rank 0 has decided, so the next one is
 * planned with what serves then.
 */
public final class PlanningGate {

  private static final long POLL_NANOS = 500_000;

  private final Predicate<Runnable> jobThread;
  private long epoch;
  private boolean isHeld;

  /** Plans that are not begun while this is held. */
  private final List<Runnable> held = new ArrayList<>();

  /** Plans of the next epoch. */
  private final List<Runnable> early = new ArrayList<>();

  /** Plans that are begun, and perhaps ended. */
  private final Set<BooleanSupplier> begun = new HashSet<>();

  /** What waits for decisions; guarded by itself, as the number of those is. */
  private final List<Runnable> undecided = new ArrayList<>();

  private int decisions;

  /**
   * A gate that is open.
   *
   * @param jobThread does something on the job's thread; returns whether it will
   */
  PlanningGate(Predicate<Runnable> jobThread) {
    this.jobThread = jobThread;
  }

  /** How many changes this process has made. */
  public long epoch() {
    return epoch;
  }

  /**
   * Plans as the first rank of a meeting, now or when this is not held any more; once more if that
   * fails, and the failure makes another version serve.
   *
   * @param failed gets what the plan fails with in the end
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
   * The other ranks have been told to plan.
   *
   * @param isUnderWay whether they may still do so
   */
  public void begun(BooleanSupplier isUnderWay) {
    begun.removeIf(each -> !each.getAsBoolean());
    begun.add(isUnderWay);
  }

  /**
   * Plans what the first rank of a meeting has told, now or when this process has changed, too.
   *
   * @param planned the epoch of the first rank
   * @param failed gets what is thrown later
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if this process is ahead of it
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

  /** Begins no other plan. */
  public void hold() {
    isHeld = true;
  }

  /**
   * Waits until no plan that was begun here is under way. On any thread but the job's.
   *
   * @return whether that came about in time, and this thread was not interrupted
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

  /** This process serves something else now, and goes on. */
  public void changed() {
    epoch++;
    runAll(early);
    release();
  }

  /** Goes on. */
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

  /** Rank 0 has to decide what becomes of a version that has failed here. On any thread. */
  public void awaitsDecision() {
    synchronized (undecided) {
      decisions++;
    }
  }

  /** It has decided. On any thread. */
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
   * Does something at once, or on the job's thread when rank 0 has decided. On any thread.
   *
   * @param failed gets what is thrown later
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
