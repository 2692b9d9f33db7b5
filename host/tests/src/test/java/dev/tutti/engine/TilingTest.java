package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tasks that touch the same spans run tile by tile: one task more says so. */
class TilingTest {

  private static final long BYTES = 64 << 10;

  private static DeviceMem in(int number) {
    return new DeviceMem(0, TransportMemType.PARAM_INPUT, number * BYTES, BYTES);
  }

  private static DeviceMem out(int number) {
    return new DeviceMem(0, TransportMemType.PARAM_OUTPUT, number * BYTES, BYTES);
  }

  private static int tasks(Consumer<RankPlanBuilder> actions) {
    RankPlanBuilder builder =
        new RankPlanBuilder(0)
            .memSize(TransportMemType.PARAM_INPUT, 4 * BYTES)
            .memSize(TransportMemType.PARAM_OUTPUT, 4 * BYTES);
    actions.accept(builder);
    GroupPlan plan = new GroupPlan("tiles", false, List.of(builder.build()));
    EngineConfig config = new EngineConfig(1, 0, 0, 0, Long.MAX_VALUE);
    return PlanCompiler.compile(plan, CompileOptions.defaults(), config).taskCount();
  }

  @Test
  void whatIsReadTwiceIsReadFromTheCache() {
    assertThat(tasks(plan -> plan.copy(0, out(0), in(0)).copy(0, out(1), in(0)))).isEqualTo(3);
    assertThat(
            tasks(
                plan ->
                    plan.copy(0, out(0), in(0))
                        .reduceFrom(
                            0, out(1), List.of(in(0), in(1)), DataType.INT32, ReduceOp.SUM)))
        .isEqualTo(3);
  }

  @Test
  void whatIsWrittenIsReadFromTheCache() {
    assertThat(tasks(plan -> plan.copy(0, out(0), in(0)).copy(0, out(2), out(0)))).isEqualTo(3);
  }

  @Test
  void whatHasNothingInCommonStaysApart() {
    assertThat(tasks(plan -> plan.copy(0, out(0), in(0)).copy(0, out(2), in(1)))).isEqualTo(2);
  }

  @Test
  void spansThatOverlapInPartStayApart() {
    DeviceMem shifted = new DeviceMem(0, TransportMemType.PARAM_INPUT, BYTES / 2, BYTES);
    assertThat(
            tasks(
                plan ->
                    plan.copy(0, out(0), in(0))
                        .reduceFrom(
                            0, out(1), List.of(in(0), shifted), DataType.INT32, ReduceOp.SUM)))
        .isEqualTo(2);
  }

  @Test
  void aResultOrASourceGoesToSeveralPlaces() {
    TaskArrays tasks = new TaskArrays(new MemorySlots(plan()), new KernelTable());
    for (int task = 0; task < 3; task++) {
      tasks.add(TaskArrays.COPY, Frame.open(plan(), new ArrayList<>()).part(0), 0);
      tasks.dst[task] = 1;
      tasks.dstOffset[task] = task * BYTES;
      tasks.bytes[task] = BYTES;
    }
    assertThat(Tiling.isFanOut(tasks, 0, 3)).as("three copies of one source").isTrue();
    assertThat(Tiling.isIndependent(tasks, 0, 3)).isTrue();
    tasks.source[2] = 1;
    assertThat(Tiling.isIndependent(tasks, 0, 3)).as("one reads what was written").isFalse();
    assertThat(Tiling.isFanOut(tasks, 0, 3)).as("a copy of the first copy").isTrue();
    tasks.sourceOffset[2] = BYTES;
    assertThat(Tiling.isFanOut(tasks, 0, 3)).as("a copy of the second copy").isFalse();
    tasks.sourceOffset[2] = 3 * BYTES;
    assertThat(Tiling.isIndependent(tasks, 0, 3)).as("a copy of something else").isTrue();
    tasks.dstOffset[2] = 0;
    assertThat(Tiling.isIndependent(tasks, 0, 3)).as("two write one place").isFalse();
  }

  private static GroupPlan plan() {
    return new GroupPlan("none", false, List.of(new RankPlanBuilder(0).build()));
  }
}
