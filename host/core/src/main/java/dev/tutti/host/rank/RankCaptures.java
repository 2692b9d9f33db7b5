package dev.tutti.host.rank;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.CapturedRuns;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.capture.ExitStep;
import dev.tutti.host.capture.JoinStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The captures of ranks in several processes. All ranks
 *
 * <ol>
 *   <li>begin a capture together, as an operation like others;
 *   <li>run their bodies, whose calls are agreed on and recorded;
 *   <li>notify each other when their bodies have ended, so that no rank waits for a call that is
 *       never made; then they vote, and continue with the same operation number;
 *   <li>join their recordings into one plan.
 * </ol>
 *
 * Only the rank's thread may capture; any thread may query.
 */
public final class RankCaptures {

  private final Captures captures;
  private final RankRecorder recorder;
  private final RankCalls calls;
  private final RankMeetings meetings;
  private final RankMeeting everybody;
  private final RankMeeting ends;
  private final RankNames names;
  private final int rank;
  private final long deadlineNanos;
  private final boolean areApart;

  private int count;

  private RankCaptures(
      GroupCore core, JobGroup job, Captures captures, RankCalls calls, RankRecorder recorder) {
    this.captures = captures;
    this.recorder = recorder;
    this.calls = calls;
    this.meetings = calls.meetings();
    this.everybody = meetings.everybody();
    this.ends = Objects.requireNonNull(meetings.endsOfCaptures());
    this.names = core.names();
    this.rank = job.rank();
    this.areApart = core.areApart();
    this.deadlineNanos = core.settings().deadlineNanos(CallOptions.defaults());
  }

  /** Makes the captures of a group; null if all its ranks are in this process. */
  public static @Nullable RankCaptures of(GroupCore core, Captures captures, RankCalls calls) {
    JobGroup job = core.job();
    RankRecorder recorder = calls.recorder();
    return job == null || recorder == null
        ? null
        : new RankCaptures(core, job, captures, calls, recorder);
  }

  /** Captures the calls of a body, together with those of all other ranks' bodies. */
  public CapturedRuns of(Runnable body) {
    if (areApart) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "ranks in processes that share no memory cannot capture; run the operations one by one");
    }
    RankRecording own = recorder.begin();
    JoinStep joined;
    try {
      run("capture", everybody, new CaptureStep() {});
      joined = exited(own, failureOf(own, body));
    } finally {
      recorder.end();
    }
    count++;
    try {
      run("end of capture " + count, everybody, joined);
    } catch (Throwable t) {
      captures.close(joined);
      throw t;
    }
    String title = "replay of capture " + count;
    RankCaptured captured = new RankCaptured(names.name(rank), captures, joined, rank, title);
    RankOperation replay = operation(title, everybody, joined, captured, joined.deadlineNanos());
    replay.part().brings(joined.binding());
    captured.runs(replay);
    return captured;
  }

  /** Runs a body; returns its exception, or null. */
  private @Nullable Throwable failureOf(RankRecording own, Runnable body) {
    recorder.record(own);
    try {
      body.run();
      return null;
    } catch (Throwable t) {
      return t;
    } finally {
      recorder.record(null);
      abandonOpen(own);
    }
  }

  /** Ends the operations that the body has started but not waited for. */
  private void abandonOpen(RankRecording own) {
    for (RankActivity.Started left : calls.activity().open(rank)) {
      if (own.equals(left.part().recording())) {
        left.abandon(
            names.name(rank)
                + " has ended the body of its capture without waiting for its "
                + left.part().call().words());
      }
    }
  }

  /**
   * Waits until the bodies of all ranks have ended.
   *
   * @param thrown the exception of this rank's body, or null
   */
  private JoinStep exited(RankRecording own, @Nullable Throwable thrown) {
    JoinStep joined = null;
    Throwable failure = thrown;
    if (failure == null && own.abandoned() == null) {
      try {
        joined = captures.join(own, everybody.bindings(), everybody.queues());
      } catch (TuttiException e) {
        failure = e;
      }
    }
    try {
      recorder.tellExit(failure);
      ExitStep exit = new ExitStep(own, names, failure);
      run("end of a body that is captured", ends, exit);
      exit.lasts().forEach(this::realign);
      exit.requireAllDone();
      return Objects.requireNonNull(joined);
    } catch (Throwable t) {
      if (joined != null) {
        captures.close(joined);
      }
      if (failure != null && !failure.equals(t.getCause())) {
        t.addSuppressed(failure);
      }
      throw t;
    }
  }

  private void realign(int meeting, long last) {
    if (meetings.takesPart(rank, meeting)) {
      RankMeeting where = meetings.numbered(meeting);
      where.realign(where.placeOf(rank), last);
    }
  }

  /** Runs a step of a capture together with all ranks; an interrupt does not end it. */
  private void run(String words, RankMeeting meeting, CaptureStep step) {
    RankOperation operation = operation(words, meeting, step, null, deadlineNanos);
    boolean wasInterrupted = Thread.interrupted();
    try {
      operation.start();
      while (operation.isRunning()) {
        try {
          operation.await();
        } catch (TuttiException e) {
          if (e.code() != ErrorCode.INTERRUPTED) {
            throw e;
          }
          wasInterrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private RankOperation operation(
      String words,
      RankMeeting meeting,
      CaptureStep step,
      @Nullable CallCopies copies,
      long nanos) {
    RankCall call = RankCall.ofCapture(rank, words);
    return new RankOperation(calls, call, copies, step, meeting, nanos);
  }
}
