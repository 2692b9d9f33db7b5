package dev.tutti.plugins.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.PlanCost;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the plan costs keeps the formula. */
class DoubleTreeCostTest {

  private static final long BYTES = 64 << 10;

  /** The roundings of a segment to whole cache lines, as a share of the vector. */
  private static final double ROUNDING = 0.05;

  private record Case(int ranks, int segments) {

    CommInfo comm(Protocol protocol) {
      return CommInfo.of(0, Topology.flat(ranks))
          .withMode(WorkflowMode.GRAPH)
          .withProtocol(protocol)
          .withCclBufferSize(16 << 10);
    }

    AlgOptions options() {
      return new AlgOptions(Map.of("segment-bytes", String.valueOf(BYTES / 2 / segments)));
    }

    BroadcastParam broadcast(CommInfo of) {
      return new BroadcastParam(of, "", options(), DataType.FLOAT32, BYTES / 4, 0, false);
    }

    AllReduceParam allReduce(CommInfo of) {
      return new AllReduceParam(
          of, "", options(), DataType.FLOAT32, ReduceOp.SUM, BYTES / 4, false);
    }

    /** The steps of one pass through both trees, at most. */
    int steps() {
      return 2 * segments + new TwoTreeSchedule(ranks).last() - 1;
    }

    /** The bytes of all steps, as a share of the vector. */
    double bytes() {
      return steps() / (2.0 * segments) + ROUNDING;
    }
  }

  static Stream<Case> cases() {
    return IntStream.of(2, 3, 4, 5, 6, 8, 13, 16, 17, 33)
        .boxed()
        .flatMap(ranks -> Stream.of(1, 2, 4, 16, 64).map(segments -> new Case(ranks, segments)));
  }

  private static <P extends OpParam> Cost cost(CollExecutorBase<P> executor, P param) {
    return PlanCost.of(new PlanRecorder().withSources(false).record("cost", executor, param))
        .coefficients();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void inStepsNeitherPassesTheFormula(Case c) {
    CommInfo comm = c.comm(Protocol.RDMA);
    Cost down = cost(new DoubleTreeBroadcast(), c.broadcast(comm));
    Cost both = cost(new DoubleTreeAllReduce(), c.allReduce(comm));
    assertThat(down.alphas()).isBetween(2.0 * c.segments, (double) c.steps());
    assertThat(down.betaBytes() / BYTES).isBetween(1.0, c.bytes());
    assertThat(both.alphas()).isBetween(4.0 * c.segments, 2.0 * c.steps());
    assertThat(both.betaBytes() / BYTES).isBetween(2.0, 2 * c.bytes());
    assertThat(both.gammaBytes() / BYTES).isBetween(1.0, c.bytes());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void freeFlowsKeepTheirBounds(Case c) {
    CommInfo comm = c.comm(Protocol.DIRECT);
    int depth = new DoubleTree(c.ranks, false).depth();
    double fill = (depth - 1.0) / c.segments;
    Cost down = cost(new DoubleTreeBroadcast(), c.broadcast(comm));
    Cost both = cost(new DoubleTreeAllReduce(), c.allReduce(comm));
    assertThat(down.alphas()).isLessThanOrEqualTo(2.0 * (c.segments + depth) - 1);
    assertThat(down.betaBytes() / BYTES).isBetween(1.0, 1.6 + fill + ROUNDING);
    assertThat(both.alphas()).isLessThanOrEqualTo(2.0 * c.segments + 3 * depth + 2);
    assertThat(both.betaBytes() / BYTES)
        .isBetween(2.0 * (c.ranks - 1) / c.ranks, 4.5 + 2 * fill + ROUNDING);
    assertThat(both.gammaBytes() / BYTES).isBetween(1.0, 1 + fill + ROUNDING);
  }
}
