package dev.tutti.plugins.p2p;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.SendParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Sends to one rank, chunk by chunk. Over direct links, the receiver reads from this rank's input.
 * Over RDMA links, this rank writes into the receiver's output.
 *
 * <p>Source: HCCL's CollSendExecutor. Cost for n bytes in c chunks: {@code c·α + nβ}.
 */
@CollAlgorithm(
    name = "chunked",
    summary = "Sends chunk by chunk with one handshake each; pulls or pushes by protocol",
    source = "HCCL CollSendExecutor",
    formula = "c·α + nβ for c chunks")
public final class SendExecutor extends NativeExecutorBase<SendParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(ChunkLoop.CHUNK);
  }

  @Override
  protected OpCommTransport calcCommInfo(SendParam param) {
    return OpCommTransport.pairs(
        param.comm(),
        CommPlane.COMBINED,
        inputMemType(param),
        outputMemType(param),
        param.dstRank());
  }

  @Override
  protected void kernelRun(SendParam param, ExecMem mem) {
    ChunkLoop.run(param, param.dataType(), mem, param.dstRank());
  }

  @Override
  public Optional<Cost> cost(SendParam param) {
    return Optional.of(ChunkLoop.cost(param, param.dataType(), maxCountPerRound(param)));
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
