package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Idler;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import dev.tutti.engine.queue.OperationAgreement;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.engine.queue.OperationQueues.Outcome;
import dev.tutti.engine.queue.QueuedOperation;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.capture.Captures;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.AgreedRun;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.group.Recording;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.rank.Arrivals.Arrival;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A meeting of ranks: all ranks of a group, or the two ends of a transfer, with the operations that
 * they start one after another. One thread compares their calls before any data moves. Thread-safe.
 */
final class RankMeeting implements OperationAgreement, RankRecording.Meeting {

  /**
   * The longest time that a rank, after it gave up an operation, waits until no thread works on it.
   */
  static final long DRAIN_NANOS = 1_000_000_000;

  private final GroupCore core;
  private final RankSlot slot;
  private final Captures captures;
  private final RankBindings bindings;
  private final Consumer<List<RankCall>> splitter;
  private final Agreement agreement;
  private final MeetingPlaces places;
  private final int number;
  private final OperationQueues queues;
  private final Arrivals arrivals = new Arrivals();

  /** The agreement with ranks of other processes; null if all are in this one. */
  private final @Nullable RemoteAgreement remote;

  /** The calls that ranks without shared memory know; null if they share memory. */
  private final @Nullable KnownCalls known;

  /**
   * Makes a meeting.
   *
   * @param ranks the ranks that meet, by place
   * @param number the number of the meeting in all processes
   * @param queues makes the queues in which they run their operations
   */
  RankMeeting(
      GroupCore core,
      RankSlot slot,
      Captures captures,
      RankBindings bindings,
      Consumer<List<RankCall>> splitter,
      int[] ranks,
      int number,
      Function<OperationAgreement, OperationQueues> queues) {
    this.core = core;
    this.slot = slot;
    this.captures = captures;
    this.bindings = bindings;
    this.splitter = splitter;
    this.agreement = new Agreement(core.names());
    this.number = number;
    JobGroup job = MeetingQueues.areHere(core, ranks) ? null : core.job();
    this.places = new MeetingPlaces(ranks, core.rankSize(), job == null ? null : job.processes());
    this.queues = queues.apply(this);
    MessageBindings messages = bindings.messages();
    this.known =
        job == null || messages == null
            ? null
            : new KnownCalls(core, job, this, agreement, places, messages);
    this.remote =
        job == null ? null : new RemoteAgreement(core, job, this, number, bindings, known);
  }

  /** The places of the ranks that meet. */
  MeetingPlaces places() {
    return places;
  }

  /** Handles a message of another process about an operation here. */
  void receive(JobMessage message) {
    if (remote != null) {
      remote.receive(message);
    }
  }

  /**
   * Handles the end of a process: all operations here in which its ranks take part fail, and no
   * rank waits for them.
   *
   * @param lost the ranks of the process that has ended
   * @param error the error text, to which the last activity of the first of them is added
   */
  void lost(int[] lost, String error) {
    int[] lostPlaces = IntStream.of(lost).map(this::placeOf).filter(place -> place >= 0).toArray();
    if (lostPlaces.length > 0) {
      // Without shared memory, this process knows only the activity of its own ranks.
      int seen = known == null ? lostPlaces[0] : places.own()[0];
      String doing = queues.doing(seen);
      queues.failAll(
          new TuttiException(
              ErrorCode.PEER_LOST,
              "%s; %s",
              error,
              known == null ? doing : doing.replaceFirst("it", core.names().name(rank(seen)))));
      IntStream.of(lostPlaces).forEach(queues::gone);
    }
  }

  /** Ends agreements on new operations after messages were cut off; agreed operations continue. */
  void cutOff(TuttiException cause) {
    if (remote != null) {
      remote.cutOff(cause);
    }
  }

  /** The calls that ranks without shared memory know; null if they share memory. */
  @Nullable KnownCalls knownCalls() {
    return known;
  }

  /** The ranks that are known not to have started the operation that a rank waits for. */
  List<Integer> knownMissing(RankPart waiting) {
    List<Integer> missing = missing(waiting.number());
    return known == null ? missing : known.certainlyMissing(waiting, missing);
  }

  RankSlot slot() {
    return slot;
  }

  /** Makes the groups of all colours from the calls of all ranks. */
  void split(List<RankCall> calls) {
    splitter.accept(calls);
  }

  RankBindings bindings() {
    return bindings;
  }

  Agreement agreement() {
    return agreement;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public OperationQueues queues() {
    return queues;
  }

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public int rank(int place) {
    return places.rank(place);
  }

  @Override
  public int placeOf(int rank) {
    return places.of(rank);
  }

  /** Whether a place is the first one whose rank is in this process. */
  boolean isFirstHere(int place) {
    return place == places.own()[0];
  }

  /** The ranks that have not started an operation. */
  List<Integer> missing(long number) {
    return queues.missing(number).stream().map(this::rank).toList();
  }

  /** The first of a rank's operations here that has not ended, or null. */
  @Nullable RankPart current(int rank) {
    int place = placeOf(rank);
    return place < 0 || !core.isLocal(rank) ? null : (RankPart) queues.current(place);
  }

  /**
   * The number of the last operation that any rank has started; without shared memory, any rank of
   * this process.
   */
  long lastStarted() {
    long last = 0;
    for (int place : known == null ? places.all() : places.own()) {
      last = Math.max(last, queues.started(place));
    }
    return last;
  }

  /**
   * Makes all ranks begin with the same operation again. Operations that only some ranks have
   * started fail.
   */
  void realign() {
    long last = lastStarted();
    for (int place = 0; place < size(); place++) {
      for (long number = queues.started(place) + 1; number <= last; number++) {
        queues.fail(
            number,
            new TuttiException(
                ErrorCode.INVALID_STATE,
                "the bodies of all ranks have ended without operation %d",
                number));
      }
    }
    for (int place = 0; place < size(); place++) {
      boolean _ = drain(place, queues.started(place), Long.MAX_VALUE);
    }
    queues.realign();
  }

  /** Makes the rank of this process begin after a given operation, as all other ranks do. */
  void realign(int place, long last) {
    if (queues.started(place) < last) {
      boolean _ = drain(place, queues.started(place), Long.MAX_VALUE);
      queues.realign(place, last);
    }
  }

  /**
   * Counts a call that a rank cannot make as its part in the next operation, so that no data moves
   * in that operation. That operation ends when all earlier ones have ended.
   *
   * @return the rank's own error; the other ranks get an error because its call does not match
   *     theirs
   */
  TuttiException refuse(int place, RankCall call, RuntimeException thrown) {
    long number = queues.started(place) + 1;
    TuttiException error = failed(number, thrown);
    queues.refuse(place, new RankPart(call, null, false), agreement.refused(number, call, error));
    queues.leave(place);
    return error;
  }

  /**
   * Waits for the end of a failed operation, which is expected soon.
   *
   * @param nanos the longest time to wait
   * @return whether it has ended; else a rank is still at work in it
   */
  boolean drain(int place, long number, long nanos) {
    Clock clock = core.engine().waiting().clock();
    long start = clock.nanoTime();
    boolean wasInterrupted = Thread.interrupted();
    Idler idler = queues.newIdler(place);
    Outcome outcome;
    do {
      outcome = queues.await(place, number, idler, DRAIN_NANOS);
      wasInterrupted |= Thread.interrupted();
    } while (outcome != Outcome.ENDED && clock.nanoTime() - start < nanos);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome == Outcome.ENDED;
  }

  /** Notes the time at which a rank starts its next operation. */
  void arrives(int place, long nanos) {
    arrivals.note(new Arrival(queues.started(place) + 1, rank(place), nanos));
  }

  /** The last rank to start an operation; null if not all have started it, or if not known. */
  @Nullable Arrival met(long number) {
    return queues.missing(number).isEmpty() ? arrivals.of(number) : null;
  }

  @Override
  public @Nullable RankBinding agree(long number, List<QueuedOperation> parts) {
    List<RankPart> operations = parts.stream().map(RankPart.class::cast).toList();
    List<RankCall> calls = operations.stream().map(RankPart::reachable).toList();
    agreement.check(calls, number);
    RankCall first = calls.getFirst();
    if (first.split() != null) {
      splitter.accept(calls);
      return null;
    }
    if (CaptureAgreement.areSteps(operations)) {
      return CaptureAgreement.agreeHere(operations, agreement, slot::take, number);
    }
    CallBuffers.checkOverlaps(operations, core.rankSize(), core.names());
    Recording recording = Recording.in(core.slot());
    if (recording != null && (Recording.isOfRanks(core.slot()) || recording.recordsThisThread())) {
      CallBuffers buffers = reachable(operations);
      captures.record(first.call(), first.options(), buffers.inputs(), buffers.outputs());
      return null;
    }
    slot.take();
    RankBinding binding = bind(operations);
    operations.forEach(RankPart::agrees);
    return binding;
  }

  private RankBinding bind(List<RankPart> operations) {
    CollectiveCall call = operations.getFirst().call().call();
    CallOptions options = operations.getFirst().call().options().ofAllRanks();
    if (operations.stream().anyMatch(RankPart::areLeft)) {
      CallBuffers left = reachable(operations);
      RankBinding apart = bindings.bindApart(queues, call, options, left.inputs(), left.outputs());
      if (apart != null) {
        return apart;
      }
      operations.forEach(RankPart::copyAfterAll);
    }
    CallBuffers buffers = reachable(operations);
    return bindings.bind(queues, call, options, buffers.inputs(), buffers.outputs());
  }

  private CallBuffers reachable(List<RankPart> operations) {
    return CallBuffers.of(operations, core.rankSize(), RankPart::reachable);
  }

  @Override
  public @Nullable RankBinding known(long number) {
    return known == null ? null : known.find(number);
  }

  @Override
  public void propose(long number, List<QueuedOperation> parts) {
    if (remote == null) {
      throw new IllegalStateException("all ranks are in this process");
    }
    remote.propose(number, parts.stream().map(RankPart.class::cast).toList());
  }

  @Override
  public void tell(long number, TuttiException failure) {
    if (known != null) {
      boolean isPoison = number == 0 && core.slot().isPoisoned();
      String cause = isPoison ? core.slot().poisonCause() : failure.getMessage();
      known.tellFailure(number, new TuttiException(failure.code(), "%s", cause));
    }
  }

  @Override
  public TuttiException failed(long number, Throwable thrown) {
    return Agreement.failed(number, thrown);
  }

  @Override
  public void broken(TuttiException failure) {
    core.slot().poison(String.valueOf(failure.getMessage()));
    // The rank that failed is still in its operation, and no other rank is in an earlier one.
    RankPart failed = running();
    AgreedRun plan = failed == null ? null : failed.plan();
    if (plan != null) {
      plan.failed(failure);
    }
  }

  /** Whether a plan of a generation is running, or about to run. */
  boolean uses(Generation generation) {
    return bindings.hasChosen(generation)
        || queues.isAnyBound(binding -> ((AgreedRun) binding.owner()).uses(generation));
  }

  /** The operation that the ranks run, in words that follow "the group is". */
  String doing() {
    RankPart first = running();
    return first == null ? "running what its ranks started" : "running " + first.call().words();
  }

  /** The part of a rank in the running operation; null if none is running. */
  @Nullable RankPart running() {
    RankPart least = null;
    for (int place = 0; place < size(); place++) {
      QueuedOperation operation = core.isLocal(rank(place)) ? queues.current(place) : null;
      if (operation instanceof RankPart own && (least == null || own.number() < least.number())) {
        least = own;
      }
    }
    return least;
  }

  /** The positions of the streams of the operation that the ranks run; empty if they run none. */
  List<StreamPosition> positions() {
    RankPart first = running();
    return first == null ? List.of() : queues.positions(first.number());
  }
}
