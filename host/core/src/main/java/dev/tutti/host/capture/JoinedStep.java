package dev.tutti.host.capture;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.watch.Counters;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A capture of ranks in several processes, for this process. Its first agreement joins the
 * recordings of all ranks into one plan; later operations of the ranks run that plan.
 */
public sealed interface JoinedStep extends CaptureStep permits JoinStep, MessageJoinStep {

  /** The binding that the ranks run. */
  RankBinding binding();

  /** The captured operations of all ranks in their order. */
  List<CollectiveCall> calls();

  /** The longest time of a run. */
  long deadlineNanos();

  /** As {@link CapturedRuns#explain}. */
  String explain();

  /** Whether buffers of this process are copied before and after each run. */
  boolean isStaged();

  /** Checks that all memory of this process is alive and fills the copies. */
  void beforeRun();

  /** Copies the results of this process back. */
  void afterRun();

  /** Replaces a buffer of this process, between runs; the next run uses the new one. */
  void rebind(MemorySegment old, MemorySegment replacement);

  /** A step that adds a run of this capture to another capture, for the only rank here. */
  CaptureStep recordedBy(RankRecording recording, int meeting);

  /** Adds the runs that have not been counted yet. */
  void addTo(Counters counters);

  /** Frees the copies; this capture must not run any more. */
  void close();
}
