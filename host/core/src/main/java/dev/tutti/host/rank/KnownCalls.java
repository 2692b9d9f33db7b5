package dev.tutti.host.rank;

import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.CallShape;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.MessageBindings;
import dev.tutti.host.group.MessageBindings.Agreed;
import dev.tutti.host.group.MessageBindings.Bound;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lets ranks that share no memory run a call again without a new agreement. A rank does not see
 * what the others bring to an operation. It may know less than they do, because it left an earlier
 * agreement before its end. The ranks find that out in three steps:
 *
 * <ol>
 *   <li>The first rank of the meeting gets a proposal, and asks all others whether they know the
 *       call (ASK).
 *   <li>A rank that knows it answers when it enters the operation (KNOWN).
 *   <li>The first rank compares that call with the proposals, and has the ranks that made them run
 *       the same plan (JOIN).
 * </ol>
 *
 * If all ranks know their calls and the calls differ, no message arrives, because the tags differ.
 * A rank that has waited for a second therefore has the first rank compare what all run (COMPARE).
 * Thread-safe.
 */
final class KnownCalls {

  /** A rank is at most so many operations ahead of one that waits for an answer. */
  private static final int REMEMBERED = 2 * MeetingQueues.CAPACITY;

  private static final int LEADER = 0;
  private static final int NOBODY = -1;

  private final JobGroup job;
  private final RankRecording.Meeting meeting;
  private final Agreement agreement;
  private final MessageBindings bindings;

  /** The operations that this rank ran without an agreement: a ring, by the operation's number. */
  private final long[] operations = new long[REMEMBERED];

  private final @Nullable Agreed[] ran = new Agreed[REMEMBERED];

  /** The operations that were asked for before the rank has entered them. */
  private final TreeSet<Long> asked = new TreeSet<>();

  /** By operation; only the job's thread uses it, in the first rank. */
  private final TreeMap<Long, Inquiry> inquiries = new TreeMap<>();

  /** What the first rank knows of an operation that it has asked the others about. */
  private static final class Inquiry {
    private final List<CallFields> waiting = new ArrayList<>();
    private @Nullable CallFields known;
    private long agreed;
    private @Nullable ChosenPlan chosen;
  }

  /**
   * Nothing is known.
   *
   * @param agreement compares calls
   * @param bindings what the ranks have agreed on
   */
  KnownCalls(
      JobGroup job, RankRecording.Meeting meeting, Agreement agreement, MessageBindings bindings) {
    this.job = job;
    this.meeting = meeting;
    this.agreement = agreement;
    this.bindings = bindings;
  }

  /** The fields of a call, with those that matter here only. */
  CallFields fieldsOf(RankCall call, CallFields fields) {
    return call.isOperation()
        ? fields.inPlace(MessageBindings.isInPlace(call.call(), call.input(), call.output()))
        : fields;
  }

  /**
   * What a rank runs without asking; null if it has to.
   *
   * @param last what it was for the same buffers the last time
   */
  @Nullable Bound find(RankCall call, @Nullable Bound last) {
    if (last != null && bindings.isKnown(last)) {
      return last;
    }
    try {
      return bindings.known(call.call(), call.options().ofAllRanks(), call.input(), call.output());
    } catch (TuttiException e) {
      // The ranks fail together when they try to agree.
      return null;
    }
  }

  /** Notes that the rank of this process enters an operation with what it knows. */
  void enters(long operation, Agreed known) {
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

  /** Hears what another process says, or this one. */
  void receive(JobMessage message) {
    long operation = message.number();
    switch (message.kind()) {
      case ASK -> asked(operation);
      case COMPARE -> ask(operation, NOBODY);
      default -> isKnown(operation, message.from(), message.reader());
    }
  }

  /** The first rank asks whether this process's rank knows what to run. */
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
    RankCall call = RankCall.of(job.rank(), shape.call(), shape.options(), null, null);
    CallFields fields = CallFields.of(call).inPlace(shape.inPlace());
    BodyWriter body = new BodyWriter().text(fields.words()).texts(fields.values());
    body.number(known.number());
    ChosenPlan.of(known.planned()).write(body);
    job.tell(meeting.rank(LEADER), Kind.KNOWN, meeting.number(), operation, body);
  }

  /** Has the first rank compare what all ranks run. */
  void compare(long operation) {
    job.tell(meeting.rank(LEADER), Kind.COMPARE, meeting.number(), operation, new BodyWriter());
  }

  /**
   * Tells the others of a failure that was noted here first.
   *
   * @param operation its number; 0 for all operations
   */
  void tellFailure(long operation, TuttiException failure) {
    tellOthers(Kind.FAILED, operation, new BodyWriter().error(failure));
  }

  /** Tells the others which operation is the last one of this process's rank. */
  void leaves(long last) {
    tellOthers(Kind.STARTED, last, new BodyWriter());
  }

  private void tellOthers(Kind kind, long operation, BodyWriter body) {
    for (int place = 0; place < meeting.size(); place++) {
      if (meeting.rank(place) != job.rank()) {
        job.tell(meeting.rank(place), kind, meeting.number(), operation, body);
      }
    }
  }

  // The first rank.

  /** Asks all ranks but one what they run in an operation, unless they were asked before. */
  private Inquiry ask(long operation, int besides) {
    inquiries.headMap(operation - REMEMBERED).clear();
    Inquiry inquiry = inquiries.get(operation);
    if (inquiry == null) {
      inquiry = new Inquiry();
      inquiries.put(operation, inquiry);
      for (int place = 0; place < meeting.size(); place++) {
        if (meeting.rank(place) != besides) {
          job.tell(meeting.rank(place), Kind.ASK, meeting.number(), operation, new BodyWriter());
        }
      }
    }
    return inquiry;
  }

  /**
   * Takes a proposal, and asks the others about the operation once.
   *
   * @return whether it is answered, as somebody knows what to run
   */
  boolean answers(long operation, CallFields proposal) {
    meeting.queues().hearStarted(meeting.placeOf(proposal.rank()), operation);
    Inquiry inquiry = ask(operation, proposal.rank());
    if (inquiry.known == null) {
      inquiry.waiting.add(proposal);
      return false;
    }
    answer(operation, inquiry, proposal);
    return true;
  }

  /** Hears that a rank knows what to run. */
  private void isKnown(long operation, int rank, BodyReader body) {
    CallFields fields = new CallFields(rank, body.text(), body.texts());
    long agreed = body.number();
    ChosenPlan chosen = ChosenPlan.read(body);
    meeting.queues().hearStarted(meeting.placeOf(rank), operation);
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
    for (CallFields each : inquiry.waiting) {
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

  private void answer(long operation, Inquiry inquiry, CallFields proposal) {
    CallFields known = inquiry.known;
    ChosenPlan chosen = inquiry.chosen;
    if (known == null || chosen == null) {
      return;
    }
    agreement.checkFields(List.of(known, proposal), operation);
    BodyWriter body = new BodyWriter().number(inquiry.agreed);
    chosen.write(body);
    job.tell(proposal.rank(), Kind.JOIN, meeting.number(), operation, body);
  }
}
