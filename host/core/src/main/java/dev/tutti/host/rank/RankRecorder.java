package dev.tutti.host.rank;

import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.capture.JoinedStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds the calls of this process's ranks to a capture while there is one, and handles the ends of
 * the bodies of all ranks. Thread-safe.
 */
final class RankRecorder {

  private static final long DONE = 0;
  private static final long FAILED = 1;

  private final GroupCore core;
  private final JobGroup job;
  private final Captures captures;
  private final RankNames names;
  private final RankMeetings meetings;
  private final RankSlot slot;

  /** The recordings that are notified of the ends of other bodies; empty outside a capture. */
  private volatile List<RankRecording> listening = List.of();

  /** The recording of each rank's calls; null if they are run. */
  private final AtomicReferenceArray<@Nullable RankRecording> recordings;

  /**
   * Makes a recorder that records nothing yet.
   *
   * @param meetings finds the meetings that other processes name
   * @param slot has the meetings that are in use here
   */
  RankRecorder(
      GroupCore core, JobGroup job, Captures captures, RankMeetings meetings, RankSlot slot) {
    this.core = core;
    this.job = job;
    this.captures = captures;
    this.names = core.names();
    this.meetings = meetings;
    this.slot = slot;
    this.recordings = new AtomicReferenceArray<>(core.rankSize());
  }

  /**
   * Begins a recording for each rank of this process. From now on, they are notified of the ends of
   * other bodies.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if there are recordings already
   */
  synchronized List<RankRecording> begin() {
    if (!listening.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "this group is already capturing; a captured run may be a part of another capture, but a"
              + " body cannot capture itself");
    }
    List<RankRecording> made =
        IntStream.of(core.localRanks()).mapToObj(RankRecording::new).toList();
    listening = made;
    return made;
  }

  /** Ends the recordings: they are no longer notified of the ends of other bodies. */
  void end() {
    listening = List.of();
  }

  /** Makes the calls of its rank part of a recording from now on. */
  void record(RankRecording into) {
    recordings.set(into.rank(), into);
  }

  /** Makes the calls of a rank run again. */
  void run(int rank) {
    recordings.set(rank, null);
  }

  /** Whether calls of any rank are recorded. */
  boolean isRecording() {
    for (int rank = 0; rank < recordings.length(); rank++) {
      if (recordings.get(rank) != null) {
        return true;
      }
    }
    return false;
  }

  /** Makes the next start of an operation part of the current capture, if there is one. */
  void prepare(RankPart part, @Nullable CaptureStep step, RankMeeting meeting) {
    RankRecording current = recordings.get(part.call().rank());
    if (current == null) {
      part.capture(step, null);
      return;
    }
    current.requireGoingOn();
    part.capture(recorded(part.call(), step, meeting, current), current);
  }

  private @Nullable CaptureStep recorded(
      RankCall call, @Nullable CaptureStep step, RankMeeting meeting, RankRecording current) {
    if (step instanceof JoinedStep captured) {
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
   * Informs all other ranks that the body of a rank of this process has ended.
   *
   * @param failure its exception; null if it ended normally
   */
  void tellExit(int rank, @Nullable Throwable failure) {
    String text = String.valueOf(failure);
    for (RankRecording beside : listening) {
      if (beside.rank() != rank) {
        ended(beside, rank, failure == null, text);
      }
    }
    BodyWriter body = new BodyWriter().number(rank);
    body.number(failure == null ? DONE : FAILED).text(text);
    List<RankMeeting> seen = core.areApart() ? meetingsOf(rank) : List.of();
    body.number(seen.size());
    for (RankMeeting meeting : seen) {
      body.number(meeting.number());
      body.number(meeting.queues().started(meeting.placeOf(rank)));
    }
    for (int first : job.processes().firsts()) {
      if (!core.isLocal(first)) {
        job.send(first, Kind.CAPTURE_EXIT, 0, 0, body);
      }
    }
  }

  /** The meetings of a rank whose operations other processes do not see. */
  private List<RankMeeting> meetingsOf(int rank) {
    List<RankMeeting> found = new ArrayList<>();
    for (RankMeeting meeting : slot.meetings()) {
      if (meetings.takesPart(rank, meeting.number())) {
        found.add(meeting);
      }
    }
    return found;
  }

  /** Handles the message that the body of a rank of another process has ended. */
  void exited(JobMessage message) {
    BodyReader body = message.reader();
    int rank = body.count();
    boolean isDone = body.number() == DONE;
    String text = body.text();
    for (int left = body.count(); left > 0; left--) {
      hasStarted(rank, body.count(), body.number());
    }
    listening.forEach(each -> ended(each, rank, isDone, text));
  }

  /** Notes the last operation that a rank of another process has started in a meeting. */
  private void hasStarted(int rank, int meeting, long last) {
    for (int own : core.localRanks()) {
      if (meetings.takesPart(own, meeting)) {
        RankMeeting where = meetings.numbered(meeting);
        where.queues().hearStarted(where.placeOf(rank), last);
        return;
      }
    }
  }

  private void ended(RankRecording recording, int rank, boolean isDone, String text) {
    if (isDone) {
      recording.exited(
          rank,
          new TuttiException(
              ErrorCode.CAPTURE_ABANDONED,
              "%s has ended the body of its capture without this call",
              names.name(rank)));
    } else {
      recording.abandon(
          new TuttiException(
              ErrorCode.CAPTURE_ABANDONED,
              "the capture was abandoned, because the body of %s failed: %s",
              names.name(rank),
              text));
    }
  }
}
