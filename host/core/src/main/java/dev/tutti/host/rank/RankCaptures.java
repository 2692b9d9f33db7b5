package dev.tutti.host.rank;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.CapturedRuns;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.capture.ExitStep;
import dev.tutti.host.capture.JoinedStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * If a process has one rank, only that rank's thread may capture. Otherwise one thread captures for
 * all ranks of the process; each body runs on its own thread.
 */
public final class RankCaptures {

  private final Captures captures;
  private final RankRecorder recorder;
  private final RankCalls calls;
  private final RankMeetings meetings;
  private final RankMeeting everybody;
  private final RankMeeting ends;
  private final RankNames names;
  private final int[] ranks;
  private final long deadlineNanos;

  /**
   * Whether a process of the group has several ranks. Then each process runs a body per rank, and
   * one thread replays for all ranks of the process.
   */
  private final boolean areSeveral;

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
    this.ranks = core.localRanks();
    this.areSeveral = job.processes().count() < core.rankSize();
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

  /**
   * Captures the calls of a body for each rank of this process, together with those of all other
   * ranks' bodies.
   *
   * @param handles the argument of each rank's body
   */
  public <H> CapturedRuns of(List<H> handles, Consumer<H> body) {
    requireNoBodies();
    List<RankRecording> own = recorder.begin();
    JoinedStep joined;
    String title = "replay of capture " + (count + 1);
    try {
      run("capture", everybody, rank -> new CaptureStep() {});
      joined = exited(own, failuresOf(own, handles, body), title);
    } finally {
      recorder.end();
    }
    count++;
    try {
      run("end of capture " + count, everybody, rank -> joined);
    } catch (Throwable t) {
      captures.close(joined);
      throw t;
    }
    return captured(joined, title);
  }

  private RankCaptured captured(JoinedStep joined, String title) {
    String name = IntStream.of(ranks).mapToObj(names::name).collect(Collectors.joining(", "));
    RankCaptured captured =
        new RankCaptured(name, captures, joined, ranks[0], title, this::requireNoBodies);
    List<RankOperation> replays = new ArrayList<>();
    for (int rank : ranks) {
      RankCaptured copies = rank == ranks[0] ? captured : null;
      RankOperation replay =
          operation(rank, title, everybody, joined, copies, joined.deadlineNanos());
      replay.part().brings(joined.binding());
      replays.add(replay);
    }
    captured.runs(new RankOperations(replays));
    return captured;
  }

  /** Refuses what one thread does for all ranks while these make their own calls. */
  private void requireNoBodies() {
    if (areSeveral && calls.areBodiesRunning()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "if a process has several ranks, one thread captures and replays for all of them; do it"
              + " outside the bodies of Group.run and of other captures");
    }
  }

  /** Runs the body of each rank; returns their exceptions, or null for each rank without one. */
  private <H> @Nullable Throwable[] failuresOf(
      List<RankRecording> own, List<H> handles, Consumer<H> body) {
    @Nullable Throwable[] failures = new Throwable[ranks.length];
    if (areSeveral) {
      own.forEach(recorder::record);
      List<Integer> places = IntStream.range(0, ranks.length).boxed().toList();
      try {
        calls.runAll(
            places,
            at -> failures[at] = failureOf(own.get(at), () -> body.accept(handles.get(at))),
            (rank, how) -> {});
      } catch (TuttiException e) {
        // No body has begun, or other processes cannot be told of the ends.
        for (int at : places) {
          failures[at] = failureOf(own.get(at), () -> raise(e));
        }
      }
    } else {
      recorder.record(own.getFirst());
      failures[0] = failureOf(own.getFirst(), () -> body.accept(handles.getFirst()));
    }
    return failures;
  }

  private static void raise(TuttiException failure) {
    throw failure;
  }

  /** Runs the body of a rank and informs all others of its end; returns its exception, or null. */
  private @Nullable Throwable failureOf(RankRecording own, Runnable body) {
    Throwable failure = null;
    try {
      body.run();
    } catch (Throwable t) {
      failure = t;
    } finally {
      recorder.run(own.rank());
      abandonOpen(own);
    }
    try {
      recorder.tellExit(own.rank(), failure);
    } catch (TuttiException e) {
      if (failure != null) {
        e.addSuppressed(failure);
      }
      throw e;
    }
    return failure;
  }

  /** Ends the operations that the body has started but not waited for. */
  private void abandonOpen(RankRecording own) {
    for (RankActivity.Started left : calls.activity().open(own.rank())) {
      if (own.equals(left.part().recording())) {
        left.abandon(
            names.name(own.rank())
                + " has ended the body of its capture without waiting for its "
                + left.part().call().words());
      }
    }
  }

  /**
   * Waits until the bodies of all ranks have ended.
   *
   * @param failures the exceptions of the bodies of this process's ranks, or null
   */
  private JoinedStep exited(List<RankRecording> own, @Nullable Throwable[] failures, String title) {
    JoinedStep joined = null;
    if (Stream.of(failures).allMatch(Objects::isNull)
        && own.stream().allMatch(each -> each.abandoned() == null)) {
      try {
        joined = captures.join(own, everybody.bindings(), everybody.queues(), title);
      } catch (TuttiException e) {
        failures[0] = e;
      }
    }
    try {
      List<ExitStep> exits = new ArrayList<>();
      for (int at = 0; at < ranks.length; at++) {
        exits.add(new ExitStep(own.get(at), names, failures[at]));
      }
      run("end of a body that is captured", ends, rank -> exits.get(indexOf(rank)));
      exits.getFirst().lasts().forEach(this::realign);
      // The first body that failed here is the cause of the error.
      int failed = (int) Stream.of(failures).takeWhile(Objects::isNull).count();
      exits.get(failed % ranks.length).requireAllDone();
      return Objects.requireNonNull(joined);
    } catch (Throwable t) {
      if (joined != null) {
        captures.close(joined);
      }
      for (Throwable failure : failures) {
        if (failure != null && !failure.equals(t.getCause())) {
          t.addSuppressed(failure);
        }
      }
      throw t;
    }
  }

  private int indexOf(int rank) {
    return Arrays.binarySearch(ranks, rank);
  }

  private void realign(int meeting, long last) {
    for (int rank : ranks) {
      if (meetings.takesPart(rank, meeting)) {
        RankMeeting where = meetings.numbered(meeting);
        where.realign(where.placeOf(rank), last);
      }
    }
  }

  /** Runs a step of a capture together with all ranks; an interrupt does not end it. */
  private void run(String words, RankMeeting meeting, IntFunction<CaptureStep> stepOf) {
    List<RankOperation> own = new ArrayList<>();
    for (int rank : ranks) {
      own.add(operation(rank, words, meeting, stepOf.apply(rank), null, deadlineNanos));
    }
    new RankOperations(own).runUninterruptibly();
  }

  private RankOperation operation(
      int rank,
      String words,
      RankMeeting meeting,
      CaptureStep step,
      @Nullable CallCopies copies,
      long nanos) {
    RankCall call = RankCall.ofCapture(rank, words);
    return new RankOperation(calls, call, copies, step, meeting, nanos);
  }
}
