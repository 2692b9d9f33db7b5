package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.MessageJoinStep;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.AgreedMessages;
import dev.tutti.host.group.CallShape;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.JoinedMessages;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.host.group.MessageBindings.Agreed;
import dev.tutti.host.group.MessageBindings.Bound;
import dev.tutti.host.group.PreparedPlan;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets ranks that share no memory run a call again without a new agreement. A rank knows a call if
 * it has the plan of an earlier agreement. It does not see the calls of the others, and it may not
 * know a call that they know, because it left the earlier agreement before its end. The ranks
 * resolve this in three steps:
 *
 * <ol>
 *   <li>The first rank of the meeting gets a proposal, and asks all others whether they know the
 *       call (ASK).
 *   <li>A rank that knows it answers when it enters the operation (KNOWN).
 *   <li>The first rank compares that call with the proposals, and makes the ranks that proposed run
 *       the same plan (JOIN).
 * </ol>
 *
 * A run of captured operations is such a call too, if the ranks of this process have joined them.
 *
 * <p>A change of plugins also makes a rank ask, because it does not begin with a plan of a version
 * that no longer serves. Ranks whose process has not changed yet may still begin with that plan. So
 * the plan is kept, and a rank runs it if the first rank sends JOIN.
 *
 * <p>If all ranks know their calls and the calls differ, no data arrives, because the tags of the
 * messages differ. So after a rank has waited for a second, it asks the first rank to compare the
 * calls of all ranks (COMPARE). Thread-safe.
 */
final class KnownCalls {

  /**
   * The largest number of operations by which a rank can be ahead of one that waits for an answer.
   */
  static final int REMEMBERED = 2 * MeetingQueues.CAPACITY;

  private static final int LEADER = 0;

  private final GroupCore core;
  private final JobGroup job;
  private final RankRecording.Meeting meeting;
  private final MessageBindings bindings;
  private final MeetingPlaces places;

  /**
   * The operations that this process's ranks ran without an agreement: a ring buffer, by the
   * operation's number.
   */
  private final long[] operations = new long[REMEMBERED];

  private final @Nullable AgreedMessages[] ran = new AgreedMessages[REMEMBERED];

  /** The operations that the first rank has asked about before the ranks entered them. */
  private final TreeSet<Long> asked = new TreeSet<>();

  /** The questions of the first rank; only the job's thread of that rank uses it. */
  private final Inquiries inquiries;

  /**
   * Starts without known calls.
   *
   * @param meeting the meeting of the ranks; it may not be complete yet and is not called here
   * @param agreement compares calls
   * @param places the places of the ranks that meet
   * @param bindings the plans that the ranks have agreed on
   */
  KnownCalls(
      GroupCore core,
      JobGroup job,
      RankRecording.Meeting meeting,
      Agreement agreement,
      MeetingPlaces places,
      MessageBindings bindings) {
    this.places = places;
    this.core = core;
    this.job = job;
    this.meeting = meeting;
    this.bindings = bindings;
    this.inquiries = new Inquiries(job, meeting, agreement, places);
  }

  /** The fields of a call, with additional fields that matter only without shared memory. */
  CallFields fieldsOf(RankCall call, CallFields fields) {
    return call.isOperation()
        ? fields.inPlace(MessageBindings.isInPlace(call.call(), call.input(), call.output()))
        : fields;
  }

  /**
   * The binding that this process's ranks run without an agreement, in an operation that all of
   * them have started; null if they have to agree.
   */
  @Nullable RankBinding find(long operation) {
    RankPart first = part(places.own()[0], operation);
    if (first.step() instanceof MessageJoinStep replay) {
      return findReplay(operation, replay);
    }
    KnownRun run = first.lastKnown();
    if (run == null || !isSame(run, operation) || !bindings.isKnown(run.bound())) {
      run = search(operation);
      if (run == null) {
        return null;
      }
      first.lastKnown(run);
    }
    return enters(operation, run.bound().agreed(), run.bound().binding());
  }

  /** The same for a run of captured operations that all ranks of this process start together. */
  @SuppressWarnings("ReferenceEquality") // the same capture is the same object
  private @Nullable RankBinding findReplay(long operation, MessageJoinStep replay) {
    JoinedMessages agreed = replay.agreed();
    for (int place : places.own()) {
      if (part(place, operation).step() != replay) {
        return null;
      }
    }
    return agreed == null ? null : enters(operation, agreed, replay.binding());
  }

  /** Enters an operation with a known plan; returns null if a plugin of the plan is gone. */
  private @Nullable RankBinding enters(long operation, AgreedMessages agreed, RankBinding binding) {
    for (int place : places.own()) {
      part(place, operation).knows(binding);
    }
    // A change of plugins writes and reads in the opposite order, so at least one of the two sees
    // the other.
    VarHandle.fullFence();
    if (agreed.isRetired()) {
      return null;
    }
    enters(operation, agreed);
    return binding;
  }

  /**
   * The binding with which this process's ranks join others that already run an agreed plan. These
   * ranks may still have the plan, but may no longer begin with it.
   *
   * @param body the message of the first rank
   */
  RankBinding join(List<RankPart> proposed, BodyReader body) {
    long number = body.number();
    ChosenPlan chosen = ChosenPlan.read(body);
    if (proposed.getFirst().step() instanceof MessageJoinStep replay) {
      return replay.agreed(number);
    }
    RankCall first = proposed.getFirst().reachable();
    CallBuffers buffers = CallBuffers.of(proposed, core.rankSize(), RankPart::reachable);
    Bound bound =
        bindings.agreed(
            first.call(),
            first.options().ofAllRanks(),
            buffers.inputs(),
            buffers.outputs(),
            number);
    if (bound != null) {
      return bound.binding();
    }
    PreparedPlan prepared = prepare(proposed, chosen.options(first.options()).ofAllRanks());
    chosen.requireSame(prepared.planned(), core.names(), places.rank(LEADER), job.rank());
    return prepared.bind(number, List.of());
  }

  /**
   * Plans a proposed call of this process's ranks.
   *
   * @param options the options of all ranks with which it is planned
   */
  PreparedPlan prepare(List<RankPart> proposed, CallOptions options) {
    RankCall first = proposed.getFirst().reachable();
    CallBuffers buffers = CallBuffers.of(proposed, core.rankSize(), RankPart::reachable);
    return bindings.prepare(
        first.call(), first.options().ofAllRanks(), options, buffers.inputs(), buffers.outputs());
  }

  private RankPart part(int place, long operation) {
    return (RankPart) meeting.queues().part(place, operation);
  }

  /** Whether the ranks make the calls of an earlier run, with the same buffers. */
  @SuppressWarnings("ReferenceEquality") // the same buffers are the same object
  private boolean isSame(KnownRun run, long operation) {
    for (int i = 0; i < places.own().length; i++) {
      RankPart part = part(places.own()[i], operation);
      if (run.calls().get(i) != part.reachable() || !part.mayBeKnown()) {
        return false;
      }
    }
    return true;
  }

  private @Nullable KnownRun search(long operation) {
    List<RankPart> parts =
        IntStream.of(places.own()).mapToObj(place -> part(place, operation)).toList();
    List<RankCall> calls = parts.stream().map(RankPart::reachable).toList();
    if (!parts.stream().allMatch(RankPart::mayBeKnown)) {
      return null;
    }
    try {
      RankCall first = calls.getFirst();
      if (!calls.stream().allMatch(each -> isSame(first, each))) {
        return null;
      }
      CallBuffers.checkOverlaps(parts, core.rankSize(), core.names());
      CallBuffers buffers = CallBuffers.of(parts, core.rankSize(), RankPart::reachable);
      Bound found =
          bindings.known(
              first.call(), first.options().ofAllRanks(), buffers.inputs(), buffers.outputs());
      return found == null ? null : new KnownRun(calls, found);
    } catch (TuttiException e) {
      // The ranks will fail together when they try to agree.
      return null;
    }
  }

  /** Whether two ranks of this process make the same call, which all ranks may know. */
  private static boolean isSame(RankCall a, RankCall b) {
    return a.call().equals(b.call())
        && a.options().ofAllRanks().equals(b.options().ofAllRanks())
        && MessageBindings.isInPlace(a.call(), a.input(), a.output())
            == MessageBindings.isInPlace(b.call(), b.input(), b.output());
  }

  /**
   * The ranks that have certainly not started the operation that a rank waits for. The first
   * process knows this about all ranks until they run the operation, and the other processes only
   * about their own ranks.
   */
  List<Integer> certainlyMissing(RankPart waiting, List<Integer> missing) {
    boolean isFirst = places.own()[0] == 0;
    return waiting.isBegun()
        ? List.of()
        : missing.stream().filter(rank -> isFirst || core.isLocal(rank)).toList();
  }

  /** Notes that the ranks of this process enter an operation with a known plan. */
  private void enters(long operation, AgreedMessages known) {
    boolean isAsked;
    synchronized (this) {
      int at = (int) (operation % REMEMBERED);
      operations[at] = operation;
      ran[at] = known;
      isAsked = !asked.isEmpty() && asked.remove(operation);
    }
    if (isAsked) {
      tell(operation, known);
    }
  }

  /** Handles a message of this or another process. */
  void receive(JobMessage message) {
    long operation = message.number();
    switch (message.kind()) {
      case ASK -> asked(operation);
      case COMPARE -> inquiries.compare(operation);
      default -> {
        int rank = places.rank(places.speakerOf(message.from()));
        haveStarted(rank, operation);
        inquiries.isKnown(operation, rank, message.reader());
      }
    }
  }

  /** As {@link Inquiries#answers}. */
  boolean answers(long operation, List<CallFields> proposal) {
    haveStarted(proposal.getFirst().rank(), operation);
    return inquiries.answers(operation, proposal);
  }

  /** Answers the first rank, now or when this process's ranks enter a known operation. */
  private void asked(long operation) {
    AgreedMessages known;
    synchronized (this) {
      int at = (int) (operation % REMEMBERED);
      known = operations[at] == operation ? ran[at] : null;
      if (known == null) {
        asked.headSet(operation - REMEMBERED).clear();
        asked.add(operation);
      }
    }
    if (known != null) {
      tell(operation, known);
    }
  }

  private void tell(long operation, AgreedMessages known) {
    int own = places.rank(places.own()[0]);
    CallFields fields = fieldsOf(own, known);
    BodyWriter body = new BodyWriter().text(fields.words()).texts(fields.values());
    body.number(known.number());
    known.chosen().write(body);
    job.tell(places.rank(LEADER), Kind.KNOWN, meeting.number(), operation, body);
  }

  private static CallFields fieldsOf(int rank, AgreedMessages known) {
    return switch (known) {
      case Agreed agreed -> {
        CallShape shape = agreed.shape();
        RankCall call = RankCall.of(rank, shape.call(), shape.options(), null, null);
        yield CallFields.of(call).inPlace(shape.inPlace());
      }
      case JoinedMessages joined -> CallFields.of(RankCall.ofCapture(rank, joined.title()));
    };
  }

  /** Makes the first rank compare the calls of all ranks. */
  void compare(long operation) {
    job.tell(places.rank(LEADER), Kind.COMPARE, meeting.number(), operation, new BodyWriter());
  }

  /**
   * Sends the other processes a failure that was noted here first.
   *
   * @param operation its number; 0 for all operations
   */
  void tellFailure(long operation, TuttiException failure) {
    tellOthers(Kind.FAILED, operation, new BodyWriter().error(failure));
  }

  /** Sends the other processes the number of the last operation of a rank of this process. */
  void leaves(int rank, long last) {
    tellOthers(Kind.STARTED, last, new BodyWriter().number(rank));
  }

  private void tellOthers(Kind kind, long operation, BodyWriter body) {
    for (int place : places.speakers()) {
      if (!core.isLocal(places.rank(place))) {
        job.tell(places.rank(place), kind, meeting.number(), operation, body);
      }
    }
  }

  /** Notes that the ranks of a process have started an operation. */
  private void haveStarted(int rank, long operation) {
    for (int place : places.beside(rank)) {
      meeting.queues().hearStarted(place, operation);
    }
  }
}
