package dev.tutti.plugins.alltoall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllToAllParam;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.resource.OptimalityCheck;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AllToAllCostTest {

  private static void declaresTheCostOfThePlan(
      CollExecutorBase<AllToAllParam> executor, AlgOptions options, String shape, long count) {
    for (CommInfo comm : groups(shape)) {
      declaresTheCostOfThePlan(
          executor, new AllToAllParam(comm, "", options, DataType.FLOAT32, count));
    }
  }

  private static List<CommInfo> groups(String shape) {
    List<CommInfo> groups = new ArrayList<>();
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        groups.add(
            CommInfo.of(0, Topology.parse(shape))
                .withProtocol(protocol)
                .withMode(mode)
                .withCclBufferSize(1 << 12));
      }
    }
    return groups;
  }

  private static <P extends OpParam> void declaresTheCostOfThePlan(
      CollExecutorBase<P> executor, P param) {
    GroupPlan plan = new PlanRecorder().withSources(false).record("cost", executor, param);
    Optional<Cost> declared = executor.cost(param);
    assertThat(declared).isPresent();
    assertThat(OptimalityCheck.check(plan, Workload.of(param), declared))
        .as("%s", param.comm())
        .noneMatch(finding -> finding.rule() == Rule.COST_DIFFERS);
  }

  private static AllToAllVParam equalBlocks(CommInfo comm, long count) {
    int ranks = comm.rankSize();
    List<Long> counts = Collections.nCopies(ranks, count);
    return new AllToAllVParam(
        comm,
        "",
        AlgOptions.none().with("chunk", 512),
        DataType.FLOAT32,
        counts,
        counts,
        ranks * ranks * count,
        count);
  }

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 0", "2, 999", "5, 1", "8, 1000", "16, 100"})
  void ofEqualBlocksThatNeedNotBeEqual(String shape, long count) {
    for (CommInfo comm : groups(shape)) {
      declaresTheCostOfThePlan(new PairwiseAllToAllV(), equalBlocks(comm, count));
      declaresTheCostOfThePlan(new DirectAllToAllV(), equalBlocks(comm, count));
    }
  }

  static Stream<CollExecutorBase<AllToAllVParam>> forUnequalBlocks() {
    return Stream.of(new PairwiseAllToAllV(), new DirectAllToAllV());
  }

  @ParameterizedTest
  @MethodSource("forUnequalBlocks")
  void unequalBlocksDeclareNone(CollExecutorBase<AllToAllVParam> executor) {
    CommInfo comm = CommInfo.of(0, Topology.flat(5));

    assertThat(executor.groupCost(unequalBlocks(comm, new Random(5)))).isEmpty();
  }

  /** Some pairs have nothing for each other. */
  private static List<AllToAllVParam> unequalBlocks(CommInfo comm, Random random) {
    int ranks = comm.rankSize();
    long[][] counts = new long[ranks][ranks];
    for (long[] row : counts) {
      Arrays.setAll(row, _ -> random.nextInt(3) * (long) random.nextInt(300));
    }
    long total = Arrays.stream(counts).flatMapToLong(Arrays::stream).sum();
    long most = Arrays.stream(counts).flatMapToLong(Arrays::stream).max().orElse(0);
    List<AllToAllVParam> params = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      int own = rank;
      List<Long> sent = Arrays.stream(counts[rank]).boxed().toList();
      List<Long> received = Arrays.stream(counts).map(row -> row[own]).toList();
      params.add(
          new AllToAllVParam(
              comm.withRank(rank),
              "",
              AlgOptions.none().with("chunk", 512),
              DataType.FLOAT32,
              sent,
              received,
              total,
              most));
    }
    return params;
  }

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 0", "2, 999", "5, 1", "8, 1000", "16, 100"})
  void ofPairwiseAndDirect(String shape, long count) {
    declaresTheCostOfThePlan(new PairwiseAllToAll(), AlgOptions.none(), shape, count);
    declaresTheCostOfThePlan(new DirectAllToAll(), AlgOptions.none(), shape, count);
  }

  @ParameterizedTest
  @CsvSource({"1, 10, 2", "2, 0, 2", "7, 1, 2", "8, 999, 2", "9, 100, 3", "21, 50, 4", "5, 77, 64"})
  void ofBruck(String shape, long count, long radix) {
    AlgOptions options = AlgOptions.none().with(BruckAllToAll.RADIX.name(), radix);
    declaresTheCostOfThePlan(new BruckAllToAll(), options, shape, count);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "4, 0", "4, 100", "1+1+1, 50", "4+4, 1", "3+3+3, 100", "2+2|2+2, 33"})
  void ofHierarchical(String shape, long count) {
    declaresTheCostOfThePlan(new HierarchicalAllToAll(), AlgOptions.none(), shape, count);
  }

  @Test
  void unevenNodesDeclareNone() {
    CommInfo comm = CommInfo.of(0, Topology.parse("2+1"));

    assertThat(
            new HierarchicalAllToAll()
                .cost(new AllToAllParam(comm, "", AlgOptions.none(), DataType.INT8, 10)))
        .isEmpty();
  }

  @Test
  void ofBruckForAPowerOfItsRadixIsTheFormula() {
    CommInfo comm = CommInfo.of(0, Topology.flat(27));
    AlgOptions options = AlgOptions.none().with(BruckAllToAll.RADIX.name(), 3);
    AllToAllParam param = new AllToAllParam(comm, "", options, DataType.INT8, 10);

    assertThat(new BruckAllToAll().cost(param)).contains(new Cost(2 * 3, 2 * 3 * 27 / 3 * 10, 0));
  }
}
