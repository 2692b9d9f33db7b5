package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where an algorithm declares a cost, the plan costs that: rule OPT-2, which compares within 5 %.
 * All but a few declare one.
 */
class DeclaredCostTest {

  private static final List<String> SHAPES = List.of("1", "2", "3", "5", "8", "13", "2+1", "4+2+3");

  /** Elements: none, fewer than ranks, some that do not divide, and several rounds and segments. */
  private static final List<Long> COUNTS = List.of(0L, 1L, 1023L, 9001L);

  /** Small enough for several rounds of the longest vectors. */
  private static final long CCL_BYTES = 8 << 10;

  private static final Set<Operation> TRANSFERS = EnumSet.of(Operation.SEND, Operation.RECEIVE);

  /** Algorithms without a closed form that is exact for any request. */
  private static final Set<String> WITHOUT_A_FORMULA =
      Set.of(
          "allreduce double-binary-tree",
          "batchsendrecv pairwise",
          "broadcast double-binary-tree",
          "exclusivescan direct",
          "scan direct",
          "scan halves");

  static Stream<Algorithm> algorithms() {
    return Algorithm.all().stream();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isThatOfThePlan(Algorithm algorithm) {
    List<AlgOptions> options = algorithm.options();
    int number = 0;
    boolean declares = false;
    for (String shape : algorithm.shapes(SHAPES)) {
      for (long count : COUNTS) {
        for (CommInfo comm : groups(shape, number % 4 < 2)) {
          CollectiveCase c =
              CollectiveCase.of(algorithm.operation(), comm.topology())
                  .withComm(comm)
                  .withCount(count)
                  .withRoot(number % comm.rankSize())
                  .withOptions(options.get(number++ % options.size()));
          declares |= check(algorithm, c);
        }
      }
    }
    String name = algorithm.operation().label() + " " + algorithm.about().name();
    assertThat(declares)
        .as("%s declares a cost", name)
        .isEqualTo(!WITHOUT_A_FORMULA.contains(name));
  }

  /** Both protocols and both modes, paired one way or the other. */
  private static List<CommInfo> groups(String shape, boolean isCrossed) {
    List<CommInfo> groups = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      WorkflowMode[] modes = WorkflowMode.values();
      int mode = isCrossed ? modes.length - 1 - protocol.ordinal() : protocol.ordinal();
      groups.add(
          CommInfo.of(0, Topology.parse(shape))
              .withProtocol(protocol)
              .withMode(modes[mode])
              .withCclBufferSize(CCL_BYTES));
    }
    return groups;
  }

  /** Compares the cost of a case with its plan; whether one is declared. */
  private static boolean check(Algorithm algorithm, CollectiveCase c) {
    if (TRANSFERS.contains(algorithm.operation()) && c.comm().rankSize() == 1) {
      return false;
    }
    List<OpParam> params = new ArrayList<>();
    c.params().stream().filter(Objects::nonNull).forEach(params::add);
    if (!params.stream().allMatch(algorithm::supports)
        || params.stream().allMatch(param -> algorithm.cost(param).isEmpty())) {
      return false;
    }
    Report report =
        VirtualCluster.builder(c)
            .staticOnly()
            .only(Rule.COST_DIFFERS, Rule.PLANNING_FAILED, Rule.BOUNDS)
            .build()
            .check(c, algorithm.executors(params));
    assertThat(report.findings()).as(c.token()).isEmpty();
    return true;
  }
}
