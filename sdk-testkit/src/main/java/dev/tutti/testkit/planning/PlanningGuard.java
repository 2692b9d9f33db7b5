package dev.tutti.testkit.planning;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of executors on threads of its own and gives up on what takes too long or allocates too
 * much: rules CAP-3 and CAP-4. Thread-safe.
 *
 * <p>What breaks a limit is interrupted. Java cannot stop a thread that does not care: such a
 * thread is left behind, as a daemon that keeps its core and its memory busy until the process
 * ends; findings say so and count them. Threads that a job starts are watched and stopped with it.
 *
 * <p>A job that breaks no limit costs two thread switches more than a plain call. Idle threads end
 * by themselves.
 */
public final class PlanningGuard {

  private static final long GRACE_MS = 200;
  private static final long IDLE_MS = 500;
  private static final long FIRST_POLL_NS = 1_000_000;
  private static final long LAST_POLL_NS = 16_000_000;

  private final PlanningLimits limits;
  private final AllocationMeter meter = AllocationMeter.create();
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger abandoned = new AtomicInteger();
  private final ThreadPoolExecutor pool;

  /** A guard that keeps to limits. */
  public PlanningGuard(PlanningLimits limits) {
    this.limits = limits;
    this.pool =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_MS,
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            this::thread);
  }

  /** A thread in a group of its own, which all threads that it starts will belong to. */
  private Thread thread(Runnable task) {
    String name = "tutti-planning-" + started.incrementAndGet();
    return Thread.ofPlatform().daemon().group(new ThreadGroup(name)).name(name).unstarted(task);
  }

  /** The limits. */
  public PlanningLimits limits() {
    return limits;
  }

  /** The number of jobs that broke a limit and could not be stopped. */
  public int abandonedCount() {
    return abandoned.get();
  }

  /** Code of executors to run. */
  public interface Job<T> {

    /** Runs it. */
    @Nullable T run() throws Exception;

    /**
     * What it is doing just now, for example {@code "supports of rank 3"}; called by another
     * thread.
     */
    String doing();

    /**
     * Says that it has broken a limit and that its result is not wanted; called by another thread.
     */
    default void giveUp() {}
  }

  /**
   * Runs a job and waits until it ends or breaks a limit.
   *
   * @param job what to run; once it is given up it may go on for ever, so it must not change what
   *     others use
   * @param findings gets a finding if a limit is broken or the job throws
   * @return the job's result, or null if there is none
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} if the waiting thread is interrupted
   */
  public <T> @Nullable T run(Job<T> job, Consumer<? super Finding> findings) {
    PlanningTask<T> running = new PlanningTask<>(job::run, meter);
    pool.execute(running);
    long start = System.nanoTime();
    long poll = FIRST_POLL_NS;
    try {
      while (true) {
        long left = limits.maxTime().toNanos() - (System.nanoTime() - start);
        try {
          return running.get(Math.max(1, Math.min(poll, left)), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          poll = Math.min(2 * poll, LAST_POLL_NS);
        }
        if (running.bytes() > limits.maxBytes()) {
          String text = "allocates more than %,d bytes".formatted(limits.maxBytes());
          findings.accept(stop(running, Rule.PLANNING_TOO_LARGE, text, job));
          return null;
        }
        if (System.nanoTime() - start > limits.maxTime().toNanos()) {
          String text = "still runs after " + limits.maxTime().toMillis() + " ms";
          findings.accept(stop(running, Rule.PLANNING_TOO_LONG, text, job));
          return null;
        }
      }
    } catch (ExecutionException e) {
      findings.accept(thrown(e.getCause() == null ? e : e.getCause(), job.doing()));
      return null;
    } catch (InterruptedException e) {
      running.cancel(true);
      Thread.currentThread().interrupt();
      throw new TuttiException(ErrorCode.RUN_FAILED, e, "planning was interrupted");
    }
  }

  /** Tries to end a job that breaks a limit. */
  private Finding stop(PlanningTask<?> task, Rule rule, String breach, Job<?> job)
      throws InterruptedException {
    StackTraceElement[] stack = task.stack();
    job.giveUp();
    String text = job.doing() + " " + breach + StackLines.at(stack);
    if (!task.ends(GRACE_MS)) {
      task.abandon();
      int before = abandoned.getAndIncrement();
      text += "; it does not react to an interrupt and was left running";
      text += before == 0 ? "" : ", as " + before + " before";
    }
    return new Finding(rule, text).withExplanation(StackLines.text(stack));
  }

  /** What a job that throws has broken. */
  static Finding thrown(Throwable thrown, String doing) {
    Rule rule = thrown instanceof OutOfMemoryError ? Rule.PLANNING_TOO_LARGE : Rule.PLANNING_FAILED;
    String text = doing + " failed" + StackLines.at(thrown.getStackTrace()) + ": " + thrown;
    return new Finding(rule, text).withExplanation(StackLines.text(thrown.getStackTrace()));
  }
}
