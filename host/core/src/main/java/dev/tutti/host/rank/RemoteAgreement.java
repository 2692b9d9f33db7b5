package dev.tutti.host.rank;

import dev.tutti.engine.RankBinding;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.group.RankBindings;
import dev.tutti.host.group.RankBindings.Prepared;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.job.JobMessage;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.host.job.MemoryWindows;
import dev.tutti.host.job.MemoryWindows.Place;
import dev.tutti.host.job.PlanningGate;
import dev.tutti.host.planning.Packing;
import dev.tutti.host.planning.SelectedPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How ranks in several processes agree on an operation that they do not know yet:
 *
 * <ol>
 *   <li>each tells the first rank of the meeting its call and where its buffers are (PROPOSAL);
 *   <li>the first rank compares the calls, chooses an algorithm, plans, and tells all what to plan
 *       and where everybody's buffers are (PLAN);
 *   <li>each plans exactly that, compares the digest of its plan, and tells where its scratch
 *       memory is (READY);
 *   <li>the first rank tells all that all are ready, and a number for what they have agreed on
 *       (COMMIT). Ranks that bring that number to a later operation need no agreement.
 * </ol>
 *
 * Whoever finds something wrong lets the operation fail for all; then nothing has moved. Messages
 * are handled by one thread.
 */
final class RemoteAgreement {

  private static final int LEADER = 0;

  private final GroupCore core;
  private final JobGroup job;
  private final RankMeeting meeting;
  private final int number;
  private final RankBindings bindings;
  private final MemoryWindows windows;
  private final PlanningGate gate;

  /** What the rank of this process wants to run, by operation. */
  private final Map<Long, RankPart> proposed = new ConcurrentHashMap<>();

  /** The operations that are agreed on; of the job's thread. */
  private final TreeMap<Long, Round> rounds = new TreeMap<>();

  /** An operation on its way to a binding. */
  private static final class Round {
    private final @Nullable Proposal[] proposals;
    private final @Nullable Memories[] ready;
    private @Nullable Prepared prepared;

    Round(int places) {
      this.proposals = new Proposal[places];
      this.ready = new Memories[places];
    }
  }

  /** What a rank wants to run, and where its buffers are. */
  private record Proposal(CallFields fields, Buffers buffers) {}

  /** Where a rank's buffers are; null where it has none. */
  private record Buffers(@Nullable Place input, @Nullable Place output) {

    void write(BodyWriter body) {
      RemoteAgreement.write(body, input);
      RemoteAgreement.write(body, output);
    }

    static Buffers read(BodyReader body) {
      return new Buffers(place(body), place(body));
    }
  }

  /** Where a rank's memories for plans are, by column; null where it has none. */
  private record Memories(@Nullable Place[] places) {

    void write(BodyWriter body) {
      body.number(places.length);
      for (Place each : places) {
        RemoteAgreement.write(body, each);
      }
    }

    static Memories read(BodyReader body) {
      @Nullable Place[] places = new Place[body.count()];
      for (int column = 0; column < places.length; column++) {
        places[column] = place(body);
      }
      return new Memories(places);
    }
  }

  private static void write(BodyWriter body, @Nullable Place place) {
    body.number(place == null ? 0 : 1);
    if (place != null) {
      place.write(body);
    }
  }

  private static @Nullable Place place(BodyReader body) {
    return body.number() == 0 ? null : Place.read(body);
  }

  /**
   * The agreement of a meeting.
   *
   * @param number what the processes call the meeting
   */
  RemoteAgreement(
      GroupCore core, JobGroup job, RankMeeting meeting, int number, RankBindings bindings) {
    this.core = core;
    this.job = job;
    this.meeting = meeting;
    this.number = number;
    this.bindings = bindings;
    this.windows = job.job().windows();
    this.gate = job.job().gate();
  }

  private int ownPlace() {
    return meeting.placeOf(job.rank());
  }

  /** Tells what the rank of this process wants to run. */
  void propose(long operation, RankPart part) {
    RankCall call = part.reachable();
    if (call.split() != null) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "groups of ranks in processes cannot be split; make a job for each group");
    }
    proposed.put(operation, part);
    CallFields fields = CallFields.of(call);
    BodyWriter body = new BodyWriter().text(fields.words()).texts(fields.values());
    new Buffers(placeOf(call.input()), placeOf(call.output())).write(body);
    gate.whenDecided(
        () -> job.send(meeting.rank(LEADER), Kind.PROPOSAL, number, operation, body),
        thrown -> failed(operation, thrown));
  }

  private @Nullable Place placeOf(@Nullable MemorySegment buffer) {
    return buffer == null ? null : windows.placeOf(buffer);
  }

  /** Hears what another process says, or this one. */
  void receive(JobMessage message) {
    long operation = message.number();
    try {
      switch (message.kind()) {
        case PROPOSAL -> proposal(message);
        case PLAN -> plan(operation, message.reader());
        case READY -> ready(operation, meeting.placeOf(message.from()), message.reader());
        case COMMIT -> commit(operation, message.reader());
        default -> throw new IllegalStateException("no message about an operation: " + message);
      }
    } catch (RuntimeException e) {
      failed(operation, e);
    }
  }

  private void failed(long operation, RuntimeException thrown) {
    forget(operation);
    meeting.queues().fail(operation, meeting.failed(operation, thrown));
  }

  private Round round(long operation) {
    return rounds.computeIfAbsent(operation, key -> new Round(meeting.size()));
  }

  /** Operations end in order, so those before one that goes on have ended in some way. */
  private void forget(long operation) {
    rounds.headMap(operation, true).clear();
    proposed.keySet().removeIf(each -> each <= operation);
  }

  private void tellAll(Kind kind, long operation, Consumer<BodyWriter> body) {
    BodyWriter written = new BodyWriter();
    body.accept(written);
    for (int place = 0; place < meeting.size(); place++) {
      job.send(meeting.rank(place), kind, number, operation, written);
    }
  }

  // The first rank.

  private void proposal(JobMessage message) {
    Round round = round(message.number());
    int place = meeting.placeOf(message.from());
    BodyReader body = message.reader();
    CallFields fields = new CallFields(message.from(), body.text(), body.texts());
    round.proposals[place] = new Proposal(fields, Buffers.read(body));
    List<Proposal> all = new ArrayList<>();
    for (Proposal each : round.proposals) {
      if (each == null) {
        return;
      }
      all.add(each);
    }
    meeting.agreement().checkFields(all.stream().map(Proposal::fields).toList(), message.number());
    List<Buffers> buffers = all.stream().map(Proposal::buffers).toList();
    gate.begin(
        () -> lead(message.number(), round, buffers), thrown -> failed(message.number(), thrown));
  }

  private void lead(long operation, Round round, List<Buffers> buffers) {
    RankPart own = own(operation);
    if (own == null) {
      return;
    }
    meeting.slot().take();
    round.prepared = prepare(own.reachable(), own.reachable().options(), buffers);
    SelectedPlan planned = round.prepared.planned();
    gate.begun(() -> isUnderWay(operation, round));
    long epoch = gate.epoch();
    tellAll(
        Kind.PLAN,
        operation,
        written -> {
          written.number(epoch);
          written.text(planned.algorithm().qualifiedName()).text(planned.algorithm().version());
          written.texts(parameters(planned).values()).text(planned.key().mode().name());
          written.text(digest(planned));
          buffers.forEach(each -> each.write(written));
        });
  }

  /** Whether the others may still plan what this rank has told them. */
  private boolean isUnderWay(long operation, Round round) {
    return rounds.containsValue(round)
        && own(operation) != null
        && !meeting.queues().hasFailed(operation)
        && core.slot().isUsable();
  }

  /** The values of the parameters that a plan was made with. */
  private static AlgOptions parameters(SelectedPlan planned) {
    for (OpParam param : planned.params()) {
      if (param != null) {
        return param.options();
      }
    }
    return AlgOptions.none();
  }

  private static String digest(SelectedPlan planned) {
    Packing packing = planned.packing();
    return packing == null ? planned.plan().digest() : packing.composite().plan().digest();
  }

  private void ready(long operation, int place, BodyReader body) {
    Round round = rounds.get(operation);
    if (round == null) {
      return;
    }
    round.ready[place] = Memories.read(body);
    if (Arrays.stream(round.ready).allMatch(Objects::nonNull)) {
      tellAll(
          Kind.COMMIT,
          operation,
          written -> {
            written.number(RankBinding.nextNumber());
            for (Memories each : round.ready) {
              Objects.requireNonNull(each).write(written);
            }
          });
    }
  }

  // Every rank.

  /** What the rank of this process wants to run; null if the operation has ended meanwhile. */
  private @Nullable RankPart own(long operation) {
    RankPart part = proposed.get(operation);
    return part == null || meeting.queues().hasEnded(ownPlace(), operation) ? null : part;
  }

  private Prepared prepare(RankCall own, CallOptions options, List<Buffers> all) {
    @Nullable MemorySegment[] inputs = new MemorySegment[core.rankSize()];
    @Nullable MemorySegment[] outputs = new MemorySegment[core.rankSize()];
    for (int place = 0; place < meeting.size(); place++) {
      int rank = meeting.rank(place);
      boolean isOwn = rank == job.rank();
      inputs[rank] = isOwn ? own.input() : segment(all.get(place).input());
      outputs[rank] = isOwn ? own.output() : segment(all.get(place).output());
    }
    return bindings.prepare(meeting.queues(), own.call(), options.ofAllRanks(), inputs, outputs);
  }

  private @Nullable MemorySegment segment(@Nullable Place place) {
    return place == null ? null : windows.segment(place, true);
  }

  private void plan(long operation, BodyReader body) {
    gate.follow(body.number(), () -> follow(operation, body), thrown -> failed(operation, thrown));
  }

  /** Plans what the first rank has chosen; the first rank has done so. */
  private void follow(long operation, BodyReader body) {
    RankPart own = own(operation);
    if (own == null) {
      return;
    }
    Round round = round(operation);
    String algorithm = body.text();
    String version = body.text();
    AlgOptions parameters = new AlgOptions(body.texts());
    WorkflowMode mode = WorkflowMode.valueOf(body.text());
    String digest = body.text();
    if (round.prepared == null) {
      List<Buffers> all = new ArrayList<>();
      for (int place = 0; place < meeting.size(); place++) {
        all.add(Buffers.read(body));
      }
      CallOptions options =
          own.reachable()
              .options()
              .withAlgorithm(algorithm)
              .withParameters(parameters)
              .withMode(mode);
      meeting.slot().take();
      round.prepared = prepare(own.reachable(), options, all);
      SelectedPlan planned = round.prepared.planned();
      requireSame("version of " + algorithm, version, planned.algorithm().version());
      requireSame("plan of " + algorithm, digest, digest(planned));
    }
    BodyWriter answer = new BodyWriter();
    ownMemories().write(answer);
    job.send(meeting.rank(LEADER), Kind.READY, number, operation, answer);
  }

  private void requireSame(String what, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new TuttiException(
          ErrorCode.CALL_MISMATCH,
          "all ranks must have the same %s, but %s differs from %s: expected %s, actual %s",
          what,
          core.names().name(job.rank()),
          core.names().name(meeting.rank(LEADER)),
          expected,
          actual);
    }
  }

  private Memories ownMemories() {
    @Nullable MemorySegment[] present = bindings.present(job.rank());
    @Nullable Place[] places = new Place[present.length];
    for (int column = 0; column < present.length; column++) {
      places[column] = placeOf(present[column]);
    }
    return new Memories(places);
  }

  private void commit(long operation, BodyReader body) {
    Round round = rounds.get(operation);
    RankPart own = own(operation);
    if (round == null || own == null || round.prepared == null) {
      return;
    }
    long agreed = body.number();
    @Nullable MemorySegment @Nullable [][] present = new MemorySegment[core.rankSize()][];
    for (int place = 0; place < meeting.size(); place++) {
      Memories memories = Memories.read(body);
      int rank = meeting.rank(place);
      if (rank != job.rank()) {
        present[rank] = segments(memories);
      }
    }
    RankBinding binding = bindings.complete(round.prepared, agreed, Arrays.asList(present));
    own.agrees();
    forget(operation);
    meeting.queues().decided(ownPlace(), operation, binding);
  }

  private @Nullable MemorySegment[] segments(Memories memories) {
    @Nullable MemorySegment[] segments = new MemorySegment[memories.places().length];
    for (int column = 0; column < segments.length; column++) {
      Place place = memories.places()[column];
      segments[column] = place == null ? null : windows.segment(place, false);
    }
    return segments;
  }
}
