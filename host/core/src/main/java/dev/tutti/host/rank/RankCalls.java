package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.Recording;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a group's ranks. All ranks meet in one place for collective operations, two in a
 * place of their own for transfers. Thread-safe.
 */
public final class RankCalls implements AutoCloseable {

  private final GroupCore core;
  private final RankNames names;
  private final RankSlot slot;
  private final RankMeeting everybody;
  private final RankMeetings meetings;
  private final RankActivity activity;
  private final RankExits exits;
  private final RankRecords records;
  private final RankWatch watch;
  private final RankDeadlines deadlines;

  /**
   * The calls of the groups that were made from this one, and which ranks of this one they have.
   */
  private final Map<RankCalls, RankList> parts = new ConcurrentHashMap<>();

  private final RankStaging[] staging;
  private final RecentCalls[] recent;
  private final AtomicBoolean runsBodies = new AtomicBoolean();

  /** Records calls of the rank of this process; null if all ranks are in this one. */
  private final @Nullable RankRecorder recorder;

  /**
   * The calls of the ranks of a group.
   *
   * @param splitter makes the groups of all colours, from the calls of all ranks
   */
  public RankCalls(
      GroupCore core,
      Captures captures,
      GroupBindings bindings,
      Consumer<List<RankCall>> splitter) {
    this.core = core;
    this.names = core.names();
    int ranks = core.rankSize();
    this.slot = new RankSlot(core.slot());
    this.meetings = new RankMeetings(core, slot, captures, bindings, splitter);
    this.everybody = meetings.everybody();
    this.activity = new RankActivity(names, ranks);
    this.exits = new RankExits(ranks);
    this.records = new RankRecords(core);
    this.watch = new RankWatch(names, records, slot, activity, exits);
    this.deadlines = new RankDeadlines(core, watch, activity, this::elsewhere);
    this.staging = new RankStaging[ranks];
    Arrays.setAll(staging, rank -> new RankStaging(core.reach()));
    this.recent = new RecentCalls[ranks];
    Arrays.setAll(recent, rank -> new RecentCalls());
    core.slot().onPoison(this::endAll);
    JobGroup job = core.job();
    RankRecorder made = job == null ? null : new RankRecorder(job, captures, names);
    this.recorder = made;
    if (job != null && made != null) {
      job.listen(new OtherRanks(core, job, slot, meetings::numbered, made::exited, this::depart));
    }
  }

  /** What is known of a rank that is in another process, in words; empty if it is in this one. */
  String elsewhere(int rank) {
    JobGroup job = core.job();
    return job == null || core.isLocal(rank) ? "" : job.describe(rank);
  }

  RankNames names() {
    return names;
  }

  public String name(int rank) {
    return names.name(rank);
  }

  /**
   * A request of one rank, not started.
   *
   * @param isExact whether the counts follow from the buffers, so that longer ones are refused
   *     unless the caller's options allow them
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} for ranks that do not exist, and for
   *     a transfer of a rank with itself, or of others; {@link ErrorCode#INVALID_COUNT}, {@link
   *     ErrorCode#UNSUPPORTED_TYPE} and {@link ErrorCode#BUFFER_TOO_SMALL} for what the operation
   *     cannot be made with
   */
  public RankOperation request(RankCall call, boolean isExact) {
    RankMeeting meeting = meetings.of(call.call(), call.rank());
    return operation(UsedBuffers.of(call, isExact, core.topology(), names), meeting);
  }

  /** A rank's part in splitting the group, not started. */
  public RankOperation split(RankCall call) {
    return operation(call, everybody);
  }

  /**
   * What a rank wanted to do with all others and cannot: it counts as the rank's next operation, so
   * that the others are told at once, and throws the rank's own error when it is run.
   *
   * @param operation the operation's name
   */
  public RankOperation refused(
      int rank, String operation, CallOptions options, TuttiException error) {
    return operation(RankCall.ofRefused(rank, options, operation, error), everybody);
  }

  /**
   * The same for a transfer.
   *
   * @throws TuttiException the rank's own error, if there is no other end to tell
   */
  public RankOperation refusedTransfer(
      int rank, int source, int destination, CallOptions options, TuttiException error) {
    RankMeeting meeting = meetings.ofTransfer(rank, source, destination);
    if (meeting == null) {
      throw error;
    }
    String operation = rank == source ? "send" : "receive";
    return operation(RankCall.ofRefused(rank, options, operation, error), meeting);
  }

  private RankOperation operation(RankCall call, RankMeeting meeting) {
    StagedCall staged = StagedCall.of(call, staging[call.rank()], core.reach(), core.areApart());
    long nanos = core.settings().deadlineNanos(call.options());
    return new RankOperation(this, call, staged, null, meeting, nanos);
  }

  /** Has the next start of an operation become part of the capture that is under way, if any is. */
  void capture(RankPart part, @Nullable CaptureStep step, RankMeeting meeting) {
    if (recorder != null) {
      recorder.prepare(part, step, meeting);
    }
  }

  /** The last blocking calls of a rank. */
  public RecentCalls recent(int rank) {
    return recent[rank];
  }

  RankMeetings meetings() {
    return meetings;
  }

  /** Records calls of the rank of this process; null if all ranks are in this one. */
  @Nullable RankRecorder recorder() {
    return recorder;
  }

  RankActivity activity() {
    return activity;
  }

  /** Refuses a group that cannot run any more; what it gave up before is told first. */
  void requireUsable(RankMeeting meeting, int place) {
    OperationQueues queues = meeting.queues();
    if (queues.hasFailed(queues.started(place) + 1)) {
      return;
    }
    core.slot().requireUsable();
    int behind = queues.failedAhead();
    if (behind >= queues.mostFailedAhead()) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "a rank is %d operations behind the others, which have given up on these; let it catch"
              + " up, or close the group",
          behind);
    }
  }

  /** Whether ranks' calls are recorded and not run. */
  boolean isCapturing() {
    return Recording.isOfRanks(core.slot()) || (recorder != null && recorder.isRecording());
  }

  /** What a rank is told of the failure of its operation. */
  TuttiException told(TuttiException failure) {
    JobGroup job = core.job();
    String more =
        job == null || !job.isAbandoned()
            ? ""
            : "; messages may still be on their way, so keep the buffers until the process ends";
    return new TuttiException(failure.code(), failure, "%s%s", failure.getMessage(), more);
  }

  void poison(String cause) {
    core.slot().poison(cause);
  }

  /** Lets an operation fail that some rank will never start. */
  void endIfSomebodyIsAbsent(RankMeeting meeting, long number) {
    if (exits.areThereAny()) {
      endOfAbsent(meeting, number);
    }
  }

  private void endOfAbsent(RankMeeting meeting, long number) {
    RankExit first = null;
    for (int rank : meeting.missing(number)) {
      RankExit exit = exits.of(rank);
      if (exit != null && (first == null || exit.order() < first.order())) {
        first = exit;
      }
    }
    if (first != null) {
      meeting.queues().fail(number, new TuttiException(first.code(), "%s", first.reason()));
    }
  }

  /** Lets an operation fail because a rank asks for it; whether it had not ended for all. */
  boolean cancel(RankMeeting meeting, RankCall by, long number) {
    return meeting
        .queues()
        .fail(
            number,
            new TuttiException(
                ErrorCode.CANCELLED,
                "%s cancelled operation %d, %s, %s",
                name(by.rank()),
                number,
                by.words(),
                meeting.missing(number).isEmpty()
                    ? "while it ran; its outputs are not usable"
                    : "before all ranks had started it"));
  }

  /** Ends operations whose time is over. */
  RankDeadlines deadlines() {
    return deadlines;
  }

  /** What deadlines of calls go by. */
  Clock clock() {
    return core.engine().waiting().clock();
  }

  /** Says what the ranks do, and what they did last. */
  public RankWatch watch() {
    return watch;
  }

  /** Notes what the ranks do. */
  RankRecords records() {
    return records;
  }

  /** A group was made from this one, of some of its ranks. */
  public void addPart(RankCalls part, RankList members) {
    parts.put(part, members);
  }

  /** A group that was made from this one is closed. */
  public void removePart(RankCalls part) {
    parts.remove(part);
  }

  /**
   * Runs a body per rank and waits for their ends.
   *
   * @param handles what the body of each rank of this process gets
   */
  public <H> void runAll(List<H> handles, Consumer<H> body) {
    if (!runsBodies.compareAndSet(false, true)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the group is already running a body per rank; wait for its end");
    }
    try {
      new RankBodies(core.localRanks(), this::bodyEnded).run(handles, body);
    } finally {
      bodiesEnded();
      runsBodies.set(false);
    }
  }

  /**
   * The body of a rank has ended; other processes learn of it when the group is closed, or another
   * rank of this process waits for it.
   */
  private void bodyEnded(int rank, String how) {
    if (core.localRanks().length > 1) {
      depart(rank, how, ErrorCode.INVALID_STATE);
      return;
    }
    abandon(rank);
    for (Map.Entry<RankCalls, RankList> each : parts.entrySet()) {
      int own = each.getValue().indexOf(rank);
      if (own >= 0) {
        each.getKey().bodyEnded(own, how);
      }
    }
  }

  /**
   * The ranks of this process may make calls again; where all are, they begin with the same one.
   */
  private void bodiesEnded() {
    exits.forgetAll(core::isLocal);
    // Nobody here knows what the bodies of ranks in other processes do.
    if (core.job() == null && core.slot().isUsable()) {
      slot.meetings().forEach(RankMeeting::realign);
    }
    parts.keySet().forEach(RankCalls::bodiesEnded);
  }

  /** Notes that a rank makes no more calls here and in sub-groups, and ends the waits for it. */
  private void depart(int rank, String how, ErrorCode why) {
    ErrorCode code =
        why == ErrorCode.INVALID_STATE && isCapturing() ? ErrorCode.CAPTURE_ABANDONED : why;
    exits.add(rank, code, name(rank) + how);
    parts.forEach(
        (part, members) -> {
          int own = members.indexOf(rank);
          if (own >= 0) {
            part.depart(own, how, why);
          }
        });
    abandon(rank);
    for (RankMeeting meeting : slot.meetings()) {
      if (meeting.placeOf(rank) >= 0) {
        endWaitsFor(rank, meeting);
      }
    }
  }

  /** Ends what a rank has started and not waited for. */
  private void abandon(int rank) {
    for (RankActivity.Started left : activity.open(rank)) {
      left.abandon(
          name(rank) + " has ended its body without waiting for its " + left.part().call().words());
    }
  }

  private void endWaitsFor(int rank, RankMeeting meeting) {
    long last = meeting.lastStarted();
    long next = meeting.queues().started(meeting.placeOf(rank)) + 1;
    for (long number = next; number <= last; number++) {
      endOfAbsent(meeting, number);
    }
  }

  /**
   * Ends all waits because the group is poisoned or closed. The ranks of other processes may go on
   * with what this one has done its part of, so they only hear of poison here.
   */
  private void endAll() {
    if (core.job() != null && !core.slot().isPoisoned()) {
      return;
    }
    try {
      core.slot().requireUsable();
    } catch (TuttiException e) {
      slot.meetings().forEach(meeting -> meeting.queues().failAll(e));
    }
  }

  /** Ends all waits because the group is closed, and tells the ranks of other processes. */
  public void leave() {
    endAll();
    JobGroup job = core.job();
    if (job != null) {
      job.close(core.slot().poisonCause());
    }
  }

  /**
   * Lets what the ranks of this process have started and what has not ended fail for all ranks, as
   * it is about to close the group; does nothing if all ranks are here.
   *
   * @param mayRun whether some of it may run. Without shared memory a rank runs an operation before
   *     the others come, and they may never come, so only then that is given up
   */
  public void giveUpOwn(boolean mayRun) {
    JobGroup job = core.job();
    if (job != null && mayRun == core.areApart()) {
      for (int rank : core.localRanks()) {
        slot.meetings().forEach(meeting -> meeting.giveUp(rank));
      }
    }
  }

  /** Frees the copies. Called when no run is under way and none can begin. */
  @Override
  public void close() {
    for (RankStaging each : staging) {
      each.close();
    }
  }
}
