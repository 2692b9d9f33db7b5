package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.group.GroupBindings;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.GroupLog;
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
 * The calls of a group's ranks. All ranks share a meeting for collective operations, and each pair
 * has one for transfers. Thread-safe.
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

  /** The calls of the sub-groups, and the ranks of this group that they have. */
  private final Map<RankCalls, RankList> parts = new ConcurrentHashMap<>();

  private final RankStaging[] staging;
  private final RecentCalls[] recent;
  private final AtomicBoolean runsBodies = new AtomicBoolean();

  /** Records calls of the ranks of this process; null if all ranks are in this one. */
  private final @Nullable RankRecorder recorder;

  /**
   * Makes the calls of a group's ranks.
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
    core.slot().onPoison(this::endAll, cause -> GroupLog.failed(core, cause));
    JobGroup job = core.job();
    RankRecorder made = job == null ? null : new RankRecorder(core, job, captures, meetings, slot);
    this.recorder = made;
    if (job != null && made != null) {
      job.listen(new OtherRanks(core, job, slot, meetings::numbered, made::exited, this::depart));
    }
  }

  /**
   * The known facts about a rank in another process, in words; empty if the rank is in this one.
   */
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
   * Makes a request of one rank, and does not start it.
   *
   * @param isExact whether the counts follow from the buffers, so that longer ones are refused
   *     unless the caller's options allow them
   * @throws TuttiException with {@link ErrorCode#INVALID_RANK} for ranks that do not exist, and for
   *     a transfer of a rank with itself or between other ranks; {@link ErrorCode#INVALID_COUNT},
   *     {@link ErrorCode#UNSUPPORTED_TYPE} and {@link ErrorCode#BUFFER_TOO_SMALL} for arguments
   *     that do not fit the operation
   */
  public RankOperation request(RankCall call, boolean isExact) {
    RankMeeting meeting = meetings.of(call.call(), call.rank());
    return operation(UsedBuffers.of(call, isExact, core.topology(), names), meeting);
  }

  /** Makes a rank's part in splitting the group, and does not start it. */
  public RankOperation split(RankCall call) {
    return operation(call, everybody);
  }

  /**
   * Makes an operation for a call that a rank cannot make. It counts as the rank's next operation,
   * so that the other ranks see the error at once, and it throws the rank's own error when it runs.
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
   * @throws TuttiException the rank's own error, if there is no other rank to inform
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

  /** Makes the next start of an operation part of the current capture, if there is one. */
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

  /** Records calls of the ranks of this process; null if all ranks are in this one. */
  @Nullable RankRecorder recorder() {
    return recorder;
  }

  RankActivity activity() {
    return activity;
  }

  /**
   * Refuses a group that can no longer run, unless the rank's next operation has already failed:
   * that failure is reported first.
   */
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

  /** Whether the calls of ranks are recorded instead of run. */
  boolean isCapturing() {
    return Recording.isOfRanks(core.slot()) || (recorder != null && recorder.isRecording());
  }

  void poison(String cause) {
    core.slot().poison(cause);
  }

  /** Makes an operation fail if a rank will never start it. */
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

  /** Cancels an operation for a rank; returns whether it had not ended for all ranks. */
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

  /** Ends operations that exceed their deadline. */
  RankDeadlines deadlines() {
    return deadlines;
  }

  /** The clock for the deadlines of calls. */
  Clock clock() {
    return core.engine().waiting().clock();
  }

  /** Reports the activity of the ranks, and their last calls. */
  public RankWatch watch() {
    return watch;
  }

  /** Notes the calls of the ranks. */
  RankRecords records() {
    return records;
  }

  /** Adds the calls of a new sub-group with some of the ranks. */
  public void addPart(RankCalls part, RankList members) {
    parts.put(part, members);
  }

  /** Removes the calls of a closed sub-group. */
  public void removePart(RankCalls part) {
    parts.remove(part);
  }

  /**
   * Runs a body per rank and waits for the ends of all bodies.
   *
   * @param handles the argument of the body of each rank of this process
   */
  public <H> void runAll(List<H> handles, Consumer<H> body) {
    runAll(handles, body, this::bodyEnded);
  }

  /** The same; the listener is notified of the end of each body. */
  <H> void runAll(List<H> handles, Consumer<H> body, RankBodies.Listener listener) {
    if (!runsBodies.compareAndSet(false, true)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "the group is already running a body per rank; wait for its end");
    }
    try {
      new RankBodies(core.localRanks(), listener).run(handles, body);
    } finally {
      bodiesEnded();
      runsBodies.set(false);
    }
  }

  /** Whether {@link #runAll} is running bodies. */
  boolean areBodiesRunning() {
    return runsBodies.get();
  }

  /**
   * Handles the end of a rank's body. If this process has one rank, other processes are notified
   * when the group is closed; if it has several, calls that wait for the rank fail.
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
   * Lets the ranks of this process make calls again. If all ranks are in this process, they begin
   * with the same operation.
   */
  private void bodiesEnded() {
    exits.forgetAll(core::isLocal);
    // This process does not know the state of bodies in other processes.
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

  /** Ends the operations that a rank has started but not yet waited for. */
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
   * Ends all waits because the group is poisoned or closed. If ranks are in several processes, only
   * poison ends waits here: other ranks may continue operations in which this rank has done its
   * part.
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

  /** Ends all waits because the group is closed, and informs the ranks of other processes. */
  public void leave() {
    endAll();
    JobGroup job = core.job();
    if (job != null) {
      job.close(core.slot().poisonCause());
    }
  }

  /**
   * Before the group is closed, makes the unfinished operations that the ranks of this process have
   * started fail for all ranks. Does nothing if all ranks are in this process.
   *
   * @param mayRun true for the call while operations may run, which acts only without shared
   *     memory, where a rank need not wait for the others; false for the call when nothing runs,
   *     which acts only with it
   */
  public void giveUpOwn(boolean mayRun) {
    JobGroup job = core.job();
    if (job != null && mayRun == core.areApart()) {
      for (int rank : core.localRanks()) {
        slot.meetings().forEach(meeting -> deadlines.giveUp(meeting, rank));
      }
    }
  }

  /** Frees the copies. Must be called only when no run is under way and none can begin. */
  @Override
  public void close() {
    // Some may still copy their results.
    watch.awaitReturns(clock());
    List.of(staging).forEach(RankStaging::close);
  }
}
