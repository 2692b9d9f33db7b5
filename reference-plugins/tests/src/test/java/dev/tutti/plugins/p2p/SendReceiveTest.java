package dev.tutti.plugins.p2p;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SendReceiveTest {

  private static final int CCL_BYTES = 512;
  private static final long CCL_COUNT = CCL_BYTES / 4;

  /** An executor with a chunk size of its own. */
  private static final class WithChunk<P extends OpParam> extends CollExecutorBase<P> {

    private final CollExecutorBase<P> executor;
    private final int chunk;

    WithChunk(CollExecutorBase<P> executor, int chunk) {
      this.executor = executor;
      this.chunk = chunk;
    }

    // withOptions returns the record it is called on, as every implementation of OpParam does.
    @SuppressWarnings("unchecked")
    private P withChunk(P param) {
      return (P) param.withOptions(AlgOptions.none().with("chunk", chunk));
    }

    @Override
    public AlgResourceRequest calcResRequest(P param) {
      return executor.calcResRequest(withChunk(param));
    }

    @Override
    public void orchestrate(P param, AlgResourceResponse resources) {
      executor.orchestrate(withChunk(param), resources);
    }
  }

  private static VirtualCluster cluster(int ranks, WorkflowMode mode, Protocol protocol) {
    return VirtualCluster.builder(Topology.flat(ranks))
        .mode(mode)
        .protocol(protocol)
        .cclBufferSize(CCL_BYTES)
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "GRAPH, DIRECT, 128",
    "GRAPH, DIRECT, 1000000",
    "GRAPH, RDMA, 200",
    "OP_BASE, DIRECT, 200",
    "OP_BASE, RDMA, 128",
    "OP_BASE, RDMA, 1000000",
  })
  void isRightForEveryCount(WorkflowMode mode, Protocol protocol, int chunk) {
    VirtualCluster cluster = cluster(3, mode, protocol);
    for (long count : new long[] {0, 1, 31, CCL_COUNT - 1, CCL_COUNT, CCL_COUNT + 1, 1000}) {
      cluster
          .checkTransfer(
              new WithChunk<>(new SendExecutor(), chunk),
              new WithChunk<>(new ReceiveExecutor(), chunk),
              2,
              0,
              DataType.FLOAT32,
              count)
          .requireClean();
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRightForEveryType(DataType type) {
    VirtualCluster cluster = cluster(2, WorkflowMode.OP_BASE, Protocol.DIRECT);

    cluster
        .checkTransfer(new SendExecutor(), new ReceiveExecutor(), 0, 1, type, 333)
        .requireClean();
  }
}
