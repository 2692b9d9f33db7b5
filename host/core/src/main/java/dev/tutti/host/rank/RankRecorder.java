package dev.tutti.host.rank;

import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.capture.JoinStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * Adds the calls of this process's rank to a capture while there is one, and handles the ends of
 * the bodies of other ranks. Thread-safe.
 */
final class RankRecorder {

  private static final long DONE = 0;
  private static final long FAILED = 1;

  private final JobGroup job;
  private final Captures captures;
  private final RankNames names;

  /** The recording that is notified of the ends of other bodies; null outside a capture. */
  private volatile @Nullable RankRecording listening;

  /** The recording of this rank's calls; null if they are run. */
  private volatile @Nullable RankRecording recording;

  RankRecorder(JobGroup job, Captures captures, RankNames names) {
    this.job = job;
    this.captures = captures;
    this.names = names;
  }

  /**
   * Begins a recording, which is notified of the ends of other bodies from now on.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if there is already one
   */
  RankRecording begin() {
    if (listening != null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "this group is already capturing; a captured run may be a part of another capture, but a"
              + " body cannot capture itself");
    }
    RankRecording made = new RankRecording();
    listening = made;
    return made;
  }

  /** Ends the recording: it is no longer notified of the ends of other bodies. */
  void end() {
    listening = null;
  }

  /** Makes calls part of a recording from now on; with null, makes them run again. */
  void record(@Nullable RankRecording into) {
    recording = into;
  }

  /** Whether calls of this rank are recorded. */
  boolean isRecording() {
    return recording != null;
  }

  /** Makes the next start of an operation part of the current capture, if there is one. */
  void prepare(RankPart part, @Nullable CaptureStep step, RankMeeting meeting) {
    RankRecording current = recording;
    if (current == null) {
      part.capture(step, null);
      return;
    }
    current.requireGoingOn();
    part.capture(recorded(part.call(), step, meeting, current), current);
  }

  private @Nullable CaptureStep recorded(
      RankCall call, @Nullable CaptureStep step, RankMeeting meeting, RankRecording current) {
    if (step instanceof JoinStep captured) {
      return captured.recordedBy(current, meeting.number());
    }
    return call.isOperation()
        ? captures.record(
            current,
            meeting.number(),
            meeting.rank(0),
            call.call(),
            call.options(),
            call.input(),
            call.output())
        : null;
  }

  /**
   * Informs the other ranks that the body of this rank has ended.
   *
   * @param failure its exception; null if it ended normally
   */
  void tellExit(@Nullable Throwable failure) {
    BodyWriter body = new BodyWriter();
    body.number(failure == null ? DONE : FAILED).text(String.valueOf(failure));
    for (int other = 0; other < job.size(); other++) {
      if (other != job.rank()) {
        job.send(other, Kind.CAPTURE_EXIT, 0, 0, body);
      }
    }
  }

  /** Handles the message that the body of another rank has ended. */
  void exited(JobMessage message) {
    RankRecording current = listening;
    if (current == null) {
      return;
    }
    BodyReader body = message.reader();
    String name = names.name(message.from());
    if (body.number() == DONE) {
      current.exited(
          message.from(),
          new TuttiException(
              ErrorCode.CAPTURE_ABANDONED,
              "%s has ended the body of its capture without this call",
              name));
    } else {
      current.abandon(
          new TuttiException(
              ErrorCode.CAPTURE_ABANDONED,
              "the capture was abandoned, because the body of %s failed: %s",
              name,
              body.text()));
    }
  }
}
