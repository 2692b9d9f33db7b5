package dev.tutti.plan.work;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Work of several steps, whose progress the caller may watch. Work that begins during a step of
 * other work, on the same thread, is a part of that step. All of this costs next to nothing where
 * nobody watches.
 *
 * <pre>{@code
 * try (Work work = Work.begin("recording", ranks)) {
 *   for (int rank = 0; rank < ranks; rank++) {
 *     record(rank);
 *     work.step();
 *   }
 * }
 * }</pre>
 *
 * <p>Any thread may call {@link #step}; the thread that began the work closes it.
 */
public final class Work implements AutoCloseable {

  private static final ThreadLocal<@Nullable Work> CURRENT = new ThreadLocal<>();

  /** Stands for all work that nobody watches. */
  private static final Work UNWATCHED = new Work(null, null, "", 1);

  private final @Nullable WorkListener listener;

  /** The work, a step of which this work is; null for the root, whose listener is told. */
  private final @Nullable Work parent;

  private final String what;
  private final int steps;
  private final AtomicInteger done = new AtomicInteger();

  /** The current work of the thread before this one. */
  private final @Nullable Work previous = CURRENT.get();

  private volatile boolean isClosed;

  private Work(@Nullable WorkListener listener, @Nullable Work parent, String what, int steps) {
    this.listener = listener;
    this.parent = parent;
    this.what = what;
    this.steps = steps;
  }

  /**
   * Lets a listener watch all work of the calling thread until the result is closed. It hides other
   * listeners that long.
   */
  public static Work watch(WorkListener listener) {
    Arguments.require(listener, "listener");
    Work root = new Work(listener, null, "", 1);
    CURRENT.set(root);
    return root;
  }

  /**
   * Begins work.
   *
   * @param what what is done, for example {@code "recording"}
   * @param steps the number of steps, 0 or more; they should take about the same time
   */
  public static Work begin(String what, int steps) {
    Arguments.require(what, "what");
    if (steps < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "steps must not be negative. Actual: %d", steps);
    }
    Work outer = CURRENT.get();
    if (outer == null) {
      return UNWATCHED;
    }
    Work work = new Work(null, outer, what, Math.max(1, steps));
    CURRENT.set(work);
    work.tell(0, "");
    return work;
  }

  /** The work of the calling thread, for {@link #continueHere} on another one. */
  public static Work current() {
    Work current = CURRENT.get();
    return current == null ? UNWATCHED : current;
  }

  /**
   * Makes this the work of the calling thread until the result is closed, for a thread that does a
   * part of it.
   */
  public Work continueHere() {
    if (this == UNWATCHED) {
      return UNWATCHED;
    }
    Work part = new Work(null, this, "", 1);
    CURRENT.set(part);
    return part;
  }

  /** One more step is done. */
  public void step() {
    if (this != UNWATCHED) {
      done.incrementAndGet();
      tell(0, "");
    }
  }

  /**
   * A number of steps is done.
   *
   * @param count 0 to the number of all steps
   */
  public void reach(int count) {
    if (this != UNWATCHED) {
      done.set(count);
      tell(0, "");
    }
  }

  /** Tells the listener how much is done. */
  private void tell(double shareOfStep, String inner) {
    if (isClosed) {
      return;
    }
    if (parent == null) {
      if (listener != null) {
        listener.at(Math.min(1, shareOfStep), inner);
      }
      return;
    }
    double share = Math.min(1, (done.get() + shareOfStep) / steps);
    boolean hasBoth = !what.isEmpty() && !inner.isEmpty();
    parent.tell(share, hasBoth ? what + ": " + inner : what + inner);
  }

  /** Ends the work, or the watching of it. */
  @Override
  public void close() {
    if (this == UNWATCHED || isClosed) {
      return;
    }
    isClosed = true;
    if (CURRENT.get() == this) {
      restore();
    }
    if (parent != null && !what.isEmpty()) {
      parent.partEnded();
    }
  }

  /** Tells the listener that work has ended which is a part of no other work. */
  private void partEnded() {
    if (listener != null && !isClosed) {
      listener.ended();
    }
  }

  private void restore() {
    if (previous == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(previous);
    }
  }
}
