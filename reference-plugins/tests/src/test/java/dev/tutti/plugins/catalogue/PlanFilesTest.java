package dev.tutti.plugins.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanExecutor;
import dev.tutti.plan.PlanJson;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankProgram;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The plans of all algorithms are the same when they have been written as JSON and read back. */
class PlanFilesTest {

  private static final List<String> SHAPES = List.of("2", "3", "8", "2+2", "3+2|2");

  static Stream<Algorithm> algorithms() {
    return Algorithm.all().stream();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void whatIsReadHasTheDigestOfWhatWasWritten(Algorithm algorithm) {
    int tried = 0;
    for (String shape : SHAPES) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        for (Protocol protocol : Protocol.values()) {
          CommInfo comm =
              CommInfo.of(0, Topology.parse(shape))
                  .withMode(mode)
                  .withProtocol(protocol)
                  .withCclBufferSize(2 << 10);
          CollectiveCase c =
              CollectiveCase.of(algorithm.operation(), comm.topology())
                  .withComm(comm)
                  .withCount(7L * comm.rankSize());
          List<RankProgram> programs = algorithm.programs(c);
          if (!programs.isEmpty()) {
            check(new PlanRecorder().record(algorithm.name(), programs), c);
            tried++;
          }
        }
      }
    }
    assertThat(tried).isPositive();
  }

  private static void check(GroupPlan plan, CollectiveCase c) {
    GroupPlan read = PlanJson.fromJson(PlanJson.toJson(plan));
    assertThat(read.digest()).isEqualTo(plan.digest());

    List<RankProgram> again = new ArrayList<>();
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      OpParam param = c.params().get(rank);
      again.add(
          param == null
              ? RankProgram.idle(c.comm().withRank(rank))
              : RankProgram.of(PlanExecutor.of(read, param.operation()), param));
    }
    // A rank that takes no part has no plan that could be put in its place.
    GroupPlan recorded = new PlanRecorder().withSources(false).record("again", again);
    for (int rank = 0; rank < plan.rankSize(); rank++) {
      if (c.params().get(rank) != null) {
        assertThat(recorded.rank(rank)).isEqualTo(plan.rank(rank));
      }
    }
  }
}
