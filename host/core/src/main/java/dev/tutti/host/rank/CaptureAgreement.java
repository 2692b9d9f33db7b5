package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.capture.RankRecording;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of ranks in several processes on a step of a capture; see {@link CaptureStep}.
 * Confined to the thread that handles messages.
 */
final class CaptureAgreement {

  private final JobGroup job;
  private final RankRecording.Meeting meeting;
  private final Runnable slotTaker;

  /** In the first rank, the answers of ranks that followed the plan, by operation and place. */
  private final TreeMap<Long, @Nullable BodyReader[]> ready = new TreeMap<>();

  /**
   * The agreement of a meeting.
   *
   * @param slotTaker takes the run slot of the group for its ranks, or throws
   */
  CaptureAgreement(JobGroup job, RankRecording.Meeting meeting, Runnable slotTaker) {
    this.job = job;
    this.meeting = meeting;
    this.slotTaker = slotTaker;
  }

  /** Makes the plan from the proposals of all ranks; called in the first rank. */
  BodyWriter plan(CaptureStep step, List<BodyReader> proposals) {
    BodyWriter plan = new BodyWriter().number(job.gate().epoch());
    step.plan(proposals, plan);
    return plan;
  }

  /** Sends the plan to all ranks; called in the first rank. */
  void tell(long operation, BodyWriter plan) {
    ready.put(operation, new BodyReader[meeting.size()]);
    tellAll(Kind.CAPTURE_PLAN, operation, plan);
  }

  /**
   * Handles a message of this or another process about an operation that has not ended.
   *
   * @param failed gets a later exception
   */
  void receive(
      JobMessage message, RankPart part, CaptureStep step, Consumer<RuntimeException> failed) {
    long operation = message.number();
    switch (message.kind()) {
      case CAPTURE_PLAN -> {
        BodyReader plan = message.reader();
        job.gate().follow(plan.number(), () -> follow(operation, step, plan), failed);
      }
      case CAPTURE_READY -> ready(message, step);
      case CAPTURE_COMMIT -> {
        @Nullable RankBinding binding = step.commit(message.reader());
        part.agrees();
        ready.remove(operation);
        meeting.queues().decided(operation, binding);
      }
      default -> throw new IllegalStateException("not a message about a capture: " + message);
    }
  }

  private void follow(long operation, CaptureStep step, BodyReader plan) {
    slotTaker.run();
    BodyWriter answer = new BodyWriter();
    step.follow(plan, answer);
    tell(meeting.rank(0), Kind.CAPTURE_READY, operation, answer);
  }

  private void ready(JobMessage message, CaptureStep step) {
    @Nullable BodyReader[] all = ready.get(message.number());
    if (all == null) {
      return;
    }
    all[meeting.placeOf(message.from())] = message.reader();
    List<BodyReader> answers = new ArrayList<>();
    for (BodyReader each : all) {
      if (each == null) {
        return;
      }
      answers.add(each);
    }
    BodyWriter commit = new BodyWriter();
    step.complete(answers, commit);
    tellAll(Kind.CAPTURE_COMMIT, message.number(), commit);
  }

  private void tellAll(Kind kind, long operation, BodyWriter body) {
    for (int place = 0; place < meeting.size(); place++) {
      tell(meeting.rank(place), kind, operation, body);
    }
  }

  private void tell(int rank, Kind kind, long operation, BodyWriter body) {
    requireRoom(body);
    job.send(rank, kind, meeting.number(), operation, body);
  }

  /**
   * Refuses a body that does not fit into one message.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT}
   */
  static void requireRoom(BodyWriter body) {
    if (body.size() > JobMessage.MAX_BODY) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the messages between processes about a capture can have at most %d bytes; capture fewer"
              + " operations at once. Actual: %d bytes",
          JobMessage.MAX_BODY,
          body.size());
    }
  }

  /** Drops an operation and all earlier ones; they have ended, because operations end in order. */
  void forget(long operation) {
    ready.headMap(operation, true).clear();
  }
}
