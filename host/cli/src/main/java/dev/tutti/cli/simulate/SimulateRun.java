package dev.tutti.cli.simulate;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.host.pool.PlanPool;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.gate.PluginText;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans cases and simulates the plans. */
final class SimulateRun {

  /** The largest number of ranks whose plans record source lines, which slows the recording. */
  private static final int MAX_RANKS_WITH_SOURCES = 64;

  private final NetworkModel model;
  private final TimeLimit limit;

  /**
   * Simulations on one network.
   *
   * @param planningLimit the longest time to plan one rank
   */
  SimulateRun(NetworkModel model, Duration planningLimit) {
    this.model = model;
    this.limit = new TimeLimit(planningLimit);
  }

  /** The reason why an algorithm does not support a case; empty if it does. */
  String refusal(AlgorithmWithPeer subject, CollectiveCase c) {
    if (subject.lacksPartner()) {
      return "no plugin has the other side of the transfer";
    }
    for (OpParam param : c.params()) {
      if (param != null) {
        Algorithm algorithm = side(subject, param.operation());
        Support support =
            limit.call(
                "supports() of " + algorithm, () -> PlanPool.executor(algorithm).supports(param));
        if (!support.isSupported()) {
          return PluginText.cut(support.reason());
        }
        if (c.operation() != Operation.SEND && c.operation() != Operation.RECEIVE) {
          // All ranks give the same answer.
          break;
        }
      }
    }
    return "";
  }

  /**
   * Simulates a case that the algorithm supports.
   *
   * @throws TuttiException if it cannot be planned, or its plan cannot finish
   */
  Simulation simulate(AlgorithmWithPeer subject, CollectiveCase c) {
    List<@Nullable OpParam> params = c.params();
    List<RankProgram> programs = new ArrayList<>();
    for (int rank = 0; rank < params.size(); rank++) {
      programs.add(program(subject, params.get(rank), c.comm().withRank(rank)));
    }
    String name = subject.algorithm().name() + " " + c;
    PlanRecorder recorder =
        new PlanRecorder()
            .withSources(params.size() <= MAX_RANKS_WITH_SOURCES)
            .withWorkers(Runtime.getRuntime().availableProcessors());
    GroupPlan plan =
        limit.call("planning of " + subject.algorithm(), () -> recorder.record(name, programs));
    List<OpParam> present = params.stream().filter(Objects::nonNull).toList();
    if (present.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "a transfer needs 2 ranks or more. Actual: %d", params.size());
    }
    return Simulator.of(model).run(plan, Workload.of(present));
  }

  private static RankProgram program(
      AlgorithmWithPeer subject, @Nullable OpParam param, CommInfo comm) {
    return param == null
        ? RankProgram.idle(comm)
        : RankProgram.of(PlanPool.executor(side(subject, param.operation())), param);
  }

  /** The algorithm of a subject that implements an operation. */
  private static Algorithm side(AlgorithmWithPeer subject, Operation operation) {
    Algorithm partner = subject.partner();
    return partner != null && partner.operation() == operation ? partner : subject.algorithm();
  }
}
