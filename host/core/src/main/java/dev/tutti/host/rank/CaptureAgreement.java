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
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of ranks of a job on a step of a capture; see {@link CaptureStep}. Confined to the
 * thread that handles messages.
 */
final class CaptureAgreement {

  private final JobGroup job;
  private final RankRecording.Meeting meeting;
  private final MeetingPlaces places;
  private final Runnable slotTaker;

  /** In the first rank, the answers of processes that followed the plan, by operation and place. */
  private final TreeMap<Long, @Nullable BodyReader[]> ready = new TreeMap<>();

  /**
   * The agreement of a meeting.
   *
   * @param slotTaker takes the run slot of the group for its ranks, or throws
   */
  CaptureAgreement(
      JobGroup job, RankRecording.Meeting meeting, MeetingPlaces places, Runnable slotTaker) {
    this.job = job;
    this.meeting = meeting;
    this.places = places;
    this.slotTaker = slotTaker;
  }

  /** The steps of this process's ranks; a step that they make together counts once. */
  private static List<CaptureStep> stepsOf(List<RankPart> own) {
    return own.stream()
        .map(part -> Objects.requireNonNull(part.step(), "all ranks make a step"))
        .distinct()
        .toList();
  }

  /** Writes the contributions of this process's ranks. */
  static void propose(List<RankPart> own, BodyWriter body) {
    write(stepsOf(own), CaptureStep::propose, body);
    requireRoom(body);
  }

  private static void write(
      List<CaptureStep> steps, BiConsumer<CaptureStep, BodyWriter> how, BodyWriter body) {
    body.number(steps.size());
    for (CaptureStep step : steps) {
      BodyWriter part = new BodyWriter();
      how.accept(step, part);
      body.part(part.bytes());
    }
  }

  /**
   * The contributions of all ranks by place; only one for the ranks of a process that make a step
   * together.
   *
   * @param bodies the messages of the processes, in the order of {@link MeetingPlaces#speakers}
   */
  private List<BodyReader> read(List<BodyReader> bodies) {
    @Nullable BodyReader[] byPlace = new BodyReader[places.size()];
    for (int i = 0; i < bodies.size(); i++) {
      int[] ofProcess = places.beside(places.rank(places.speakers()[i]));
      BodyReader body = bodies.get(i);
      int count = Math.min(body.count(), ofProcess.length);
      for (int part = 0; part < count; part++) {
        byPlace[ofProcess[part]] = body.part();
      }
    }
    return Stream.of(byPlace).flatMap(Stream::ofNullable).toList();
  }

  /** Whether any rank makes a step of a capture. */
  static boolean areSteps(List<RankPart> parts) {
    return parts.stream().anyMatch(part -> part.step() != null);
  }

  /**
   * Makes ranks of one process agree on a step of a capture, which any of them makes.
   *
   * @return the binding that they run; null if there is nothing to run
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH}
   */
  static @Nullable RankBinding agreeHere(
      List<RankPart> parts, Agreement agreement, Runnable slotTaker, long operation) {
    agreement.checkFields(parts.stream().map(CallFields::of).toList(), operation);
    slotTaker.run();
    if (parts.stream().allMatch(part -> part.binding() != null && part.isCurrent())) {
      return parts.getFirst().binding();
    }
    List<CaptureStep> steps = stepsOf(parts);
    CaptureStep first = steps.getFirst();
    List<BodyReader> proposals = steps.stream().map(step -> written(step::propose)).toList();
    BodyReader plan = written(body -> first.plan(proposals, body));
    List<BodyReader> answers =
        steps.stream().map(step -> written(body -> step.follow(plan.again(), body))).toList();
    BodyReader commit = written(body -> first.complete(answers, body));
    @Nullable RankBinding binding = null;
    for (CaptureStep step : steps) {
      binding = step.commit(commit.again());
    }
    parts.forEach(RankPart::agrees);
    return binding;
  }

  private static BodyReader written(Consumer<BodyWriter> writer) {
    BodyWriter body = new BodyWriter();
    writer.accept(body);
    return new BodyReader(body.bytes());
  }

  /** Makes the plan from the proposals of all processes; called in the first rank. */
  BodyWriter plan(CaptureStep step, List<BodyReader> proposals) {
    BodyWriter plan = new BodyWriter().number(job.gate().epoch());
    step.plan(read(proposals), plan);
    return plan;
  }

  /** Sends the plan to all processes; called in the first rank. */
  void tell(long operation, BodyWriter plan) {
    ready.put(operation, new BodyReader[meeting.size()]);
    tellAll(Kind.CAPTURE_PLAN, operation, plan);
  }

  /**
   * Handles a message of this or another process about an operation that has not ended.
   *
   * @param own the parts of this process's ranks
   * @param failed gets a later exception
   */
  void receive(JobMessage message, List<RankPart> own, Consumer<RuntimeException> failed) {
    long operation = message.number();
    List<CaptureStep> steps = stepsOf(own);
    switch (message.kind()) {
      case CAPTURE_PLAN -> {
        BodyReader plan = message.reader();
        job.gate().follow(plan.number(), () -> follow(operation, steps, plan), failed);
      }
      case CAPTURE_READY -> ready(message, steps.getFirst());
      case CAPTURE_COMMIT -> {
        @Nullable RankBinding binding = null;
        for (CaptureStep step : steps) {
          binding = step.commit(message.reader());
        }
        own.forEach(RankPart::agrees);
        ready.remove(operation);
        meeting.queues().decided(operation, binding);
      }
      default -> throw new IllegalStateException("not a message about a capture: " + message);
    }
  }

  private void follow(long operation, List<CaptureStep> steps, BodyReader plan) {
    slotTaker.run();
    BodyWriter answer = new BodyWriter();
    write(steps, (step, part) -> step.follow(plan.again(), part), answer);
    tell(meeting.rank(0), Kind.CAPTURE_READY, operation, answer);
  }

  private void ready(JobMessage message, CaptureStep step) {
    @Nullable BodyReader[] all = ready.get(message.number());
    if (all == null) {
      return;
    }
    all[places.speakerOf(message.from())] = message.reader();
    List<BodyReader> answers = new ArrayList<>();
    for (int speaker : places.speakers()) {
      BodyReader each = all[speaker];
      if (each == null) {
        return;
      }
      answers.add(each);
    }
    BodyWriter commit = new BodyWriter();
    step.complete(read(answers), commit);
    tellAll(Kind.CAPTURE_COMMIT, message.number(), commit);
  }

  private void tellAll(Kind kind, long operation, BodyWriter body) {
    for (int place : places.speakers()) {
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
