package dev.tutti.verifier.planning;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.Breach;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.Outcome;
import dev.tutti.verifier.gate.PluginFailure;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of executors through a {@link Gate} and reports failures and broken limits: rules CAP-2
 * to CAP-4. Thread-safe.
 *
 * <p>A call that cannot be stopped stays behind: its thread uses a core and memory until the
 * process ends. Findings report and count such threads.
 */
public final class PlanningGuard {

  private final PlanningLimits limits;
  private final Gate gate;
  private final AtomicInteger abandoned = new AtomicInteger();

  /** A guard that enforces the given limits. */
  public PlanningGuard(PlanningLimits limits) {
    this.limits = limits;
    this.gate = Gate.reusingThreads(limits.ofCalls());
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
     * What the job is doing at the moment, for example {@code "supports of rank 3"}. Another thread
     * calls this.
     */
    String doing();
  }

  /**
   * Runs a job and waits until it ends or breaks a limit.
   *
   * @param job what to run; it may run for ever after the guard gives up on it, so it must not
   *     change anything that others use
   * @param findings receives a finding if the job breaks a limit or throws
   * @return the job's result, or null if there is none
   * @throws TuttiException with {@link ErrorCode#RUN_FAILED} if the waiting thread is interrupted
   */
  public <T> @Nullable T run(Job<T> job, Consumer<? super Finding> findings) {
    Outcome<T> outcome;
    try {
      outcome = gate.run(job::run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(ErrorCode.RUN_FAILED, e, "planning was interrupted");
    }
    return switch (outcome) {
      case Outcome.Returned<T> returned -> returned.value();
      case Outcome.Threw<T> threw -> {
        findings.accept(thrown(threw.copy(), threw.isOutOfMemory(), job.doing()));
        yield null;
      }
      case Outcome.Stopped<T> stopped -> {
        findings.accept(stopped(stopped, job.doing()));
        yield null;
      }
    };
  }

  private Finding stopped(Outcome.Stopped<?> stopped, String doing) {
    StackTraceElement[] stack = StackLines.ofAuthorFirst(stopped.stacks());
    Rule rule =
        stopped.breach().kind() == Breach.Kind.MEMORY
            ? Rule.PLANNING_TOO_LARGE
            : Rule.PLANNING_TOO_LONG;
    String text = doing + " " + stopped.breach().text() + StackLines.at(stack);
    if (stopped.isLeftRunning()) {
      int before = abandoned.getAndIncrement();
      text += "; it does not react to an interrupt and was left running";
      text += before == 0 ? "" : ", as " + before + " before";
    }
    return new Finding(rule, text).withExplanation(StackLines.text(stack));
  }

  /** The finding about a job that throws. Only the thread that runs the job may call this. */
  static Finding thrown(Throwable thrown, String doing) {
    return thrown(PluginFailure.of(thrown), thrown instanceof OutOfMemoryError, doing);
  }

  private static Finding thrown(RuntimeException copy, boolean isOutOfMemory, String doing) {
    Rule rule = isOutOfMemory ? Rule.PLANNING_TOO_LARGE : Rule.PLANNING_FAILED;
    String text = doing + " failed" + StackLines.at(copy.getStackTrace()) + ": " + copy;
    return new Finding(rule, text).withExplanation(StackLines.text(copy.getStackTrace()));
  }
}
