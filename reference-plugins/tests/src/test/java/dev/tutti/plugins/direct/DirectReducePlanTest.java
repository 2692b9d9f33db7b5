package dev.tutti.plugins.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.param.ScanParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the direct reduce and the direct scans do, step by step. */
class DirectReducePlanTest {

  private final DirectReduce reduce = new DirectReduce();

  private static CommInfo comm(int ranks) {
    return CommInfo.of(0, Topology.flat(ranks));
  }

  private static ReduceParam param(int ranks, long count) {
    return new ReduceParam(
        comm(ranks), "", AlgOptions.none(), DataType.FLOAT32, ReduceOp.SUM, count, 1, false);
  }

  private static List<String> actions(RankPlan plan) {
    return IntStream.range(0, plan.actionCount()).mapToObj(plan::describe).toList();
  }

  private List<RankPlan> plans(ReduceParam param) {
    return new PlanRecorder().record("direct", reduce, param).ranks();
  }

  @Test
  void everyRankWritesItsSliceToTheRoot() {
    List<RankPlan> plans = plans(param(3, 96));
    assertThat(actions(plans.get(2)))
        .containsSequence(
            "reduceFrom scratch[0+128] = sum float32(rank 0's param-input[256+128],"
                + " rank 1's param-input[256+128], param-input[256+128])",
            "copy rank 1's param-output[256+128] = scratch[0+128]");
    assertThat(actions(plans.get(1)))
        .contains(
            "reduceFrom param-output[128+128] = sum float32(rank 0's param-input[128+128],"
                + " param-input[128+128], rank 2's param-input[128+128])");
  }

  @Test
  void declaresTheCostOfItsFormulas() {
    assertThat(reduce.cost(param(4, 1024))).contains(new Cost(2, 6144, 3072));
    // The last slice is smaller by 96 bytes, which are not written to the root.
    assertThat(reduce.cost(param(4, 1000))).isEmpty();
    assertThat(reduce.cost(param(4, 0))).contains(new Cost(0, 0, 0));
  }

  /** The element of the last round belongs to a rank that has no slice of a whole round. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "reduce;ranks=9;count=257;type=int32;op=max;root=0;mode=op-base;ccl=1024",
        "scan;ranks=9;count=257;type=int32;op=prod;mode=op-base;ccl=1024",
        "exclusivescan;ranks=9;count=257;type=int32;op=prod;mode=op-base;ccl=1024",
      })
  void theScratchMemorySufficesForTheLastRound(String token) {
    CollectiveCase c = CollectiveCase.parse(token);
    CollExecutorBase<?> executor =
        switch (c.operation()) {
          case REDUCE -> reduce;
          case SCAN -> new DirectScan();
          default -> new DirectExclusiveScan();
        };

    VirtualCluster.builder(c).staticOnly().build().check(c, List.of(executor)).requireClean();
  }

  @Test
  void eachRankScansItsSliceForAll() {
    ScanParam param = new ScanParam(comm(3), DataType.FLOAT32, ReduceOp.SUM, 96);
    RankPlan plan = new PlanRecorder().record("direct", new DirectScan(), param).ranks().get(1);
    assertThat(actions(plan))
        .containsSequence(
            "copy scratch[0+128] = rank 0's param-input[128+128]",
            "copy rank 0's param-output[128+128] = scratch[0+128]",
            "reduceFrom param-output[128+128] = sum float32(scratch[0+128],"
                + " param-input[128+128])",
            "reduceFrom scratch[0+128] = sum float32(param-output[128+128],"
                + " rank 2's param-input[128+128])",
            "copy rank 2's param-output[128+128] = scratch[0+128]");
  }

  /** In place the output of a rank is its input, which the next sum needs first. */
  @Test
  void anExclusiveScanHasTheNextSumBeforeItWritesTheLast() {
    ExclusiveScanParam param = new ExclusiveScanParam(comm(3), DataType.FLOAT32, ReduceOp.SUM, 96);
    RankPlan plan =
        new PlanRecorder().record("direct", new DirectExclusiveScan(), param).ranks().get(2);
    assertThat(actions(plan))
        .containsSequence(
            "copy scratch[0+128] = rank 0's param-input[256+128]",
            "reduceFrom scratch[128+128] = sum float32(scratch[0+128],"
                + " rank 1's param-input[256+128])",
            "copy rank 1's param-output[256+128] = scratch[0+128]",
            "copy param-output[256+128] = scratch[128+128]");
  }
}
