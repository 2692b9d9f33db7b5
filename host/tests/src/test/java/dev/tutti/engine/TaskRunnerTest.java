package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.kernel.ReduceKernel;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs go through the tiles of a task to and fro. */
class TaskRunnerTest {

  private static final long BYTES = 5L * Tiling.TILE / 2;
  private static final int TILE = Tiling.TILE;

  /** Where each reduction has begun. */
  private final List<Long> begun = new ArrayList<>();

  /** Notes what it should reduce. */
  private final class Noting implements ReduceKernel {

    private long bytes;

    @Override
    public void reduce(
        MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long length) {
      begun.add(dstOffset);
      assertThat(srcOffset).isEqualTo(dstOffset);
      bytes += length;
    }

    @Override
    public void reduceFrom(
        MemorySegment dst,
        long dstOffset,
        MemorySegment[] sources,
        long[] offsets,
        int from,
        int count,
        long shift,
        long length) {
      throw new UnsupportedOperationException("not planned here");
    }
  }

  private static CompiledPlan plan(CompileOptions.Mode mode, boolean isTiled) {
    DeviceMem in = new DeviceMem(0, TransportMemType.PARAM_INPUT, 0, BYTES);
    DeviceMem out = new DeviceMem(0, TransportMemType.PARAM_OUTPUT, 0, BYTES);
    DeviceMem other = new DeviceMem(0, TransportMemType.PARAM_OUTPUT, BYTES, BYTES);
    RankPlanBuilder builder =
        new RankPlanBuilder(0)
            .memSize(TransportMemType.PARAM_INPUT, BYTES)
            .memSize(TransportMemType.PARAM_OUTPUT, 2 * BYTES)
            .reduce(0, out, in, DataType.INT32, ReduceOp.SUM);
    if (isTiled) {
      builder.copy(0, other, out);
    }
    GroupPlan plan = new GroupPlan("to and fro", false, List.of(builder.build()));
    EngineConfig config = new EngineConfig(1, 0, 0, 0, Long.MAX_VALUE);
    return PlanCompiler.compile(plan, CompileOptions.defaults().withMode(mode), config);
  }

  private TaskRunner runner(CompiledPlan plan, Noting kernel) {
    TaskArrays tasks = plan.lists().getFirst();
    MemorySegment[] slots = new MemorySegment[tasks.slotCount()];
    for (int slot = 0; slot < slots.length; slot++) {
      slots[slot] = MemorySegment.ofArray(new long[(int) (2 * BYTES / Long.BYTES)]);
    }
    return new TaskRunner(tasks, new ReduceKernel[] {kernel}, slots, false);
  }

  @Test
  void tasksAreWholeOrInTilesInBothDirections() {
    Noting kernel = new Noting();
    TaskRunner runner = runner(plan(CompileOptions.Mode.STATIC, false), kernel);

    runner.run(0);
    assertThat(begun).as("a task alone runs whole").containsExactly(0L);

    begun.clear();
    runner.turn();
    runner.run(0);
    assertThat(begun).containsExactly(3L * TILE / 2, TILE / 2L, 0L);
    assertThat(kernel.bytes).isEqualTo(2 * BYTES);

    begun.clear();
    runner.run(0, TILE, TILE);
    assertThat(begun).as("a part of a task").containsExactly((long) TILE);

    begun.clear();
    runner.turn();
    runner.run(0);
    assertThat(begun).containsExactly(0L);
  }

  @ParameterizedTest
  @EnumSource(
      value = CompileOptions.Mode.class,
      names = {"AUTO", "STATIC"})
  void everyRunBeginsWithTheBytesWithWhichThePreviousOneHasEnded(CompileOptions.Mode mode) {
    CompiledPlan plan = plan(mode, true);
    PlanRun run = plan.newRun(List.of(runner(plan, new Noting())), Waiting.system());
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2; i++) {
        run.begin(Long.MAX_VALUE);
        while (!run.isDone()) {
          run.help(0);
        }
      }
      assertThat(begun).containsExactly(3L * TILE / 2, TILE / 2L, 0L, 0L, (long) TILE, 2L * TILE);
      begun.clear();
    }
  }
}
