package dev.tutti.host.group;

import dev.tutti.engine.Binding;
import dev.tutti.engine.trace.RunTrace;
import org.jspecify.annotations.Nullable;

/**
 * Traces runs of one operation: all of them if traces were requested, and those that the group's
 * profiler wants. Used by the thread that runs.
 */
final class RunTracer {

  private final @Nullable Profiler profiler;
  private final boolean isAsked;
  private boolean isProfiled;

  /** What runs and is traced; null if no run under way is. */
  private @Nullable Binding traced;

  private @Nullable RunTrace trace;

  private RunTracer(@Nullable Profiler profiler, boolean isAsked) {
    this.profiler = profiler;
    this.isAsked = isAsked;
  }

  /** Traces the runs that a profiler wants; null if there is none. */
  static @Nullable RunTracer of(@Nullable Profiler profiler) {
    return profiler == null ? null : new RunTracer(profiler, false);
  }

  /** Traces each run, and tells the profiler, if there is one, of those that it wants. */
  static RunTracer ofEach(@Nullable Profiler profiler) {
    return new RunTracer(profiler, true);
  }

  /** Whether a trace was requested, so that there must be a run. */
  boolean isAsked() {
    return isAsked;
  }

  /** A run begins next; called in the run slot. */
  void begin(Binding binding) {
    isProfiled = profiler != null && profiler.wantsNext();
    trace = null;
    if (isAsked || isProfiled) {
      binding.beginTrace();
      traced = binding;
    }
  }

  /** The run has ended well. */
  void end() {
    if (traced != null) {
      trace = traced.endTrace();
      traced = null;
    }
  }

  /** The run has failed, or was cancelled. */
  void drop() {
    if (traced != null) {
      traced.dropTrace();
      traced = null;
    }
    trace = null;
  }

  /** Tells the profiler of the run, once others can run. */
  void tell() {
    if (isProfiled && profiler != null && trace != null) {
      profiler.tell(trace);
    }
  }

  /** What the last run was; null if it was not traced. */
  @Nullable RunTrace trace() {
    return trace;
  }
}
