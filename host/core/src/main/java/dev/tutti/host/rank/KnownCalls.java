package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.CallShape;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.host.group.MessageBindings.Agreed;
import dev.tutti.host.group.MessageBindings.Bound;
import dev.tutti.host.group.PreparedPlan;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
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
 * A change of plugins also makes a rank ask, because it does not begin with a plan of a version
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
  private static final int REMEMBERED = 2 * MeetingQueues.CAPACITY;

  private static final int LEADER = 0;
  private static final int NOBODY = -1;

  private final GroupCore core;
  private final JobGroup job;
  private final RankRecording.Meeting meeting;
  private final Agreement agreement;
  private final MessageBindings bindings;
  private final MeetingPlaces places;

  /**
   * The operations that this process's ranks ran without an agreement: a ring buffer, by the
   * operation's number.
   */
  private final long[] operations = new long[REMEMBERED];

  private final @Nullable Agreed[] ran = new Agreed[REMEMBERED];

  /** The operations that the first rank has asked about before the ranks entered them. */
  private final TreeSet<Long> asked = new TreeSet<>();

  /** The inquiries by operation; only the job's thread of the first rank uses it. */
  private final TreeMap<Long, Inquiry> inquiries = new TreeMap<>();

  /** The facts that the first rank knows about an operation about which it has asked the others. */
  private static final class Inquiry {
    private final List<List<CallFields>> waiting = new ArrayList<>();
    private @Nullable CallFields known;
    private long agreed;
    private @Nullable ChosenPlan chosen;
  }

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
    this.agreement = agreement;
    this.bindings = bindings;
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
    KnownRun run = first.lastKnown();
    if (run == null || !isSame(run, operation) || !bindings.isKnown(run.bound())) {
      run = search(operation);
      if (run == null) {
        return null;
      }
      first.lastKnown(run);
    }
    RankBinding binding = run.bound().binding();
    for (int place : places.own()) {
      part(place, operation).knows(binding);
    }
    // A change of plugins writes and reads in the opposite order, so at least one of the two sees
    // the other.
    VarHandle.fullFence();
    if (run.bound().agreed().isRetired()) {
      return null;
    }
    enters(operation, run.bound().agreed());
    return binding;
  }

  /**
   * The bound plan of an agreement for a proposed call, which others run; null if there is none.
   */
  @Nullable Bound agreed(List<RankPart> proposed, long number) {
    RankCall first = proposed.getFirst().reachable();
    CallBuffers buffers = CallBuffers.of(proposed, core.rankSize(), RankPart::reachable);
    return bindings.agreed(
        first.call(), first.options().ofAllRanks(), buffers.inputs(), buffers.outputs(), number);
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
  private void enters(long operation, Agreed known) {
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
      case COMPARE -> ask(operation, NOBODY);
      default ->
          isKnown(operation, places.rank(places.speakerOf(message.from())), message.reader());
    }
  }

  /** Answers the first rank, now or when this process's ranks enter a known operation. */
  private void asked(long operation) {
    Agreed known;
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

  private void tell(long operation, Agreed known) {
    CallShape shape = known.shape();
    int own = places.rank(places.own()[0]);
    RankCall call = RankCall.of(own, shape.call(), shape.options(), null, null);
    CallFields fields = CallFields.of(call).inPlace(shape.inPlace());
    BodyWriter body = new BodyWriter().text(fields.words()).texts(fields.values());
    body.number(known.number());
    ChosenPlan.of(known.planned()).write(body);
    job.tell(places.rank(LEADER), Kind.KNOWN, meeting.number(), operation, body);
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

  // The first rank.

  /**
   * Asks all processes except one what their ranks run in an operation, unless they were asked
   * before.
   *
   * @param besides the place that represents that process
   */
  private Inquiry ask(long operation, int besides) {
    inquiries.headMap(operation - REMEMBERED).clear();
    Inquiry inquiry = inquiries.get(operation);
    if (inquiry == null) {
      inquiry = new Inquiry();
      inquiries.put(operation, inquiry);
      for (int place : places.speakers()) {
        if (place != besides) {
          job.tell(places.rank(place), Kind.ASK, meeting.number(), operation, new BodyWriter());
        }
      }
    }
    return inquiry;
  }

  /**
   * Handles the calls that the ranks of a process propose, and asks the others about the operation
   * once.
   *
   * @return whether they were answered, because some process knows the operation
   */
  boolean answers(long operation, List<CallFields> proposal) {
    int rank = proposal.getFirst().rank();
    haveStarted(rank, operation);
    Inquiry inquiry = ask(operation, places.speakerOf(rank));
    if (inquiry.known == null) {
      inquiry.waiting.add(proposal);
      return false;
    }
    answer(operation, inquiry, proposal);
    return true;
  }

  /** Handles the message that a rank knows the operation. */
  private void isKnown(long operation, int rank, BodyReader body) {
    CallFields fields = new CallFields(rank, body.text(), body.texts());
    long agreed = body.number();
    ChosenPlan chosen = ChosenPlan.read(body);
    haveStarted(rank, operation);
    Inquiry inquiry = inquiries.get(operation);
    if (inquiry == null) {
      return;
    }
    if (inquiry.known != null) {
      requireSame(operation, inquiry.known, fields, inquiry.agreed, agreed);
      return;
    }
    inquiry.known = fields;
    inquiry.agreed = agreed;
    inquiry.chosen = chosen;
    for (List<CallFields> each : inquiry.waiting) {
      answer(operation, inquiry, each);
    }
    inquiry.waiting.clear();
  }

  private void requireSame(
      long operation, CallFields first, CallFields other, long agreed, long otherAgreed) {
    agreement.checkFields(List.of(first, other), operation);
    if (agreed != otherAgreed) {
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "ranks %d and %d run different plans as operation %d; close the group on all ranks, and"
              + " create another one",
          first.rank(),
          other.rank(),
          operation);
    }
  }

  private void answer(long operation, Inquiry inquiry, List<CallFields> proposal) {
    CallFields known = inquiry.known;
    ChosenPlan chosen = inquiry.chosen;
    if (known == null || chosen == null) {
      return;
    }
    List<CallFields> all = new ArrayList<>(proposal);
    all.addFirst(known);
    agreement.checkFields(all, operation);
    BodyWriter body = new BodyWriter().number(inquiry.agreed);
    chosen.write(body);
    job.tell(proposal.getFirst().rank(), Kind.JOIN, meeting.number(), operation, body);
  }
}
