package dev.tutti.plugins.tree;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.tutti.sdk.plan.PlanRecorder;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.simulate.OptimalityCheck;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The plans keep the bounds that the formulas name; a flow that waits has no closed form. */
class DoubleTreeCostTest {

  private static final long BYTES = 64 << 10;

  /** The roundings of a segment to whole cache lines, as a share of the vector. */
  private static final double ROUNDING = 0.05;

  private record Case(int ranks, int segments, CommInfo comm) {

    static Case of(int ranks, int segments, WorkflowMode mode, Protocol protocol) {
      CommInfo group = CommInfo.of(0, Topology.flat(ranks)).withCclBufferSize(1 << 20);
      return new Case(ranks, segments, group.withMode(mode).withProtocol(protocol));
    }

    AlgOptions options() {
      return new AlgOptions(Map.of("segment-bytes", String.valueOf(BYTES / 2 / segments)));
    }

    /** ⌈log2(p)⌉. */
    int depth() {
      return new DoubleTree(ranks, false).depth();
    }

    /** What the first segment needs until it is through, as a share of one half's pipeline. */
    double fill() {
      return (depth() - 1.0) / segments;
    }
  }

  static Stream<Case> cases() {
    return IntStream.of(4, 5, 6, 8, 13, 16, 17, 33)
        .boxed()
        .flatMap(ranks -> Stream.of(1, 2, 4, 16, 64).map(segments -> Map.entry(ranks, segments)))
        .flatMap(
            shape ->
                Stream.of(WorkflowMode.values())
                    .flatMap(
                        mode ->
                            Stream.of(Protocol.values())
                                .map(
                                    protocol ->
                                        Case.of(
                                            shape.getKey(), shape.getValue(), mode, protocol))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aBroadcastKeepsItsBounds(Case c) {
    BroadcastParam param =
        new BroadcastParam(c.comm, "", c.options(), DataType.FLOAT32, BYTES / 4, 0, false);
    Cost cost = cost(new DoubleTreeBroadcast(), param);
    int steps = 2 * (c.segments + c.depth());
    assertThat(cost.alphas()).isBetween(steps - 4.0, steps - 3.0);
    assertThat(cost.betaBytes() / BYTES).isBetween(1.0, 1.6 + c.fill() + ROUNDING);
    assertThat(cost.gammaBytes()).isZero();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anAllReduceKeepsItsBounds(Case c) {
    AllReduceParam param =
        new AllReduceParam(
            c.comm, "", c.options(), DataType.FLOAT32, ReduceOp.SUM, BYTES / 4, false);
    Cost cost = cost(new DoubleTreeAllReduce(), param);
    int steps = 2 * c.segments + 3 * c.depth();
    assertThat(cost.alphas()).isBetween(steps - 4.0, steps + 2.0);
    assertThat(cost.betaBytes() / BYTES).isBetween(2.0, 4.5 + 2 * c.fill() + ROUNDING);
    assertThat(cost.gammaBytes() / BYTES).isBetween(1.0, 1 + c.fill() + ROUNDING);
  }

  private static <P extends OpParam> Cost cost(CollExecutorBase<P> executor, P param) {
    return OptimalityCheck.derive(new PlanRecorder().record("cost", executor, param));
  }
}
