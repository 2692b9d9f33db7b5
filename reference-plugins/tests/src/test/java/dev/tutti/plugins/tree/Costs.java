package dev.tutti.plugins.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.resource.OptimalityCheck;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Compares declared costs with those of plans, over protocols, modes, roots and sizes. */
final class Costs {

  private static final List<Integer> RANKS = List.of(1, 2, 3, 5, 8, 13);
  private static final List<Long> COUNTS = List.of(1L, 10_001L);

  private Costs() {}

  static void check(CollExecutorBase<?> executor) {
    check(executor, AlgOptions.none());
  }

  static void check(CollExecutorBase<?> executor, AlgOptions options) {
    for (int ranks : RANKS) {
      for (long count : COUNTS) {
        for (int root : List.of(0, 2 * ranks / 3)) {
          check(executor, ranks, count, root, options);
        }
      }
    }
  }

  private static void check(
      CollExecutorBase<?> executor, int ranks, long count, int root, AlgOptions options) {
    Operation operation = Operation.ofExecutor(executor.getClass());
    for (Protocol protocol : Protocol.values()) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CollectiveCase c =
            CollectiveCase.of(operation, Topology.flat(ranks))
                .withCount(count)
                .withRoot(root)
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(16 << 10)
                .withOptions(options);
        Report report =
            VirtualCluster.builder(c)
                .staticOnly()
                .only(Rule.COST_DIFFERS, Rule.PLANNING_FAILED, Rule.BOUNDS)
                .build()
                .check(c, List.of(executor));
        assertThat(report.findings()).as(c.token()).isEmpty();
      }
    }
  }

  /** A group over each protocol in each mode. */
  static List<CommInfo> groups(int ranks) {
    return Stream.of(Protocol.values())
        .map(CommInfo.of(0, Topology.flat(ranks)).withCclBufferSize(16 << 10)::withProtocol)
        .flatMap(comm -> Stream.of(WorkflowMode.values()).map(comm::withMode))
        .toList();
  }

  /** A cost must be declared, too. */
  static <P extends OpParam> void checkEqualBlocks(CollExecutorBase<P> executor, P param) {
    GroupPlan plan = new PlanRecorder().withSources(false).record("cost", executor, param);
    Optional<Cost> declared = executor.cost(param);
    assertThat(declared).isPresent();
    assertThat(OptimalityCheck.check(plan, Workload.of(param), declared))
        .as("%s", param)
        .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }
}
