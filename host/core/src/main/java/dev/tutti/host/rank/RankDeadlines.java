package dev.tutti.host.rank;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.base.text.Sentence;
import dev.tutti.engine.MessageRun;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.group.AgreedRun;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Ends operations that last too long or that a rank gives up, and reports waits. Thread-safe. */
final class RankDeadlines {

  private static final int MAX_NAMED = 8;

  private final GroupCore core;
  private final RankNames names;
  private final RankWatch watch;
  private final RankActivity activity;
  private final IntFunction<String> elsewhere;

  /**
   * Makes the deadlines of a group.
   *
   * @param elsewhere gives the known facts about a rank in another process; empty if the rank is in
   *     this one
   */
  RankDeadlines(
      GroupCore core, RankWatch watch, RankActivity activity, IntFunction<String> elsewhere) {
    this.core = core;
    this.names = core.names();
    this.watch = watch;
    this.activity = activity;
    this.elsewhere = elsewhere;
  }

  /**
   * Makes an operation fail that exceeds its deadline, and ends the use of the group.
   *
   * @param waiting the part of the rank that waits
   * @param nanos the time that it has waited
   * @return the failure with which the operation ends: the earlier one, if it had failed already
   */
  TuttiException expire(RankMeeting meeting, RankPart waiting, long nanos) {
    long number = waiting.number();
    List<Integer> missing = meeting.knownMissing(waiting);
    TuttiException expired =
        missing.isEmpty()
            ? late(meeting, waiting, nanos)
            : new TuttiException(
                ErrorCode.DEADLINE_EXCEEDED,
                "%s waited %d ms in operation %d, %s, for %d of %d ranks that did not arrive: %s;"
                    + " the group can only be closed now",
                names.name(waiting.call().rank()),
                nanos / 1_000_000,
                number,
                waiting.call().words(),
                missing.size(),
                meeting.size(),
                describe(meeting, missing));
    if (meeting.queues().fail(number, expired)) {
      AgreedRun plan = missing.isEmpty() ? waiting.plan() : null;
      if (plan != null) {
        plan.failed(expired);
      }
      core.slot().poison(String.valueOf(expired.getMessage()));
      return expired;
    }
    TuttiException earlier = meeting.queues().failure(number);
    return earlier == null ? expired : told(earlier);
  }

  /**
   * Makes the unfinished operations of a rank fail for all ranks, and waits until no rank is at
   * work in them.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if a rank still is after the
   *     deadline of the group
   */
  void giveUp(RankMeeting meeting, int rank) {
    int place = meeting.placeOf(rank);
    if (place < 0) {
      return;
    }
    OperationQueues queues = meeting.queues();
    long last = queues.started(place);
    for (long number = last - MeetingQueues.CAPACITY; number <= last; number++) {
      if (!queues.hasEnded(place, number)) {
        queues.fail(
            number,
            new TuttiException(
                ErrorCode.INVALID_STATE,
                "%s has closed the group without waiting for operation %d",
                names.name(rank),
                number));
        requireEnd(meeting, place, number);
      }
    }
    KnownCalls known = meeting.knownCalls();
    if (known != null) {
      known.leaves(rank, last);
    }
  }

  private void requireEnd(RankMeeting meeting, int place, long number) {
    long nanos = Deadlines.nanos(core.settings().deadline());
    if (!meeting.drain(place, number, nanos)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "%s cannot close the group: operation %d has failed, but after %d ms ranks are still at"
              + " work in it, and may use the buffers of others: %s; let them go on, or end their"
              + " processes, and close the group again",
          names.name(meeting.rank(place)),
          number,
          nanos / 1_000_000,
          describe(meeting, meeting.queues().inside(number).stream().map(meeting::rank).toList()));
    }
  }

  /** The exception that a rank gets for the failure of its operation. */
  TuttiException told(TuttiException failure) {
    JobGroup job = core.job();
    String more =
        job == null || !job.isAbandoned()
            ? ""
            : "; messages may still be on their way, so keep the buffers until the process ends";
    return new TuttiException(failure.code(), failure, "%s%s", failure.getMessage(), more);
  }

  private String describe(RankMeeting meeting, List<Integer> ranks) {
    return ranks.stream()
            .limit(MAX_NAMED)
            .map(rank -> describe(meeting, rank))
            .collect(Collectors.joining(", "))
        + (ranks.size() > MAX_NAMED ? ", …" : "");
  }

  private String describe(RankMeeting meeting, int rank) {
    String process = elsewhere.apply(rank);
    if (!process.isEmpty()) {
      int place = meeting.placeOf(rank);
      return place < 0
          ? Sentence.of("%s (%s)", names.name(rank), process)
          : Sentence.of("%s (%s; %s)", names.name(rank), process, meeting.queues().doing(place));
    }
    RankWatch.Current doing = watch.current(rank);
    if (doing != null) {
      return names.name(rank) + " is in " + doing.part().call().words();
    }
    List<RankActivity.Started> open = activity.open(rank);
    return open.isEmpty()
        ? names.name(rank) + " is in no call" + watch.lastCall(rank)
        : names.name(rank) + " has not waited for its " + open.getFirst().part().call().words();
  }

  /** The error of an operation that all ranks have started and that does not end. */
  private TuttiException late(RankMeeting meeting, RankPart waiting, long nanos) {
    if (core.areApart()) {
      return lateApart(meeting, waiting, nanos);
    }
    TuttiException late =
        new TuttiException(
            ErrorCode.DEADLINE_EXCEEDED,
            "operation %d, %s, did not finish within its deadline:",
            waiting.number(),
            waiting.call().words());
    AgreedRun plan = waiting.plan();
    return plan == null
        ? late
        : plan.late(late, () -> core.lateStatus().apply(meeting.doing(), meeting.positions()));
  }

  /** A description of the process whose message is missing, and of its ranks. */
  private String describeProcess(RankMeeting meeting, int process) {
    JobGroup job = Objects.requireNonNull(core.job(), "the ranks are in several processes");
    int[] ranks = job.processes().ranks(process);
    String others =
        IntStream.of(ranks).skip(1).mapToObj(names::name).collect(Collectors.joining(", "));
    String first = describe(meeting, ranks[0]);
    return others.isEmpty() ? first : first + " or its other ranks: " + others;
  }

  /** As {@link #late}, for a rank that does not see the progress of the others. */
  private TuttiException lateApart(RankMeeting meeting, RankPart waiting, long nanos) {
    RankBinding binding = waiting.binding();
    boolean isBegun = waiting.isBegun();
    int awaited =
        isBegun && binding instanceof MessageRun run ? run.waitsFor() : StreamPosition.NOBODY;
    String what =
        awaited != StreamPosition.NOBODY
            ? "for a message of " + describeProcess(meeting, awaited)
            : isBegun ? "for its own work" : "until all agree on it";
    TuttiException late =
        new TuttiException(
            ErrorCode.DEADLINE_EXCEEDED,
            "%s waited %d ms in operation %d, %s, %s; the group can only be closed now",
            names.name(waiting.call().rank()),
            nanos / 1_000_000,
            waiting.number(),
            waiting.call().words(),
            what);
    AgreedRun plan = isBegun ? waiting.plan() : null;
    return plan == null
        ? late
        : plan.late(
            new TuttiException(late.code(), "%s:", late.getMessage()),
            () -> core.lateStatus().apply(meeting.doing(), meeting.positions()));
  }
}
