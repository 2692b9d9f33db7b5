package dev.tutti.plugins.alltoall;

import dev.tutti.plugins.template.Staging;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import java.util.List;
import java.util.Optional;

/**
 * Pairwise all-to-all with blocks of different sizes: in step k, every rank sends its block for the
 * k-th rank on its right, and receives one from the k-th rank on its left, in chunks.
 *
 * <p>A rank knows the sizes of its own blocks only, so it does not know the places of its peers'
 * blocks. Chunks therefore pass through slots ({@link Staging}). Ranks that have nothing for each
 * other need no link.
 *
 * <p>Source: as {@link PairwiseAllToAll}. Cost for p ranks whose blocks are one chunk each, if the
 * largest block of step k has m_k bytes: {@code (p-1)α + Σm_k·β}, and a local copy of all blocks.
 * It can be less, because ranks wait for their own partners only.
 */
@CollAlgorithm(
    name = "pairwise",
    summary = "One block out and one in at a time, chunk by chunk, between ranks with data only",
    source = "Thakur, Rabenseifner, Gropp: Collective operations in MPICH, IJHPCA 19(1), 2005",
    formula = "(p-1)α + Σm_k·β, m_k the largest block of step k")
public final class PairwiseAllToAllV extends CollExecutorBase<AllToAllVParam> {

  static final AlgParameter<Long> CHUNK =
      AlgParameter.integer(
          "chunk", "most bytes for each handshake, and of scratch memory", 1 << 20, 128, 1L << 40);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(CHUNK);
  }

  private static Staging staging(AllToAllVParam param) {
    return Staging.of(param.comm(), CHUNK.in(param.options()), param.dataType().size());
  }

  @Override
  public AlgResourceRequest calcResRequest(AllToAllVParam param) {
    return new UnequalBlocks(param).request(staging(param));
  }

  @Override
  public void orchestrate(AllToAllVParam param, AlgResourceResponse resources) {
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    UnequalBlocks blocks = new UnequalBlocks(param);
    List<DeviceMem> sent = blocks.sent(resources.paramInputMem());
    List<DeviceMem> received = blocks.received(resources.paramOutputMem());
    for (int distance = 0; distance < ranks; distance++) {
      DeviceMem behind = sent.get((rank + distance) % ranks);
      DeviceMem before = received.get((rank + ranks - distance) % ranks);
      staging(param).exchange(resources, distance, List.of(behind), List.of(before));
    }
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
