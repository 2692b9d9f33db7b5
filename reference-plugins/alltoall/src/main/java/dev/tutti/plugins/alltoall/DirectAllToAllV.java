package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.Staging;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import java.util.List;
import java.util.Optional;

/**
 * Direct all-to-all with blocks of different sizes: every rank puts its blocks into slots, one slot
 * for each other rank, and signals that they are there. Then each rank fetches its blocks. Over
 * RDMA links, ranks write into the slots of the others.
 *
 * <p>A rank knows the sizes of its own blocks only, so it does not know the places of its peers'
 * blocks. Blocks therefore pass through slots ({@link Staging}), in chunks. Ranks that have nothing
 * for each other need no link. Bruck's algorithm has no such form, because a rank would have to
 * pass on blocks whose sizes it does not know.
 *
 * <p>Source: as {@link DirectAllToAll}. Cost for p ranks and blocks of one chunk, if a rank gets at
 * most m bytes from the others: {@code (p-1)α + mβ}, and a local copy of all blocks. Ranks that
 * fetch from the same rank at the same time wait for each other.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Every rank fetches its blocks out of slots: no waiting in between, for short blocks",
    source = "HCCL full-mesh all-to-all",
    formula = "(p-1)α + mβ for blocks of one chunk, m the most bytes that a rank gets")
public final class DirectAllToAllV extends CollExecutorBase<AllToAllVParam> {

  static final AlgParameter<Long> CHUNK =
      AlgParameter.integer(
          "chunk",
          "most bytes for each handshake, and of scratch memory for each other rank",
          1 << 18,
          128,
          1L << 40);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(CHUNK);
  }

  @Override
  public Support supports(AllToAllVParam param) {
    long least = (param.comm().rankSize() - 1L) * param.dataType().size();
    long most = param.comm().cclBufferSize();
    return Support.when(
        param.comm().mode() == WorkflowMode.GRAPH || least <= most,
        "needs CCL buffers with an element for each other rank, %d bytes. Actual: %d"
            .formatted(least, most));
  }

  private static Staging staging(AllToAllVParam param) {
    long limit = Math.min(CHUNK.in(param.options()), new UnequalBlocks(param).maxBytes());
    return Staging.forEachPeer(param.comm(), limit, param.dataType().size());
  }

  @Override
  public AlgResourceRequest calcResRequest(AllToAllVParam param) {
    return new UnequalBlocks(param).request(staging(param));
  }

  @Override
  public void orchestrate(AllToAllVParam param, AlgResourceResponse resources) {
    UnequalBlocks blocks = new UnequalBlocks(param);
    List<DeviceMem> sent = blocks.sent(resources.paramInputMem());
    List<DeviceMem> received = blocks.received(resources.paramOutputMem());
    int rank = param.comm().rank();
    resources.mainStream().copy(received.get(rank), sent.get(rank));
    staging(param).exchangeAll(resources, sent, received);
  }

  @Override
  public Optional<Cost> cost(AllToAllVParam param) {
    return new UnequalBlocks(param).cost(staging(param));
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
