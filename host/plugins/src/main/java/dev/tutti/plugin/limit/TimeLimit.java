package dev.tutti.plugin.limit;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.Breach;
import dev.tutti.verifier.gate.Gate;
import dev.tutti.verifier.gate.GateLimits;
import dev.tutti.verifier.gate.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Calls plugin code through a {@link Gate}, and reports errors as exceptions. Thread-safe.
 *
 * <p>Callers get a copy of the plugin's exception: the original would keep the plugin's classes
 * loaded.
 */
public final class TimeLimit {

  private static final int SHOWN_FRAMES = 3;

  private final Gate gate;
  private final boolean heedsInterrupts;

  /**
   * A limit on each call.
   *
   * @param limit the processor time, longer than zero; at most a year is used
   */
  public TimeLimit(Duration limit) {
    this(GateLimits.of(requirePositive(limit)), false);
  }

  /**
   * A limit for many short calls. They reuse threads, so values that plugin code leaves in
   * thread-locals stay until there has been no call for half a second.
   */
  public static TimeLimit ofShortCalls(Duration limit) {
    return new TimeLimit(Gate.reusingThreads(GateLimits.of(requirePositive(limit))), false);
  }

  /** As {@link #ofShortCalls}, for a caller whose interrupts end the calls. */
  public static TimeLimit heedingInterrupts(Duration limit) {
    return new TimeLimit(Gate.reusingThreads(GateLimits.of(requirePositive(limit))), true);
  }

  TimeLimit(GateLimits limits, boolean heedsInterrupts) {
    this(Gate.of(limits), heedsInterrupts);
  }

  private TimeLimit(Gate gate, boolean heedsInterrupts) {
    this.gate = gate;
    this.heedsInterrupts = heedsInterrupts;
  }

  private static Duration requirePositive(Duration limit) {
    if (!limit.isPositive()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the time limit of a call into a plugin must be longer than zero. Actual: %s",
          limit);
    }
    return limit;
  }

  /**
   * Runs a body.
   *
   * @param what the call in words, for messages
   * @param body plugin code; its result must not be of a class of the plugin
   * @throws TuttiException the exception of the body, or one with {@link ErrorCode#EXECUTOR_FAILED}
   *     if it throws anything else or takes too much memory; a {@link TimeLimitException} if it
   *     does not return in time; {@link ErrorCode#RUN_FAILED} if an interrupt ends it
   */
  public <T> T call(String what, Supplier<T> body) {
    return call(() -> what, body);
  }

  /** The same with words that are computed only if they are needed. */
  public <T> T call(Supplier<String> what, Supplier<T> body) {
    return switch (outcome(what, body)) {
      case Outcome.Returned<T> returned -> result(what, returned);
      case Outcome.Threw<T> threw -> throw failure(what.get(), threw.copy());
      case Outcome.Stopped<T> stopped -> throw stopped(what.get(), stopped);
    };
  }

  private <T> Outcome<T> outcome(Supplier<String> what, Supplier<T> body) {
    if (!heedsInterrupts) {
      return gate.runUninterrupted(body::get);
    }
    try {
      return gate.run(body::get);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(ErrorCode.RUN_FAILED, e, "%s was interrupted", what.get());
    }
  }

  private static <T> T result(Supplier<String> what, Outcome.Returned<T> returned) {
    T value = returned.value();
    if (value == null) {
      throw new TuttiException(ErrorCode.EXECUTOR_FAILED, "%s returned null", what.get());
    }
    return value;
  }

  private static TuttiException failure(String what, RuntimeException copy) {
    return copy instanceof TuttiException coded
        ? coded
        : new TuttiException(ErrorCode.EXECUTOR_FAILED, copy, "%s failed: %s", what, copy);
  }

  private static TuttiException stopped(String what, Outcome.Stopped<?> stopped) {
    String breach = stopped.breach().text() + where(stopped.stacks());
    String left = stopped.isLeftRunning() ? "; it could not be stopped, and still runs" : "";
    return stopped.breach().kind() == Breach.Kind.TIME
        ? new TimeLimitException(what, breach, left)
        : new TuttiException(
            ErrorCode.EXECUTOR_FAILED, "%s %s; it was stopped (CAP-4)%s", what, breach, left);
  }

  private static String where(List<StackTraceElement[]> stacks) {
    StringBuilder text = new StringBuilder();
    if (!stacks.isEmpty()) {
      StackTraceElement[] frames = stacks.getFirst();
      int first = firstOfPlugin(frames);
      for (int i = first; i < Math.min(first + SHOWN_FRAMES, frames.length); i++) {
        text.append(i == first ? "; it is at " : ", called from ").append(frames[i]);
      }
    }
    return text.toString();
  }

  /** The innermost frame that belongs neither to the JDK nor to the SDK nor to the gate, or 0. */
  private static int firstOfPlugin(StackTraceElement[] frames) {
    for (int i = 0; i < frames.length; i++) {
      String name = frames[i].getClassName();
      if (!name.startsWith("java.")
          && !name.startsWith("jdk.")
          && !name.startsWith("dev.tutti.sdk.")
          && !name.startsWith("dev.tutti.plan.")
          && !name.startsWith("dev.tutti.verifier.gate.")) {
        return i;
      }
    }
    return 0;
  }
}
