package dev.tutti.plugins.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.data.Reference;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectAllReduceTest {

  private static final int CCL_BYTES = 512;
  private static final long CCL_COUNT = CCL_BYTES / 4;

  private final DirectAllReduce direct = new DirectAllReduce();

  private static VirtualCluster cluster(Topology topology, WorkflowMode mode) {
    return VirtualCluster.builder(topology)
        .mode(mode)
        .cclBufferSize(CCL_BYTES)
        .schedules(2)
        .build();
  }

  private static AllReduceParam param(
      CommInfo comm, String algorithm, DataType type, ReduceOp op, long count) {
    AlgOptions options = AlgOptions.none().with("algorithm", algorithm);
    return new AllReduceParam(comm, "", options, type, op, count, false);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 16})
  void isRightForEveryCountModeAndNumberOfStages(int ranks) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      VirtualCluster cluster = cluster(Topology.flat(ranks), mode);
      for (String algorithm : List.of("auto", "one-stage", "two-stage")) {
        LongStream.of(0, 1, ranks - 1, ranks, 37, CCL_COUNT - 1, CCL_COUNT, CCL_COUNT + 1, 3000)
            .mapToObj(n -> param(cluster.comm(), algorithm, DataType.FLOAT32, ReduceOp.SUM, n))
            .forEach(param -> cluster.check(direct, param).requireClean());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRightForEveryTypeAndReduction(DataType type) {
    VirtualCluster cluster = cluster(Topology.flat(3), WorkflowMode.OP_BASE);
    for (ReduceOp op : ReduceOp.values()) {
      if (op.supports(type)) {
        cluster.check(direct, param(cluster.comm(), "one-stage", type, op, 301)).requireClean();
        cluster.check(direct, param(cluster.comm(), "two-stage", type, op, 301)).requireClean();
      }
    }
  }

  @Test
  void isRightAcrossNodesOfDifferentSizes() {
    VirtualCluster cluster = cluster(Topology.nodes(8, 4), WorkflowMode.GRAPH);

    cluster
        .check(direct, param(cluster.comm(), "auto", DataType.INT64, ReduceOp.BXOR, 1000))
        .requireClean();
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT16, one-stage, GRAPH",
    "FLOAT16, two-stage, GRAPH",
    "FLOAT16, one-stage, OP_BASE",
    "FLOAT16, two-stage, OP_BASE",
    "BFLOAT16, one-stage, GRAPH",
    "BFLOAT16, two-stage, OP_BASE",
    "FLOAT32, one-stage, GRAPH",
    "FLOAT32, two-stage, GRAPH",
    "FLOAT32, two-stage, OP_BASE",
  })
  void combinesInRankOrderAndRoundsOnceHoweverTheDataIsCut(
      DataType type, String algorithm, WorkflowMode mode) {
    VirtualCluster cluster = cluster(Topology.flat(5), mode);
    AllReduceParam param = param(cluster.comm(), algorithm, type, ReduceOp.SUM, 1000);
    PlanInterpreter interpreter = new PlanInterpreter(cluster.record(direct, param));
    GroupMemory memory = interpreter.allocate();
    Random random = new Random(1);
    memory.inputs().forEach(input -> fill(input, type, random));

    interpreter.run(1, memory);

    assertThat(Reference.of(param).checkInRankOrder(memory.inputs(), memory.outputs())).isEmpty();
  }

  /** Values whose sums are inexact, so that another order or one more rounding shows. */
  private static void fill(MemorySegment input, DataType type, Random random) {
    for (int i = 0; i < input.byteSize() / type.size(); i++) {
      float value = (float) random.nextGaussian();
      switch (type) {
        case FLOAT16 ->
            input.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, Float.floatToFloat16(value));
        case BFLOAT16 ->
            input.setAtIndex(
                ValueLayout.JAVA_SHORT_UNALIGNED, i, (short) (Float.floatToIntBits(value) >>> 16));
        default -> input.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, value);
      }
    }
  }
}
