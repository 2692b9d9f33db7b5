package dev.tutti.plugins.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plugins.template.PipelineCost;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.topology.Topology;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is declared is what the plan costs, and both keep the formula. */
class DoubleTreeCostTest {

  private static final long BYTES = 64 << 10;

  /** The roundings of a segment to whole cache lines, as a share of the vector. */
  private static final double ROUNDING = 0.05;

  private record Case(int ranks, int segments, CommInfo comm) {

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
        .flatMap(ranks -> Stream.of(1, 2, 4, 16, 64).flatMap(s -> cases(ranks, s)));
  }

  private static Stream<Case> cases(int ranks, int segments) {
    return Costs.groups(ranks).stream().map(comm -> new Case(ranks, segments, comm));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aBroadcastCostsWhatItDeclares(Case c) {
    Costs.checkEqualBlocks(new DoubleTreeBroadcast(), c.broadcast(c.comm));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anAllReduceCostsWhatItDeclares(Case c) {
    Costs.checkEqualBlocks(new DoubleTreeAllReduce(), c.allReduce(c.comm));
  }

  /** Of a broadcast the line is exact, and of an all-reduce within 8 %. */
  @ParameterizedTest
  @ValueSource(ints = {32, 64, 100, 128})
  void fewSegmentsTellWhatManyCost(int ranks) {
    Case c =
        new Case(ranks, 64, CommInfo.of(0, Topology.flat(ranks)).withProtocol(Protocol.DIRECT));
    TwoTreeSegments segments = TwoTreeSegments.of(c.broadcast(c.comm), 1, DataType.FLOAT32);
    PipelineCost down = segments.pipeline(all -> TwoTreeFlows.ofBroadcasts(ranks, 0, all));
    assertThat(ofFew(down)).isEqualTo(ofAll(down));
    PipelineCost both = segments.pipeline(all -> TwoTreeFlows.ofAllReduces(ranks, all));
    assertThat(ofFew(both).alphas()).isEqualTo(ofAll(both).alphas());
    assertThat(ofFew(both).gammaBytes()).isEqualTo(ofAll(both).gammaBytes());
    assertThat(ofFew(both).betaBytes() / ofAll(both).betaBytes()).isBetween(0.92, 1.08);
  }

  private static Cost ofAll(PipelineCost cost) {
    return cost.of(BYTES / 4, BYTES / 4).orElseThrow();
  }

  private static Cost ofFew(PipelineCost cost) {
    return ofAll(new PipelineCost(cost.cut(), cost.schedule(), 16));
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 1024, 2000})
  void manyRanksDeclareACostForLongVectors(int ranks) {
    CommInfo comm = CommInfo.of(0, Topology.flat(ranks)).withProtocol(Protocol.DIRECT);
    for (WorkflowMode mode : WorkflowMode.values()) {
      Case c = new Case(ranks, 64, comm.withMode(mode));
      assertThat(new DoubleTreeBroadcast().cost(c.broadcast(c.comm))).isPresent();
      assertThat(new DoubleTreeAllReduce().cost(c.allReduce(c.comm))).isPresent();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void inStepsNeitherPassesTheFormula(Case c) {
    CommInfo comm = c.comm.withMode(WorkflowMode.GRAPH).withProtocol(Protocol.RDMA);
    Cost down = new DoubleTreeBroadcast().cost(c.broadcast(comm)).orElseThrow();
    Cost both = new DoubleTreeAllReduce().cost(c.allReduce(comm)).orElseThrow();
    assertThat(down.alphas()).isBetween(2.0 * c.segments, (double) c.steps());
    assertThat(down.betaBytes() / BYTES).isBetween(1.0, c.bytes());
    assertThat(both.alphas()).isBetween(4.0 * c.segments, 2.0 * c.steps());
    assertThat(both.betaBytes() / BYTES).isBetween(2.0, 2 * c.bytes());
    assertThat(both.gammaBytes() / BYTES).isBetween(1.0, c.bytes());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void freeFlowsKeepTheirBounds(Case c) {
    CommInfo comm = c.comm.withMode(WorkflowMode.GRAPH).withProtocol(Protocol.DIRECT);
    int depth = new DoubleTree(c.ranks, false).depth();
    double fill = (depth - 1.0) / c.segments;
    Cost down = new DoubleTreeBroadcast().cost(c.broadcast(comm)).orElseThrow();
    Cost both = new DoubleTreeAllReduce().cost(c.allReduce(comm)).orElseThrow();
    assertThat(down.alphas()).isLessThanOrEqualTo(2.0 * (c.segments + depth) - 1);
    assertThat(down.betaBytes() / BYTES).isBetween(1.0, 1.6 + fill + ROUNDING);
    assertThat(both.alphas()).isLessThanOrEqualTo(2.0 * c.segments + 3 * depth + 2);
    assertThat(both.betaBytes() / BYTES)
        .isBetween(2.0 * (c.ranks - 1) / c.ranks, 4.5 + 2 * fill + ROUNDING);
    assertThat(both.gammaBytes() / BYTES).isBetween(1.0, 1 + fill + ROUNDING);
  }
}
