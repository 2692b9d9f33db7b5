package dev.tutti.host;

import dev.tutti.host.engine.CompileOptions;
import dev.tutti.host.engine.CompiledPlan;
import dev.tutti.host.engine.Engine;
import dev.tutti.host.engine.MemoryUse;
import dev.tutti.host.guard.TimeLimit;
import dev.tutti.host.live.Catalogue;
import dev.tutti.host.live.Catalogues;
import dev.tutti.host.live.Generation;
import dev.tutti.host.plugin.Algorithm;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.PlanRecorder;
import dev.tutti.sdk.plan.RankProgram;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes calls of one group to plans: choose, record, compile. Thread-safe. */
final class Planner {

  private final Topology topology;
  private final long cclBufferSize;
  private final Catalogues catalogues;
  private final Engine engine;
  private final TimeLimit limit;
  private final PlanRecorder recorder;

  Planner(
      Topology topology,
      HostSettings settings,
      Catalogues catalogues,
      Engine engine,
      boolean recordsSources) {
    this.topology = topology;
    this.cclBufferSize = settings.cclBufferSize();
    this.catalogues = catalogues;
    this.engine = engine;
    this.limit = new TimeLimit(settings.planningLimit());
    this.recorder = new PlanRecorder().withSources(recordsSources);
  }

  /** The request as each rank sees it; null for ranks that take no part. */
  List<@Nullable OpParam> params(PlanKey key) {
    CommInfo comm =
        new CommInfo(0, topology, key.mode(), key.protocol(), key.determinism(), cclBufferSize);
    return CallParams.ofAll(key.call(), comm, key.tag(), key.parameters(), key.inPlace());
  }

  /** The number of the catalogue that is served now. */
  long catalogueNumber() {
    return catalogues.current().number();
  }

  Choice choose(PlanKey key) {
    Catalogue catalogue = catalogues.enter();
    try {
      return catalogue.pool().choose(chosenBy(key, params(key)), key.algorithm());
    } finally {
      catalogues.leave(catalogue);
    }
  }

  /** The view by which an algorithm is chosen: rank 0's, or the sender's. */
  private static OpParam chosenBy(PlanKey key, List<@Nullable OpParam> params) {
    int rank = key.call().isTransfer() ? key.call().root() : 0;
    return Objects.requireNonNull(params.get(rank), "a rank that takes part");
  }

  /**
   * Chooses, records and compiles. If that fails with a plugin version whose trial is not over, and
   * an older one takes over, it is tried with that.
   */
  Planned plan(PlanKey key) {
    while (true) {
      Attempt attempt = new Attempt(key);
      try {
        return attempt.run();
      } catch (TuttiException e) {
        if (!attempt.isFaultOfPlugin(e) || !catalogues.planFailed(attempt.generation, e)) {
          throw e;
        }
      }
    }
  }

  void runFailed(Generation generation, TuttiException failure) {
    catalogues.runFailed(generation, failure);
  }

  /** One way from a call to its plan, with what is served now. */
  private final class Attempt {
    private final PlanKey key;
    private final List<@Nullable OpParam> params;

    /** Of the chosen algorithm; permanent until there is one. */
    private Generation generation = Generation.PERMANENT;

    Attempt(PlanKey key) {
      this.key = key;
      this.params = params(key);
    }

    Planned run() {
      Catalogue catalogue = catalogues.enter();
      try {
        return plan(catalogue);
      } finally {
        catalogues.leave(catalogue);
      }
    }

    private Planned plan(Catalogue catalogue) {
      PlanPool pool = catalogue.pool();
      Algorithm algorithm = pool.choose(chosenBy(key, params), key.algorithm()).chosen();
      generation = catalogue.generationOf(algorithm);
      Algorithm receiver =
          key.call().isTransfer() ? receiver(pool, key, algorithm, params) : algorithm;
      List<RankProgram> programs = new ArrayList<>(params.size());
      for (int rank = 0; rank < params.size(); rank++) {
        programs.add(program(rank, params.get(rank), algorithm, receiver));
      }
      String name = key.call().operation().label() + " " + algorithm.name();
      GroupPlan plan =
          limit.call("planning " + key.call() + " with " + algorithm, () -> record(name, programs));
      if (generation.isOnTrial()) {
        Trials.check(plan, params, algorithm);
      }
      CompiledPlan compiled = engine.compile(plan, CompileOptions.defaults());
      generation.planned();
      return new Planned(
          key,
          params,
          algorithm,
          plan,
          compiled,
          MemoryUse.of(plan),
          generation,
          catalogue.number());
    }

    /** Whether the plugin is to blame, and not the caller or the machine. */
    boolean isFaultOfPlugin(TuttiException e) {
      return switch (e.code()) {
        case EXECUTOR_FAILED,
            RESOURCE_MISMATCH,
            LINK_MISMATCH,
            DEADLOCK,
            INVALID_PLAN,
            PLAN_TOO_LARGE,
            OUT_OF_BOUNDS,
            PLUGIN_GUARD,
            PLUGIN_REJECTED ->
            generation != Generation.PERMANENT;
        default -> false;
      };
    }
  }

  private GroupPlan record(String name, List<RankProgram> programs) {
    return recorder.record(name, programs);
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
      throw new TuttiException(ErrorCode.UNSUPPORTED, "%s refuses: %s", receiver, support.reason());
    }
    return receiver;
  }
}
