package dev.tutti.host.rank;

import dev.tutti.host.capture.RankRecording;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The questions of the first rank about the operations that other processes run without a new
 * agreement; see {@link KnownCalls}. Confined to the job's thread of that rank.
 */
final class Inquiries {

  private static final int NOBODY = -1;

  private final JobGroup job;
  private final RankRecording.Meeting meeting;
  private final Agreement agreement;
  private final MeetingPlaces places;

  /** The inquiries by operation. */
  private final TreeMap<Long, Inquiry> all = new TreeMap<>();

  /** The facts that are known about an operation. */
  private static final class Inquiry {
    private final List<List<CallFields>> waiting = new ArrayList<>();
    private @Nullable CallFields known;
    private long agreed;
    private @Nullable ChosenPlan chosen;
  }

  /**
   * Starts without questions.
   *
   * @param meeting the meeting of the ranks; it may not be complete yet and is not called here
   * @param agreement compares calls
   * @param places the places of the ranks that meet
   */
  Inquiries(
      JobGroup job, RankRecording.Meeting meeting, Agreement agreement, MeetingPlaces places) {
    this.job = job;
    this.meeting = meeting;
    this.agreement = agreement;
    this.places = places;
  }

  /**
   * Asks all processes except one what their ranks run in an operation, unless they were asked
   * before.
   *
   * @param besides the place that represents that process
   */
  private Inquiry ask(long operation, int besides) {
    all.headMap(operation - KnownCalls.REMEMBERED).clear();
    Inquiry inquiry = all.get(operation);
    if (inquiry == null) {
      inquiry = new Inquiry();
      all.put(operation, inquiry);
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
    Inquiry inquiry = ask(operation, places.speakerOf(rank));
    if (inquiry.known == null) {
      inquiry.waiting.add(proposal);
      return false;
    }
    answer(operation, inquiry, proposal);
    return true;
  }

  /** Asks all processes what their ranks run in an operation, unless they were asked before. */
  void compare(long operation) {
    Inquiry ignored = ask(operation, NOBODY);
  }

  /** Handles the message that a rank knows the operation. */
  void isKnown(long operation, int rank, BodyReader body) {
    CallFields fields = new CallFields(rank, body.text(), body.texts());
    long agreed = body.number();
    ChosenPlan chosen = ChosenPlan.read(body);
    Inquiry inquiry = all.get(operation);
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
    List<CallFields> both = new ArrayList<>(proposal);
    both.addFirst(known);
    agreement.checkFields(both, operation);
    BodyWriter body = new BodyWriter().number(inquiry.agreed);
    chosen.write(body);
    job.tell(proposal.getFirst().rank(), Kind.JOIN, meeting.number(), operation, body);
  }
}
