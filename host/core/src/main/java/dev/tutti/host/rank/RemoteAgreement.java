package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.capture.CaptureStep;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.PreparedPlan;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.job.PlanningGate;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of ranks in several processes on an operation that they do not know yet. If a
 * process has several ranks, it compares their calls first, and the first of them represents all:
 *
 * <ol>
 *   <li>each sends the first rank of the meeting its call and the places of its buffers (PROPOSAL);
 *   <li>the first rank compares the calls, chooses an algorithm, plans, and sends its choice and
 *       the places of all buffers to all ranks (PLAN). If others cannot reach the buffers of some
 *       ranks, and no plan leaves these to their ranks, it asks all ranks to propose copies (COPY);
 *   <li>each makes the same plan, compares the digest of its plan, and sends the place of its
 *       scratch memory (READY);
 *   <li>when all ranks are ready, the first rank sends all of them a number for the agreement
 *       (COMMIT). Ranks that start a later operation with that number need no new agreement;
 *   <li>each binds the plan to the memory of all ranks and announces that in shared memory. No rank
 *       begins before all have.
 * </ol>
 *
 * A rank that finds an error makes the operation fail for all ranks; no data has moved then. One
 * thread handles the messages.
 */
final class RemoteAgreement {

  private static final int LEADER = 0;

  private final GroupCore core;
  private final JobGroup job;
  private final RankMeeting meeting;
  private final MeetingPlaces places;
  private final ProposedCalls calls;
  private final int number;
  private final RankBindings bindings;
  private final MemoryWindows windows;
  private final PlanningGate gate;
  private final CaptureAgreement captures;
  private final @Nullable KnownCalls known;

  /** The proposals of this process's ranks, by operation. */
  private final Map<Long, List<RankPart>> proposed = new ConcurrentHashMap<>();

  /** The current agreements by operation; confined to the job's thread. */
  private final TreeMap<Long, AgreementRound> rounds = new TreeMap<>();

  /**
   * Makes the agreement of a meeting.
   *
   * @param number the number of the meeting in all processes
   * @param known the calls that ranks without shared memory know; null if they share memory
   */
  RemoteAgreement(
      GroupCore core,
      JobGroup job,
      RankMeeting meeting,
      int number,
      RankBindings bindings,
      @Nullable KnownCalls known) {
    this.core = core;
    this.job = job;
    this.meeting = meeting;
    this.places = meeting.places();
    this.calls = new ProposedCalls(meeting.agreement(), places, known);
    this.number = number;
    this.bindings = bindings;
    this.windows = job.windows();
    this.gate = job.gate();
    this.known = known;
    this.captures = new CaptureAgreement(job, meeting, places, () -> meeting.slot().take());
  }

  /** Proposes the operation that the ranks of this process want to run. */
  void propose(long operation, List<RankPart> parts) {
    CallBuffers.checkOverlaps(parts, core.rankSize(), core.names());
    RankPart part = parts.getFirst();
    RankCall call = part.reachable();
    proposed.put(operation, parts);
    CaptureStep step = part.step();
    BodyWriter body = new BodyWriter();
    calls.write(operation, parts, body);
    if (call.split() != null) {
      calls.writeSplits(parts, body);
    } else if (step != null) {
      CaptureAgreement.propose(parts, body);
    } else if (known == null) {
      GivenBuffers.of(call, part.areLeft(), windows).write(body);
    } else {
      GivenBuffers.none().write(body);
    }
    gate.whenDecided(
        () -> job.send(places.rank(LEADER), Kind.PROPOSAL, number, operation, body),
        thrown -> failed(operation, thrown));
  }

  /** Handles a message of this or another process. */
  void receive(JobMessage message) {
    long operation = message.number();
    try {
      switch (message.kind()) {
        case PROPOSAL -> proposal(message);
        case COPY -> copy(operation);
        case PLAN -> plan(operation, message.reader());
        case READY -> ready(operation, places.speakerOf(message.from()), message.reader());
        case SPLIT -> split(operation, message.reader());
        case COMMIT -> commit(operation, message.reader());
        case FAILED -> hearFailure(operation, message.reader().error());
        case STARTED ->
            meeting.queues().hearStarted(places.of(message.reader().count()), operation);
        case ASK, COMPARE, KNOWN ->
            Objects.requireNonNull(known, "the ranks share no memory").receive(message);
        case JOIN -> join(operation, message.reader());
        case CAPTURE_PLAN, CAPTURE_READY, CAPTURE_COMMIT -> {
          List<RankPart> own = own(operation);
          if (own != null && own.stream().allMatch(part -> part.step() != null)) {
            captures.receive(message, own, thrown -> failed(operation, thrown));
          }
        }
        default -> throw new IllegalStateException("not a message about an operation: " + message);
      }
    } catch (RuntimeException e) {
      failed(operation, e);
    }
  }

  private void failed(long operation, RuntimeException thrown) {
    forget(operation);
    TuttiException failure = meeting.failed(operation, thrown);
    if (!meeting.queues().fail(operation, failure) && known != null) {
      // The operation has ended for this rank, but not for all.
      known.tellFailure(operation, failure);
    }
  }

  private AgreementRound round(long operation) {
    return rounds.computeIfAbsent(operation, key -> new AgreementRound(places.size()));
  }

  /** Drops an operation and all earlier ones; they have ended, because operations end in order. */
  private void forget(long operation) {
    rounds.headMap(operation, true).clear();
    captures.forget(operation);
    proposed.keySet().removeIf(each -> each <= operation);
  }

  private void tellAll(Kind kind, long operation, Consumer<BodyWriter> body) {
    BodyWriter written = new BodyWriter();
    body.accept(written);
    for (int place : places.speakers()) {
      job.send(places.rank(place), kind, number, operation, written);
    }
  }

  // The first rank.

  private void proposal(JobMessage message) {
    AgreementRound round = round(message.number());
    int place = places.speakerOf(message.from());
    BodyReader body = message.reader();
    List<CallFields> proposed = calls.read(place, body);
    round.proposals[place] = new AgreementRound.Proposal(proposed, body);
    if (known != null && known.answers(message.number(), proposed)) {
      return;
    }
    List<AgreementRound.Proposal> all = new ArrayList<>();
    for (int speaker : places.speakers()) {
      AgreementRound.Proposal each = round.proposals[speaker];
      if (each == null) {
        return;
      }
      all.add(each);
    }
    meeting.agreement().checkFields(calls.byPlace(all), message.number());
    gate.begin(
        () -> lead(message.number(), round, all), thrown -> failed(message.number(), thrown));
  }

  private void lead(long operation, AgreementRound round, List<AgreementRound.Proposal> all) {
    List<RankPart> own = own(operation);
    if (own == null) {
      return;
    }
    if (own.getFirst().call().split() != null) {
      tellAll(Kind.SPLIT, operation, written -> calls.tellSplits(round, written));
      return;
    }
    meeting.slot().take();
    // This step may run again after a failure, with the version of the plugin that serves then.
    List<BodyReader> rests = all.stream().map(each -> each.rest().again()).toList();
    CaptureStep step = own.getFirst().step();
    if (step != null) {
      BodyWriter plan = captures.plan(step, rests);
      gate.begun(() -> isUnderWay(operation, round));
      captures.tell(operation, plan);
      return;
    }
    List<GivenBuffers> buffers = rests.stream().map(GivenBuffers::read).toList();
    PreparedPlan prepared = prepare(own, own.getFirst().reachable().options(), buffers);
    round.prepared = prepared;
    if (prepared == null) {
      Arrays.fill(round.proposals, null);
      tellAll(Kind.COPY, operation, written -> {});
      return;
    }
    SelectedPlan planned = prepared.planned();
    gate.begun(() -> isUnderWay(operation, round));
    long epoch = gate.epoch();
    tellAll(
        Kind.PLAN,
        operation,
        written -> {
          written.number(epoch);
          ChosenPlan.of(planned).write(written);
          buffers.forEach(each -> each.write(written));
        });
  }

  /** Whether the other ranks may still make the plan that this rank has sent. */
  private boolean isUnderWay(long operation, AgreementRound round) {
    return rounds.containsValue(round)
        && own(operation) != null
        && !meeting.queues().hasFailed(operation)
        && core.slot().isUsable();
  }

  private void ready(long operation, int place, BodyReader body) {
    AgreementRound round = rounds.get(operation);
    if (round == null) {
      return;
    }
    round.ready[place] = PlanMemories.read(body);
    int[] speakers = places.speakers();
    if (IntStream.of(speakers).allMatch(speaker -> round.ready[speaker] != null)) {
      tellAll(
          Kind.COMMIT,
          operation,
          written -> {
            written.number(RankBinding.nextNumber());
            for (int speaker : speakers) {
              Objects.requireNonNull(round.ready[speaker]).write(written);
            }
          });
    }
  }

  // Every rank.

  /** The proposal of this process's ranks; null if the operation has ended meanwhile. */
  private @Nullable List<RankPart> own(long operation) {
    List<RankPart> parts = proposed.get(operation);
    boolean hasEnded =
        IntStream.of(places.own()).anyMatch(place -> meeting.queues().hasEnded(place, operation));
    return hasEnded ? null : parts;
  }

  /** Proposes copies instead of buffers that others cannot reach. */
  private void copy(long operation) {
    List<RankPart> own = own(operation);
    if (own != null) {
      own.forEach(RankPart::copyAfterAll);
      propose(operation, own);
    }
  }

  /** Makes the plan; null if buffers are left to their ranks, and no plan supports that. */
  private @Nullable PreparedPlan prepare(
      List<RankPart> parts, CallOptions options, List<GivenBuffers> all) {
    if (known != null) {
      return known.prepare(parts, options.ofAllRanks());
    }
    RankCall own = parts.getFirst().reachable();
    @Nullable MemorySegment[] inputs = new MemorySegment[core.rankSize()];
    @Nullable MemorySegment[] outputs = new MemorySegment[core.rankSize()];
    for (int place = 0; place < places.size(); place++) {
      int rank = places.rank(place);
      boolean isOwn = rank == job.rank();
      GivenBuffers given = all.get(place);
      inputs[rank] = isOwn ? own.input() : given.input(rank, windows);
      outputs[rank] = isOwn ? own.output() : given.output(rank, windows);
    }
    boolean areLeft = all.stream().anyMatch(GivenBuffers::areLeft);
    OperationQueues queues = meeting.queues();
    CallOptions ofAll = options.ofAllRanks();
    return areLeft
        ? bindings.prepareApart(queues, own.call(), ofAll, inputs, outputs)
        : bindings.prepare(queues, own.call(), ofAll, inputs, outputs);
  }

  /** Handles the message with each rank's part in splitting the group. */
  private void split(long operation, BodyReader body) {
    List<RankPart> own = own(operation);
    if (own == null) {
      return;
    }
    meeting.split(calls.readSplits(own, body));
    forget(operation);
    meeting.queues().decided(operation, null);
  }

  /** Makes the operations fail for which this process waits for an agreement. */
  void cutOff(TuttiException cause) {
    proposed.keySet().forEach(operation -> meeting.queues().fail(operation, cause));
  }

  private void plan(long operation, BodyReader body) {
    gate.follow(body.number(), () -> follow(operation, body), thrown -> failed(operation, thrown));
  }

  /** Makes the plan that the first rank has chosen; the first rank already has it. */
  private void follow(long operation, BodyReader body) {
    List<RankPart> own = own(operation);
    if (own == null) {
      return;
    }
    AgreementRound round = round(operation);
    ChosenPlan chosen = ChosenPlan.read(body);
    if (round.prepared == null) {
      List<GivenBuffers> all = GivenBuffers.readAll(body, places.speakers().length);
      CallOptions options = chosen.options(own.getFirst().reachable().options());
      meeting.slot().take();
      round.prepared = prepare(own, options, all);
      requireSame(chosen, round.prepared);
    }
    BodyWriter answer = new BodyWriter();
    @Nullable MemorySegment[] present = bindings.present(job.rank());
    (known == null ? PlanMemories.of(present, windows) : PlanMemories.none()).write(answer);
    job.send(places.rank(LEADER), Kind.READY, number, operation, answer);
  }

  private void requireSame(ChosenPlan chosen, @Nullable PreparedPlan own) {
    chosen.requireSame(
        own == null ? null : own.planned(), core.names(), places.rank(LEADER), job.rank());
  }

  private void commit(long operation, BodyReader body) {
    AgreementRound round = rounds.get(operation);
    List<RankPart> own = own(operation);
    if (round == null || own == null || round.prepared == null) {
      return;
    }
    long agreed = body.number();
    @Nullable MemorySegment @Nullable [][] present = new MemorySegment[core.rankSize()][];
    for (int place : places.speakers()) {
      PlanMemories memories = PlanMemories.read(body);
      if (!places.isOwn(place)) {
        present[places.rank(place)] = memories.segments(windows);
      }
    }
    run(operation, own, round.prepared.bind(agreed, Arrays.asList(present)));
  }

  private void run(long operation, List<RankPart> own, RankBinding binding) {
    own.forEach(RankPart::agrees);
    forget(operation);
    meeting.queues().decided(operation, binding);
  }

  /** Runs the plan that others run, because they know the call and this process does not. */
  private void join(long operation, BodyReader body) {
    List<RankPart> own = own(operation);
    if (own != null) {
      meeting.slot().take();
      KnownCalls calls = Objects.requireNonNull(known, "the ranks share no memory");
      run(operation, own, calls.join(own, body));
    }
  }

  private void hearFailure(long operation, TuttiException failure) {
    if (operation == 0) {
      core.slot().poison(String.valueOf(failure.getMessage()));
    } else {
      forget(operation);
      meeting.queues().hear(operation, failure);
    }
  }
}
