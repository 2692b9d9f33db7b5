package dev.tutti.host.capture;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.group.AgreedCapture;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.watch.Counters;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A capture of ranks in several processes, for this process. Its first agreement joins the
 * recordings of all ranks into one plan; later operations of the ranks run that plan.
 */
public abstract sealed class JoinedStep implements CaptureStep permits JoinStep, MessageJoinStep {

  final GroupCore core;

  /** The rank that represents this process. */
  final int rank;

  private final UnaryOperator<MemorySegment> allocation;

  /** The operations of the ranks of this process. */
  List<RankEntries> ranks;

  /** The buffers of the ranks of this process. */
  RankBuffers buffers;

  JoinedStep(
      GroupCore core, int rank, UnaryOperator<MemorySegment> allocation, List<RankEntries> ranks) {
    this.core = core;
    this.rank = rank;
    this.allocation = allocation;
    this.ranks = ranks;
    this.buffers = registered(core, rank, allocation, ranks);
  }

  private static RankBuffers registered(
      GroupCore core, int rank, UnaryOperator<MemorySegment> allocation, List<RankEntries> some) {
    List<RankEntry> all = some.stream().flatMap(each -> each.entries().stream()).toList();
    return new RankBuffers(all, rank, core.reach(), allocation);
  }

  /** The calls of the last join, which must exist. */
  abstract JoinedCalls joinedCalls();

  /** The places of the operations among these calls. */
  abstract Map<CaptureOrder, Integer> places();

  /** The runs of these calls; null before the end of the capture. */
  abstract @Nullable AgreedCapture run();

  /** Makes the next run use the present buffers. */
  abstract void useBuffers();

  /** The binding that the ranks run. */
  public abstract RankBinding binding();

  /** The captured operations of all ranks in their order. */
  public final List<CollectiveCall> calls() {
    return joinedCalls().calls().stream().map(call -> call.planned().key().call()).toList();
  }

  /** The longest time of a run. */
  public final long deadlineNanos() {
    return CaptureChecks.deadlineNanos(core.settings(), joinedCalls().calls());
  }

  /** As {@link CapturedRuns#explain}. */
  public final String explain() {
    return joinedCalls().explain();
  }

  /** Whether buffers of this process are copied before and after each run. */
  public final boolean isStaged() {
    return buffers.areStaged();
  }

  /** Checks that all memory of this process is alive and fills the copies. */
  public final void beforeRun() {
    buffers.beforeRun();
  }

  /** Copies the results of this process back. */
  public final void afterRun() {
    buffers.afterRun();
  }

  /** Replaces a buffer of this process, between runs; the next run uses the new one. */
  public final void rebind(MemorySegment old, MemorySegment replacement) {
    CaptureChecks.requireAsLarge(old, replacement);
    List<RankEntries> rebound = ranks.stream().map(each -> each.rebound(old, replacement)).toList();
    if (rebound.equals(ranks)) {
      throw CaptureChecks.noSuchBuffer();
    }
    rebound.forEach(
        each -> each.entries().forEach(entry -> entry.check(core.names(), each.rank())));
    RankBuffers made = registered(core, rank, allocation, rebound);
    if (!buffers.areLike(made)) {
      made.close();
      throw CaptureChecks.overlapsOtherwise();
    }
    RankBuffers buffersBefore = buffers;
    List<RankEntries> ranksBefore = ranks;
    ranks = rebound;
    buffers = made;
    try {
      useBuffers();
    } catch (Throwable t) {
      ranks = ranksBefore;
      buffers = buffersBefore;
      made.close();
      throw t;
    }
    buffersBefore.close();
  }

  /** A step that adds a run of this capture to another capture, for the only rank here. */
  public final CaptureStep recordedBy(RankRecording recording, int meeting) {
    RankEntries own = ranks.getFirst();
    Map<CaptureOrder, Integer> places = places();
    return new RecordReplayStep(recording, meeting, at -> own.partOf(at, places));
  }

  /** Adds the runs that have not been counted yet. */
  public final void addTo(Counters counters) {
    AgreedCapture run = run();
    if (run != null) {
      run.addTo(counters);
    }
  }

  /** Frees the copies; this capture must not run any more. */
  public abstract void close();

  @Override
  public final String toString() {
    return joinedCalls().toString();
  }
}
