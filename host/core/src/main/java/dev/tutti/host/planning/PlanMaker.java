package dev.tutti.host.planning;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Engine;
import dev.tutti.host.call.Protocols;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.status.RunFacts;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.TuttiEvent;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.PlanStructure;
import dev.tutti.plan.RankProgram;
import dev.tutti.plan.work.Work;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.gate.PluginText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records and compiles plans of the ranks of one group. Thread-safe. */
final class PlanMaker {

  /**
   * The largest plan, in actions, that is kept as the origin of others. Larger plans that can be
   * recorded at all are so regular that computing their structure takes longer than recording them
   * again.
   */
  private static final long MAX_ACTIONS_OF_ORIGIN = 1 << 20;

  private static final PlanClone.Attempt NOT_TAKEN = new PlanClone.Attempt(null, "not supported");

  private final long group;
  private final Topology topology;
  private final long cclBufferSize;
  private final Engine engine;
  private final TimeLimit limit;

  /** The limit for frequent questions that take a few microseconds each. */
  private final TimeLimit shortLimit;

  private final PlanRecorder recorder;
  private final KnownPlans known = new KnownPlans();

  /**
   * The group as each rank sees it, by setting. Plans share these, because there may be thousands
   * of plans for a group.
   */
  private final Map<Setting, CommInfo[]> comms = new ConcurrentHashMap<>();

  /** The settings that, in addition to the group, determine how its ranks see it. */
  private record Setting(WorkflowMode mode, Protocols protocols, Determinism determinism) {}

  PlanMaker(
      long group, Topology topology, HostSettings settings, Engine engine, boolean recordsSources) {
    this.group = group;
    this.topology = topology;
    this.cclBufferSize = settings.cclBufferSize();
    this.engine = engine;
    this.limit = new TimeLimit(settings.planningLimit());
    this.shortLimit = TimeLimit.ofShortCalls(settings.planningLimit());
    this.recorder = new PlanRecorder().withSources(recordsSources);
  }

  /** The call as each rank sees it; null for ranks that take no part. */
  List<@Nullable OpParam> params(PlanKey key, AlgOptions parameters) {
    List<@Nullable OpParam> params = new ArrayList<>(topology.rankSize());
    for (int rank = 0; rank < topology.rankSize(); rank++) {
      params.add(param(key, parameters, rank));
    }
    return params;
  }

  /** The call as one rank sees it; null if it takes no part. */
  @Nullable OpParam param(PlanKey key, AlgOptions parameters, int rank) {
    Setting setting = new Setting(key.mode(), key.protocols(), key.determinism());
    CommInfo comm = comms.computeIfAbsent(setting, this::comms)[rank];
    boolean inPlace = key.inPlace() && key.layouts().areContiguous();
    return key.call().param(comm, key.tag(), parameters, inPlace);
  }

  /** The group as each rank sees it, which all calls of a setting share. */
  private CommInfo[] comms(Setting setting) {
    CommInfo[] made = new CommInfo[topology.rankSize()];
    for (int rank = 0; rank < made.length; rank++) {
      made[rank] =
          new CommInfo(
              rank,
              topology,
              setting.mode(),
              setting.protocols().others(),
              setting.determinism(),
              cclBufferSize,
              setting.protocols().planes());
    }
    return made;
  }

  /** The plans from which others can be made. */
  KnownPlans known() {
    return known;
  }

  /** Whether an algorithm accepts a call, as one rank sees it. */
  Support supports(Candidate candidate, OpParam param) {
    try {
      return shortLimit.call(
          () -> "supports() of " + candidate.algorithm(),
          () -> PlanPool.executor(candidate.algorithm()).supports(param));
    } catch (TuttiException e) {
      if (e.code() == ErrorCode.UNSUPPORTED) {
        return Support.no(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /**
   * The plan of a candidate, whatever its size. It is made from a plan with the same structure for
   * another count, or else from scratch.
   *
   * @param made the plan, if it was already made for comparison; it is then reused
   */
  CandidatePlan plan(
      PlanPool pool, PlanKey key, Candidate candidate, @Nullable CandidatePlan made) {
    Programs programs = programs(pool, key, candidate);
    CandidatePlan plan =
        made == null && key.isPlain() ? clone(key, candidate, programs, null) : made;
    if (plan == null) {
      plan = make(key, candidate, programs, PlanRecorder.DEFAULT_MAX_ACTIONS);
    }
    boolean isNew = plan.cloned() == null && plan.packing() == null;
    if (isNew && plan.plan().actionCount() <= MAX_ACTIONS_OF_ORIGIN) {
      long bytes = SelectedPlan.messageBytes(plan.params());
      KnownPlan own = new KnownPlan(engine, plan.plan(), bytes, known.nextTurn());
      known.add(KnownPlans.Shape.of(key, candidate), own);
      return plan.knownAs(own);
    }
    return plan;
  }

  /**
   * The plan of a candidate if it accepts a call and its plan can be made from another one;
   * otherwise, or after any error, null. Asks whether the candidate accepts the call and plans in
   * one call into the plugin.
   *
   * @param asked the call as one rank sees it
   */
  @Nullable CandidatePlan cloneIfTaken(
      PlanPool pool, PlanKey key, Candidate candidate, OpParam asked) {
    if (!key.isPlain()) {
      return null;
    }
    try {
      return clone(key, candidate, programs(pool, key, candidate), asked);
    } catch (TuttiException e) {
      // The caller then asks and plans in two separate steps, which report the error.
      return null;
    }
  }

  /**
   * The plan of a candidate, made from another one; null if none has its structure.
   *
   * @param asked the call that must be supported; null if it is known to be supported
   */
  private @Nullable CandidatePlan clone(
      PlanKey key, Candidate candidate, Programs programs, @Nullable OpParam asked) {
    List<@Nullable OpParam> params = programs.params();
    long bytes = SelectedPlan.messageBytes(params);
    HostEvents.PlanRecord event = HostEvents.begin(HostEvents.PlanRecord::new);
    for (KnownPlan each : known.nearest(KnownPlans.Shape.of(key, candidate), bytes)) {
      PlanClone clone = attempt(key, candidate, programs, asked, each).made();
      CompiledPlan compiled = clone == null ? null : each.compile(clone).orElse(null);
      if (clone != null && compiled != null) {
        each.fits(bytes, known.nextTurn());
        HostEvents.end(
            event, () -> SelectedPlan.facts(group, key, params, candidate.algorithm()), null);
        return new CandidatePlan(
            params, clone.plan(), compiled, null, null, new ClonedPlan(each, clone));
      }
    }
    return null;
  }

  private PlanClone.Attempt attempt(
      PlanKey key,
      Candidate candidate,
      Programs programs,
      @Nullable OpParam asked,
      KnownPlan from) {
    PlanStructure structure = from.structure();
    Algorithm algorithm = candidate.algorithm();
    return shortLimit.call(
        () -> "planning " + key.call() + " with " + algorithm,
        () ->
            asked == null || PlanPool.executor(algorithm).supports(asked).isSupported()
                ? recorder.clone(structure, programs.ranks())
                : NOT_TAKEN);
  }

  /**
   * A description of the plan from which a candidate's plan would be made, or the reason why it
   * would be planned from scratch; empty if there is no other plan.
   */
  String wayOfMaking(PlanPool pool, PlanKey key, Candidate candidate) {
    if (!key.isPlain()) {
      return "planned from scratch, because it is joined with copies or divisions";
    }
    Programs programs = programs(pool, key, candidate);
    long bytes = SelectedPlan.messageBytes(programs.params());
    List<KnownPlan> nearest = known.nearest(KnownPlans.Shape.of(key, candidate), bytes);
    String difference = "";
    for (KnownPlan each : nearest) {
      PlanClone.Attempt attempt = attempt(key, candidate, programs, null, each);
      PlanClone clone = attempt.made();
      if (clone != null && each.compile(clone).isPresent()) {
        return "made from the plan for " + each.sizes();
      }
      if (difference.isEmpty()) {
        String how =
            clone == null ? attempt.difference() : "the number of bytes decides what is tiled";
        difference = Sentence.of("the plan for %s differs: %s", each.sizes(), how);
      }
    }
    return difference.isEmpty() ? "" : "planned from scratch, because " + difference;
  }

  /** The program of each rank. */
  private record Programs(List<@Nullable OpParam> params, List<RankProgram> ranks) {}

  private Programs programs(PlanPool pool, PlanKey key, Candidate candidate) {
    Algorithm algorithm = candidate.algorithm();
    List<@Nullable OpParam> params = params(key, candidate.parameters());
    Algorithm receiver =
        key.call().isTransfer() ? receiver(pool, key, algorithm, params) : algorithm;
    List<RankProgram> ranks = new ArrayList<>(params.size());
    for (int rank = 0; rank < params.size(); rank++) {
      ranks.add(program(rank, params.get(rank), algorithm, receiver));
    }
    return new Programs(params, ranks);
  }

  /**
   * The plan of a candidate, made from scratch.
   *
   * @param maxActions the largest number of actions per rank
   * @throws TuttiException with {@link ErrorCode#PLAN_TOO_LARGE} if a rank has more; with the codes
   *     of recording and compiling if the plan cannot be made
   */
  CandidatePlan make(PlanPool pool, PlanKey key, Candidate candidate, int maxActions) {
    return make(key, candidate, programs(pool, key, candidate), maxActions);
  }

  private CandidatePlan make(PlanKey key, Candidate candidate, Programs programs, int maxActions) {
    Algorithm algorithm = candidate.algorithm();
    try (Work work = Work.begin("planning " + algorithm.name(), 2)) {
      return make(key, candidate, programs, maxActions, work);
    }
  }

  /** Makes a plan in two steps: records it, and compiles it. */
  private CandidatePlan make(
      PlanKey key, Candidate candidate, Programs programs, int maxActions, Work work) {
    Algorithm algorithm = candidate.algorithm();
    List<@Nullable OpParam> params = programs.params();
    String name = key.call().operation().label() + " " + algorithm.name();
    Supplier<RunFacts> facts = () -> SelectedPlan.facts(group, key, params, algorithm);
    GroupPlan plan =
        noted(
            HostEvents.begin(HostEvents.PlanRecord::new),
            facts,
            () ->
                limit.call(
                    "planning " + key.call() + " with " + algorithm,
                    () -> recorder.withMaxActions(maxActions).record(name, programs.ranks())));
    work.step();
    Packing packing = key.isPlain() ? null : new Packing(key, params, plan);
    CompiledPlan compiled =
        noted(
            HostEvents.begin(HostEvents.Compile::new),
            facts,
            () ->
                packing == null
                    ? engine.compile(plan, CompileOptions.defaults())
                    : engine.compile(packing.composite(), CompileOptions.defaults()));
    return new CandidatePlan(params, plan, compiled, packing, null, null);
  }

  /** Does some work and ends its event, also after an exception. */
  private static <T> T noted(
      @Nullable TuttiEvent event, Supplier<RunFacts> facts, Supplier<T> work) {
    try {
      T result = work.get();
      HostEvents.end(event, facts, null);
      return result;
    } catch (RuntimeException | Error e) {
      HostEvents.end(event, facts, e);
      throw e;
    }
  }

  private RankProgram program(
      int rank, @Nullable OpParam param, Algorithm algorithm, Algorithm receiver) {
    if (param == null) {
      return RankProgram.idle(CommInfo.of(rank, topology).withCclBufferSize(cclBufferSize));
    }
    boolean receives = param.operation() == Operation.RECEIVE;
    return RankProgram.of(PlanPool.executor(receives ? receiver : algorithm), param);
  }

  /**
   * The receive algorithm of a transfer: the one with the same name in the same plugin, or the
   * plugin's only one.
   */
  private Algorithm receiver(
      PlanPool pool, PlanKey key, Algorithm sender, List<@Nullable OpParam> params) {
    List<Algorithm> ofPlugin =
        pool.algorithms(Operation.RECEIVE).stream()
            .filter(each -> each.plugin().equals(sender.plugin()))
            .toList();
    Algorithm receiver =
        ofPlugin.stream()
            .filter(each -> each.name().equals(sender.name()) || ofPlugin.size() == 1)
            .findFirst()
            .orElseThrow(
                () ->
                    new TuttiException(
                        ErrorCode.UNSUPPORTED,
                        "send algorithm %s has no counterpart: plugin %s needs a receive algorithm"
                            + " '%s'",
                        sender.qualifiedName(),
                        sender.plugin(),
                        sender.name()));
    OpParam param =
        Objects.requireNonNull(params.get(key.call().destination()), "a rank that takes part");
    Support support =
        shortLimit.call(
            "supports() of " + receiver, () -> PlanPool.executor(receiver).supports(param));
    if (!support.isSupported()) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED, "%s refuses: %s", receiver, PluginText.cut(support.reason()));
    }
    return receiver;
  }
}
