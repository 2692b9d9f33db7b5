package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.queue.QueuedOperation;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.AgreedRun;
import org.jspecify.annotations.Nullable;

/**
 * One rank's part in operations of its group, for the queues: its call, and the plan that the ranks
 * have agreed on. The rank's thread changes it between operations; any thread may read it.
 */
final class RankPart extends QueuedOperation {

  private final RankCall call;
  private final @Nullable CallCopies copies;
  private final boolean countsRuns;

  /** The last run of this process's ranks that needed no agreement; only without shared memory. */
  private @Nullable KnownRun lastKnown;

  /** The call with buffers that the ranks agree on. */
  private RankCall reachable;

  /** The call that the ranks agreed on together with the binding. */
  private @Nullable RankCall agreed;

  /** The step of a capture that it makes; null if it runs normally. */
  private @Nullable CaptureStep step;

  /** The recording that it is added to; null if there is none. */
  private @Nullable RankRecording recording;

  /** The number of the operation under way, 0 if there is none. */
  private volatile long underWay;

  /** The entry in the rank's flight record, 0 if there is none. */
  private volatile long entry;

  /**
   * The part of a rank.
   *
   * @param copies the copies of buffers that peers cannot reach; null if they can reach all
   * @param countsRuns whether this is the part that counts the runs of all
   */
  RankPart(RankCall call, @Nullable CallCopies copies, boolean countsRuns) {
    this.call = call;
    this.copies = copies;
    this.countsRuns = countsRuns;
    this.reachable = call;
  }

  RankCall call() {
    return call;
  }

  boolean isStaged() {
    return copies != null;
  }

  /** The call with buffers that peers can reach, unless {@link #areLeft}. */
  RankCall reachable() {
    return reachable;
  }

  /** Whether it has buffers that peers cannot reach, for a plan that leaves them to their rank. */
  boolean areLeft() {
    return copies != null && copies.areLeftOut();
  }

  /**
   * Replaces the buffers that {@link #areLeft} by copies that peers can reach, because no plan
   * leaves them to their rank.
   */
  void copyAfterAll() {
    RankCall filled = copies == null ? null : copies.fillAfterAll();
    if (filled != null) {
      reachable = filled;
    }
  }

  /**
   * Sets the call with buffers that peers can reach; called before a start. Writes a reference only
   * if it changes, as {@link RankActivity} does.
   */
  @SuppressWarnings("ReferenceEquality") // the same call is the same object
  void reach(RankCall newReachable) {
    if (reachable != newReachable) {
      reachable = newReachable;
    }
  }

  /** Whether copies currently replace some buffers. */
  @SuppressWarnings("ReferenceEquality") // the same call is the same object
  boolean usesCopies() {
    return reachable != call;
  }

  /** Sets the step and the recording of the next start, if they change. */
  @SuppressWarnings("ReferenceEquality") // the same step is the same object
  void capture(@Nullable CaptureStep newStep, @Nullable RankRecording newRecording) {
    if (step != newStep || recording != newRecording) {
      step = newStep;
      recording = newRecording;
    }
  }

  /** The step of a capture that it makes; null if it runs normally. */
  @Nullable CaptureStep step() {
    return step;
  }

  /** The recording that it is added to; null if there is none. */
  @Nullable RankRecording recording() {
    return recording;
  }

  /** Sets a binding that the ranks have agreed on in another operation. */
  void brings(RankBinding binding) {
    bring(binding);
  }

  /** Notes that the ranks have agreed on its binding. */
  void agrees() {
    agreed = reachable;
  }

  /** The plan of the current or the last run; null if there is none. */
  @Nullable AgreedRun plan() {
    RankBinding binding = binding();
    return binding == null ? null : (AgreedRun) binding.owner();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same buffers are the same object
  protected boolean isCurrent() {
    if (step != null) {
      return step.isCurrent();
    }
    AgreedRun plan = plan();
    return agreed == reachable && plan != null && plan.isCurrent() && call.areBuffersAlive();
  }

  /** Whether the ranks may run it as a known call. */
  boolean mayBeKnown() {
    return step == null && reachable.isOperation() && reachable.areBuffersAlive();
  }

  /** The last run of this process's ranks that needed no agreement; null if there is none. */
  @Nullable KnownRun lastKnown() {
    return lastKnown;
  }

  void lastKnown(KnownRun run) {
    lastKnown = run;
  }

  /** Sets a binding that the ranks know. */
  void knows(RankBinding binding) {
    agreed = reachable;
    bring(binding);
  }

  @Override
  protected void begun() {
    AgreedRun plan = countsRuns ? plan() : null;
    if (plan != null) {
      plan.begins();
    }
  }

  @Override
  protected void ended() {
    AgreedRun plan = countsRuns && hasBegun() ? plan() : null;
    if (plan != null) {
      plan.ended(failure());
    }
    if (step != null) {
      step.ended(number(), failure());
    }
  }

  /** Whether the agreed plan is running. */
  boolean isBegun() {
    return hasBegun();
  }

  /** The number of the operation under way, 0 if there is none. */
  long underWay() {
    return underWay;
  }

  void underWay(long number) {
    underWay = number;
  }

  /** The entry in the rank's flight record, 0 if there is none. */
  long entry() {
    return entry;
  }

  void entry(long number) {
    entry = number;
  }

  @Override
  public String toString() {
    return call.words();
  }
}
