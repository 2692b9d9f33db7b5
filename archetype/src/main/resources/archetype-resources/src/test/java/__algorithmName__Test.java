package ${package};

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.testkit.VirtualCluster;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every check is made in place and with separate buffers. */
class ${algorithmName}Test {

  // Small, so that a few hundred elements take several rounds in OP_BASE mode.
  private static final int CCL_BYTES = 512;
  private static final long CCL_COUNT = CCL_BYTES / 4;

  private final ${algorithmName} algorithm = new ${algorithmName}();

  private static VirtualCluster cluster(int ranks, WorkflowMode mode, Protocol protocol) {
    return VirtualCluster.builder(Topology.flat(ranks))
        .mode(mode)
        .protocol(protocol)
        .cclBufferSize(CCL_BYTES)
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void isRightForEveryCountModeAndProtocol(int ranks) {
    for (WorkflowMode mode : WorkflowMode.values()) {
      for (Protocol protocol : Protocol.values()) {
        VirtualCluster cluster = cluster(ranks, mode, protocol);
        LongStream.of(0, 1, ranks - 1, ranks, 37, CCL_COUNT, CCL_COUNT + 1, 300)
            .mapToObj(n -> new AllReduceParam(cluster.comm(), DataType.FLOAT32, ReduceOp.SUM, n))
            .forEach(param -> cluster.check(algorithm, param).requireClean());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRightForEveryTypeAndReduction(DataType type) {
    VirtualCluster cluster = cluster(3, WorkflowMode.OP_BASE, Protocol.DIRECT);
    for (ReduceOp op : ReduceOp.values()) {
      if (op.supports(type)) {
        AllReduceParam param = new AllReduceParam(cluster.comm(), type, op, 301);
        cluster.check(algorithm, param).requireClean();
      }
    }
  }
}
