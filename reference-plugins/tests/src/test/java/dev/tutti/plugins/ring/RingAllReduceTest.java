package dev.tutti.plugins.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingAllReduceTest {

  private static final int CCL_BYTES = 512;
  private static final long CCL_COUNT = CCL_BYTES / 4;

  private final RingAllReduce ring = new RingAllReduce();

  private static VirtualCluster cluster(Topology topology, WorkflowMode mode, Protocol protocol) {
    return VirtualCluster.builder(topology)
        .mode(mode)
        .protocol(protocol)
        .cclBufferSize(CCL_BYTES)
        .schedules(2)
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 16})
  void isRightForEveryCountModeAndProtocol(int ranks) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      for (Protocol protocol : Protocol.values()) {
        VirtualCluster cluster = cluster(Topology.flat(ranks), mode, protocol);
        LongStream.of(0, 1, ranks - 1, ranks, 37, CCL_COUNT - 1, CCL_COUNT, CCL_COUNT + 1, 300)
            .mapToObj(n -> new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, n))
            .forEach(param -> cluster.check(ring, param).requireClean());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRightForEveryTypeAndReduction(DataType type) {
    for (Protocol protocol : Protocol.values()) {
      VirtualCluster cluster = cluster(Topology.flat(3), WorkflowMode.OP_BASE, protocol);
      for (ReduceOp op : ReduceOp.values()) {
        if (op.supports(type)) {
          cluster.check(ring, new AllReduceParam(cluster.comm(), type, op, 301)).requireClean();
        }
      }
    }
  }

  @Test
  void isRightAcrossNodesOfDifferentSizes() {
    VirtualCluster cluster = cluster(Topology.nodes(8, 4), WorkflowMode.GRAPH, Protocol.RDMA);

    cluster
        .check(ring, new AllReduceParam(cluster.comm(), DataType.INT64, ReduceOp.BXOR, 100))
        .requireClean();
  }

  @ParameterizedTest
  @EnumSource
  void givesAllRanksEqualBits(Protocol protocol) {
    VirtualCluster cluster = cluster(Topology.flat(5), WorkflowMode.GRAPH, protocol);
    GroupPlan plan =
        cluster.record(
            ring, new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, 1000));
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory memory = interpreter.allocate();
    Random random = new Random(1);
    for (MemorySegment input : memory.inputs()) {
      for (int i = 0; i < 1000; i++) {
        input.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) random.nextGaussian());
      }
    }

    interpreter.run(1, memory);

    assertThat(memory.outputs()).allMatch(output -> output.mismatch(memory.output(0)) == -1);
  }
}
