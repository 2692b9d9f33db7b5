package dev.tutti.plugins.p2p;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ReceiveParam;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Receives from one rank, chunk by chunk. It is the other side of {@link SendExecutor}.
 *
 * <p>Source: HCCL's CollReceiveExecutor. Cost for n bytes in c chunks: {@code c·α + nβ}.
 */
@CollAlgorithm(
    name = "chunked",
    summary = "Receives chunk by chunk with one handshake each; pulls or pushes by protocol",
    source = "HCCL CollReceiveExecutor",
    formula = "c·α + nβ for c chunks")
public final class ReceiveExecutor extends NativeExecutorBase<ReceiveParam> {

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(ChunkLoop.CHUNK);
  }

  @Override
  protected OpCommTransport calcCommInfo(ReceiveParam param) {
    return OpCommTransport.pairs(
        param.comm(),
        CommPlane.COMBINED,
        inputMemType(param),
        outputMemType(param),
        param.srcRank());
  }

  @Override
  protected void kernelRun(ReceiveParam param, ExecMem mem) {
    ChunkLoop.run(param, param.dataType(), mem, param.srcRank());
  }

  @Override
  public Optional<Cost> cost(ReceiveParam param) {
    return Optional.of(ChunkLoop.cost(param, param.dataType(), maxCountPerRound(param)));
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
