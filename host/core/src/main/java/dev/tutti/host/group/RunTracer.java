package dev.tutti.host.group;

import dev.tutti.engine.Binding;
import dev.tutti.engine.trace.RunTrace;
import org.jspecify.annotations.Nullable;

/**
 * Traces runs of one operation: all runs if traces were requested, else those that the group's
 * profiler selects. Only the thread that runs the operation may use it.
 */
final class RunTracer {

  private final @Nullable Profiler profiler;
  private final boolean isAsked;
  private boolean isProfiled;

  /** The binding of the current run if it is traced; null otherwise. */
  private @Nullable Binding traced;

  private @Nullable RunTrace trace;

  private RunTracer(@Nullable Profiler profiler, boolean isAsked) {
    this.profiler = profiler;
    this.isAsked = isAsked;
  }

  /** Traces the runs that a profiler selects; null if there is no profiler. */
  static @Nullable RunTracer of(@Nullable Profiler profiler) {
    return profiler == null ? null : new RunTracer(profiler, false);
  }

  /**
   * Traces each run, and passes the traces that a profiler selects to the profiler, if there is
   * one.
   */
  static RunTracer ofEach(@Nullable Profiler profiler) {
    return new RunTracer(profiler, true);
  }

  /** Whether a trace was requested, so that a run must take place. */
  boolean isAsked() {
    return isAsked;
  }

  /** Prepares the trace of the next run; called in the run slot. */
  void begin(Binding binding) {
    isProfiled = profiler != null && profiler.wantsNext();
    trace = null;
    if (isAsked || isProfiled) {
      binding.beginTrace();
      traced = binding;
    }
  }

  /** Notes that the run was successful. */
  void end() {
    if (traced != null) {
      trace = traced.endTrace();
      traced = null;
    }
  }

  /** Drops the trace of a run that failed or was cancelled. */
  void drop() {
    if (traced != null) {
      traced.dropTrace();
      traced = null;
    }
    trace = null;
  }

  /** Passes the trace to the profiler. Called when other operations can run again. */
  void tell() {
    if (isProfiled && profiler != null && trace != null) {
      profiler.tell(trace);
    }
  }

  /** The trace of the last run; null if it was not traced. */
  @Nullable RunTrace trace() {
    return trace;
  }
}
