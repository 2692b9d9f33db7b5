package dev.tutti.host.rank;

import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.MessageBindings;
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
 * What ranks that share no memory run without asking each other, because they have agreed on it
 * before. A rank does not see what the others bring to an operation, and it may know less than they
 * do, when it has left an agreement early or forgotten one. So
 *
 * <ol>
 *   <li>when the first rank of the meeting gets a proposal, it asks those who have made none (ASK);
 *   <li>a rank that knows what to run says so when it enters the operation, or when it is asked
 *       later (KNOWN);
 *   <li>the first rank compares its call with the proposals, and tells those who have made them to
 *       run the same (JOIN).
 * </ol>
 *
 * Where all know something to run and it is not the same, messages do not meet, as their tags
 * differ. A rank that waits for long has the first rank ask about that, too (DOUBT). Thread-safe.
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

  /** What this process's rank has run by knowledge, in a ring by the operation's number. */
  private final long[] operations = new long[REMEMBERED];

  private final @Nullable RankCall[] calls = new RankCall[REMEMBERED];
  private final @Nullable Bound[] ran = new Bound[REMEMBERED];

  /** The operations that were asked for before the rank has entered them. */
  private final TreeSet<Long> asked = new TreeSet<>();

  /** What the first rank has heard, by operation; of the job's thread. */
  private final TreeMap<Long, Heard> heard = new TreeMap<>();

  /** Proposals, and what others know. */
  private static final class Heard {
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
  void enters(long operation, RankCall call, Bound found) {
    boolean isAsked;
    synchronized (this) {
      int at = (int) (operation % REMEMBERED);
      operations[at] = operation;
      calls[at] = call;
      ran[at] = found;
      isAsked = !asked.isEmpty() && asked.remove(operation);
    }
    if (isAsked) {
      tell(operation, call, found);
    }
  }

  /** Hears what another process says, or this one. */
  void receive(JobMessage message) {
    long operation = message.number();
    switch (message.kind()) {
      case ASK -> asked(operation);
      case DOUBT -> doubted(operation);
      default -> isKnown(operation, message.from(), message.reader());
    }
  }

  /** The first rank asks whether this process's rank knows what to run. */
  private void asked(long operation) {
    RankCall call;
    Bound found;
    synchronized (this) {
      int at = (int) (operation % REMEMBERED);
      boolean isPast = operations[at] == operation;
      call = isPast ? calls[at] : null;
      found = isPast ? ran[at] : null;
      if (!isPast) {
        asked.headSet(operation - REMEMBERED).clear();
        asked.add(operation);
      }
    }
    if (call != null && found != null) {
      tell(operation, call, found);
    }
  }

  private void tell(long operation, RankCall call, Bound found) {
    CallFields fields = fieldsOf(call, CallFields.of(call));
    BodyWriter body = new BodyWriter().text(fields.words()).texts(fields.values());
    body.number(found.number());
    ChosenPlan.of(found.planned()).write(body);
    job.tell(meeting.rank(LEADER), Kind.KNOWN, meeting.number(), operation, body);
  }

  /** Has the first rank compare what all run. */
  void doubt(long operation) {
    job.tell(meeting.rank(LEADER), Kind.DOUBT, meeting.number(), operation, new BodyWriter());
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

  /** A rank waits for long. */
  private void doubted(long operation) {
    ask(operation, NOBODY);
  }

  private Heard ask(long operation, int besides) {
    heard.headMap(operation - REMEMBERED).clear();
    Heard all = heard.get(operation);
    if (all == null) {
      all = new Heard();
      heard.put(operation, all);
      for (int place = 0; place < meeting.size(); place++) {
        if (meeting.rank(place) != besides) {
          job.tell(meeting.rank(place), Kind.ASK, meeting.number(), operation, new BodyWriter());
        }
      }
    }
    return all;
  }

  /**
   * Takes a proposal, and asks the others about the operation once.
   *
   * @return whether it is answered, as somebody knows what to run
   */
  boolean answers(long operation, CallFields proposal) {
    meeting.queues().hearStarted(meeting.placeOf(proposal.rank()), operation);
    Heard all = ask(operation, proposal.rank());
    if (all.known == null) {
      all.waiting.add(proposal);
      return false;
    }
    answer(operation, all, proposal);
    return true;
  }

  /** Hears that a rank knows what to run. */
  private void isKnown(long operation, int rank, BodyReader body) {
    CallFields fields = new CallFields(rank, body.text(), body.texts());
    long agreed = body.number();
    ChosenPlan chosen = ChosenPlan.read(body);
    meeting.queues().hearStarted(meeting.placeOf(rank), operation);
    Heard all = heard.get(operation);
    if (all == null) {
      return;
    }
    if (all.known != null) {
      requireSame(operation, all.known, fields, all.agreed, agreed);
      return;
    }
    all.known = fields;
    all.agreed = agreed;
    all.chosen = chosen;
    for (CallFields each : all.waiting) {
      answer(operation, all, each);
    }
    all.waiting.clear();
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

  private void answer(long operation, Heard all, CallFields proposal) {
    CallFields known = all.known;
    ChosenPlan chosen = all.chosen;
    if (known == null || chosen == null) {
      return;
    }
    agreement.checkFields(List.of(known, proposal), operation);
    BodyWriter body = new BodyWriter().number(all.agreed);
    chosen.write(body);
    job.tell(proposal.rank(), Kind.JOIN, meeting.number(), operation, body);
  }
}
