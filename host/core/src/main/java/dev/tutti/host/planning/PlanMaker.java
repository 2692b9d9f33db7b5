package dev.tutti.host.planning;

import dev.tutti.engine.CompileOptions;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Engine;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.host.watch.HostEvents;
import dev.tutti.host.watch.RunFacts;
import dev.tutti.host.watch.TuttiEvent;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.gate.PluginText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records and compiles plans of the ranks of one group. Thread-safe. */
final class PlanMaker {

  private final long group;
  private final Topology topology;
  private final long cclBufferSize;
  private final Engine engine;
  private final TimeLimit limit;
  private final PlanRecorder recorder;

  PlanMaker(
      long group, Topology topology, HostSettings settings, Engine engine, boolean recordsSources) {
    this.group = group;
    this.topology = topology;
    this.cclBufferSize = settings.cclBufferSize();
    this.engine = engine;
    this.limit = new TimeLimit(settings.planningLimit());
    this.recorder = new PlanRecorder().withSources(recordsSources);
  }

  /** The call as each rank sees it; null for ranks that take no part. */
  List<@Nullable OpParam> params(PlanKey key, AlgOptions parameters) {
    CommInfo comm =
        new CommInfo(0, topology, key.mode(), key.protocol(), key.determinism(), cclBufferSize);
    boolean inPlace = key.inPlace() && key.layouts().areContiguous();
    List<@Nullable OpParam> params = new ArrayList<>(topology.rankSize());
    for (int rank = 0; rank < topology.rankSize(); rank++) {
      params.add(key.call().param(comm.withRank(rank), key.tag(), parameters, inPlace));
    }
    return params;
  }

  /** The plan of a candidate, whatever its size. */
  CandidatePlan make(PlanPool pool, PlanKey key, Candidate candidate) {
    return make(pool, key, candidate, PlanRecorder.DEFAULT_MAX_ACTIONS);
  }

  /**
   * The plan of a candidate.
   *
   * @param maxActions of one rank
   * @throws TuttiException with {@link ErrorCode#PLAN_TOO_LARGE} if a rank has more; with the codes
   *     of recording and compiling if the plan cannot be made
   */
  CandidatePlan make(PlanPool pool, PlanKey key, Candidate candidate, int maxActions) {
    Algorithm algorithm = candidate.algorithm();
    List<@Nullable OpParam> params = params(key, candidate.parameters());
    Algorithm receiver =
        key.call().isTransfer() ? receiver(pool, key, algorithm, params) : algorithm;
    List<RankProgram> programs = new ArrayList<>(params.size());
    for (int rank = 0; rank < params.size(); rank++) {
      programs.add(program(rank, params.get(rank), algorithm, receiver));
    }
    String name = key.call().operation().label() + " " + algorithm.name();
    Supplier<RunFacts> facts = () -> SelectedPlan.facts(group, key, params, algorithm);
    GroupPlan plan =
        noted(
            HostEvents.begin(HostEvents.PlanRecord::new),
            facts,
            () ->
                limit.call(
                    "planning " + key.call() + " with " + algorithm,
                    () -> recorder.withMaxActions(maxActions).record(name, programs)));
    Packing packing = key.isPlain() ? null : new Packing(key, params, plan);
    CompiledPlan compiled =
        noted(
            HostEvents.begin(HostEvents.Compile::new),
            facts,
            () ->
                packing == null
                    ? engine.compile(plan, CompileOptions.defaults())
                    : engine.compile(packing.composite(), CompileOptions.defaults()));
    return new CandidatePlan(params, plan, compiled, packing);
  }

  /** Does something, and ends its event however that ends. */
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

  /** The other half of a transfer: the same name in the same plugin, or the plugin's only one. */
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
        limit.call("supports() of " + receiver, () -> PlanPool.executor(receiver).supports(param));
    if (!support.isSupported()) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED, "%s refuses: %s", receiver, PluginText.cut(support.reason()));
    }
    return receiver;
  }
}
