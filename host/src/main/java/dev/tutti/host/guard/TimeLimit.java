package dev.tutti.host.guard;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs plugin code on a thread of its own and gives up waiting after a while. Immutable and
 * thread-safe.
 *
 * <p>A call that never returns keeps its daemon thread, which is interrupted once; the caller goes
 * on. Every call has a new thread, so that plugin code leaves no thread-locals behind.
 */
public final class TimeLimit {

  private static final int SHOWN_FRAMES = 3;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Nanoseconds of more may not fit in a long. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Duration limit;
  private final boolean keepsCauses;

  /**
   * A limit on each call. What plugin code throws is passed on as a {@linkplain PluginFailure
   * copy}, so that who keeps it does not keep the plugin.
   *
   * @param limit longer than zero; more than a year is a year
   */
  public TimeLimit(Duration limit) {
    this(limit, false);
  }

  /** A limit that passes on what was thrown itself, for a caller that looks into it. */
  public static TimeLimit keepingCauses(Duration limit) {
    return new TimeLimit(limit, true);
  }

  private TimeLimit(Duration limit, boolean keepsCauses) {
    if (limit.isNegative() || limit.isZero()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the time limit of a call into a plugin must be longer than zero. Actual: %s",
          limit);
    }
    this.limit = limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
    this.keepsCauses = keepsCauses;
  }

  /**
   * Runs a body.
   *
   * @param what the call in words, for messages
   * @param body plugin code
   * @throws TuttiException the body's own one, or one with {@link ErrorCode#EXECUTOR_FAILED} if it
   *     throws anything else; a {@link TimeLimitException} if it does not return in time
   */
  public <T> T call(String what, Supplier<T> body) {
    Call<T> call = new Call<>(body);
    Thread thread = Thread.ofPlatform().daemon().name("tutti-planning").unstarted(call);
    thread.setContextClassLoader(null);
    thread.start();
    if (!join(thread)) {
      String where = where(thread);
      thread.interrupt();
      throw new TimeLimitException(what, text(limit), where);
    }
    return call.result(what, keepsCauses);
  }

  /** Waits for the end of a thread; an interrupt is kept for the caller. */
  private boolean join(Thread thread) {
    boolean wasInterrupted = false;
    long end = System.nanoTime() + limit.toNanos();
    try {
      while (true) {
        try {
          long left = end - System.nanoTime();
          return left > 0 ? thread.join(Duration.ofNanos(left)) : !thread.isAlive();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String where(Thread thread) {
    StringBuilder text = new StringBuilder();
    StackTraceElement[] frames = thread.getStackTrace();
    int first = firstOfPlugin(frames);
    for (int i = first; i < Math.min(first + SHOWN_FRAMES, frames.length); i++) {
      text.append(i == first ? "; it is at " : ", called from ").append(frames[i]);
    }
    return text.toString();
  }

  /** The innermost frame that is neither the JDK's nor the SDK's, or 0. */
  private static int firstOfPlugin(StackTraceElement[] frames) {
    for (int i = 0; i < frames.length; i++) {
      String name = frames[i].getClassName();
      if (!name.startsWith("java.")
          && !name.startsWith("jdk.")
          && !name.startsWith("dev.tutti.sdk.")) {
        return i;
      }
    }
    return 0;
  }

  private static String text(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos % NANOS_PER_MILLI != 0) {
      return nanos + " ns";
    }
    long millis = nanos / NANOS_PER_MILLI;
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }

  /** A body and what became of it. The end of its thread publishes the fields. */
  private static final class Call<T> implements Runnable {
    private final Supplier<T> body;
    private @Nullable T value;
    private @Nullable Throwable thrown;

    Call(Supplier<T> body) {
      this.body = body;
    }

    @Override
    public void run() {
      try {
        value = body.get();
      } catch (Throwable t) {
        thrown = t;
      }
    }

    T result(String what, boolean keepsCauses) {
      if (thrown != null) {
        RuntimeException copy = PluginFailure.of(thrown);
        Throwable cause = keepsCauses ? thrown : copy;
        if (cause instanceof TuttiException coded) {
          throw coded;
        }
        throw new TuttiException(ErrorCode.EXECUTOR_FAILED, cause, "%s failed: %s", what, copy);
      }
      if (value == null) {
        throw new TuttiException(ErrorCode.EXECUTOR_FAILED, "%s returned null", what);
      }
      return value;
    }
  }
}
