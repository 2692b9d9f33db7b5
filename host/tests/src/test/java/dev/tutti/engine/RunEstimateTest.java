package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.engine.machine.MachineModel;
import dev.tutti.engine.machine.MachineModel.Level;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PartOrder;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunEstimateTest {

  /** Every kind of cost is a different power of ten, so that sums show their parts. */
  private static final MachineModel MACHINE =
      new MachineModel(1e9, 1e6, 1e7, 0, 0, 0, 0, 1, 0, 0, List.of(new Level(1, 1000, 100_000)));

  private static CompiledPlan compile(int ranks, long count, int workers, CompileOptions options) {
    AllReduceParam param =
        new AllReduceParam(
            CommInfo.of(0, Topology.flat(ranks)), DataType.INT8, ReduceOp.SUM, count);
    GroupPlan plan = new PlanRecorder().record("two stages", new TestExecutors.TwoStage(), param);
    EngineConfig config = new EngineConfig(workers, 0, 0, 64 << 10, Long.MAX_VALUE);
    return PlanCompiler.compile(plan, options, config);
  }

  private static CompiledPlan compile(int ranks, long count, int workers) {
    return compile(ranks, count, workers, CompileOptions.defaults());
  }

  @Test
  void aSmallPlanCostsWhatItsTasksAndBytesCost() {
    // Two ranks, one byte each: a reduction of two bytes, and a copy to the peer.
    CompiledPlan.RunEstimate estimate = compile(2, 2, 2).estimate(MACHINE);
    assertThat(estimate.tasks()).isEqualTo(4);
    assertThat(estimate.bytes()).isEqualTo(10);
    assertThat(estimate.workers()).isEqualTo(1);
    // Six reads, four writes, two combined bytes.
    assertThat(estimate.nanos()).isCloseTo(1e9 + 4e6 + 4e7 + 6e3 + 4e5 + 2, within(1e-3));
  }

  @Test
  void bytesThatABlockHasJustTouchedAreWarm() {
    long bytes = 1 << 20;
    CompiledPlan.RunEstimate estimate = compile(2, bytes, 1).estimate(MACHINE);
    // The copy to the peer follows its reduction tile by tile and reads what that has written.
    assertThat(estimate.nanos())
        .isCloseTo(1e9 + 4e6 + 4e7 + bytes * (2 * 1e3 + 2 * 1e5 + 1), within(1.0));
  }

  @Test
  void workersShareLargePlans() {
    CompiledPlan.RunEstimate alone = compile(4, 1 << 20, 1).estimate(MACHINE);
    CompiledPlan.RunEstimate shared = compile(4, 1 << 20, 2).estimate(MACHINE);
    assertThat(shared.workers()).isEqualTo(2);
    assertThat(shared.bytes()).isEqualTo(alone.bytes());
    assertThat((shared.nanos() - 1e9) / (alone.nanos() - 1e9)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void workersShareGraphs() {
    CompileOptions dynamic = CompileOptions.defaults().withMode(CompileOptions.Mode.DYNAMIC);
    CompiledPlan.RunEstimate alone = compile(4, 1 << 20, 1, dynamic).estimate(MACHINE);
    CompiledPlan.RunEstimate shared = compile(4, 1 << 20, 2, dynamic).estimate(MACHINE);
    assertThat(shared.workers()).isEqualTo(2);
    assertThat(shared.bytes()).isEqualTo(alone.bytes());
    assertThat((shared.nanos() - 1e9) / (alone.nanos() - 1e9)).isCloseTo(0.5, within(0.05));
  }

  @Test
  void handOversBetweenListsTakeTime() {
    MachineModel slow =
        new MachineModel(0, 0, 0, 0, 1e9, 0, 0, 0, 0, 0, List.of(new Level(1, 0, 0)));
    assertThat(compile(2, 1 << 20, 2).estimate(slow).nanos()).isGreaterThanOrEqualTo(2e9);
    assertThat(compile(2, 1 << 20, 1).estimate(slow).nanos()).isZero();
  }

  @Test
  void whatAnotherWorkerHasWrittenTakesTimeToRead() {
    MachineModel slow = new MachineModel(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, List.of(new Level(1, 0, 0)));
    long bytes = 1 << 20;
    assertThat(relay(bytes, 2).estimate(slow).nanos()).isEqualTo(bytes);
    assertThat(relay(bytes, 1).estimate(slow).nanos()).isZero();
  }

  /** The first rank copies its input, and the second one what that has copied. */
  private static CompiledPlan relay(long bytes, int workers) {
    DeviceMem input = new DeviceMem(0, TransportMemType.PARAM_INPUT, 0, bytes);
    DeviceMem output = new DeviceMem(0, TransportMemType.PARAM_OUTPUT, 0, bytes);
    DeviceMem end = new DeviceMem(1, TransportMemType.PARAM_OUTPUT, 0, bytes);
    GroupPlan first =
        new GroupPlan(
            "first", false, List.of(copy(0, output, input, bytes), rank(1, bytes).build()));
    GroupPlan second =
        new GroupPlan(
            "second", false, List.of(rank(0, bytes).build(), copy(1, end, output, bytes)));
    GroupPlan plan =
        GroupPlan.sequence("relay", List.of(first, second), List.of(new PartOrder(0, 0, 1, 1)));
    EngineConfig config = new EngineConfig(workers, 0, 0, 0, Long.MAX_VALUE);
    return PlanCompiler.compile(
        plan, CompileOptions.defaults().withMode(CompileOptions.Mode.STATIC), config);
  }

  private static RankPlan copy(int rank, DeviceMem dst, DeviceMem src, long bytes) {
    return rank(rank, bytes).copy(0, dst, src).build();
  }

  private static RankPlanBuilder rank(int rank, long bytes) {
    return new RankPlanBuilder(rank)
        .memSize(TransportMemType.PARAM_INPUT, bytes)
        .memSize(TransportMemType.PARAM_OUTPUT, bytes);
  }

  @Test
  void theSamePlanHasTheSameEstimate() {
    MachineModel machine = MachineModel.defaults();
    assertThat(compile(7, 1 << 20, 3).estimate(machine))
        .isEqualTo(compile(7, 1 << 20, 3).estimate(machine));
  }
}
