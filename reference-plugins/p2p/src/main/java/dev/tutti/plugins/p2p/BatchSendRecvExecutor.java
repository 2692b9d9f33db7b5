package dev.tutti.plugins.p2p;

import dev.tutti.plugins.template.Staging;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.List;

/**
 * Any number of sends and receives at once. The ranks may list them in any order. First, each rank
 * makes its transfers to itself, then those to the next rank on its right, then those to the second
 * next, and so on. At any time, a rank sends one chunk and receives one. Between two ranks,
 * messages keep their order.
 *
 * <p>A rank knows its own list only, so it does not know the place of a peer's message. Chunks
 * therefore pass through slots ({@link Staging}). Only ranks that exchange data have a link.
 *
 * <p>Source: HCCL's CollBatchSendRecvExecutor. Cost if all ranks send one chunk of n bytes over
 * each of k distances: {@code k(α + nβ)}, and a local copy of all messages. In other cases, each
 * rank takes that for its own distances, and waits for its partners in between.
 */
@CollAlgorithm(
    name = "pairwise",
    summary = "One chunk out and one in at a time, distance by distance: no order can deadlock",
    source = "HCCL CollBatchSendRecvExecutor",
    formula = "k(α + nβ) for messages of n bytes over k distances")
public final class BatchSendRecvExecutor extends CollExecutorBase<BatchSendRecvParam> {

  static final AlgParameter<Long> CHUNK =
      AlgParameter.integer(
          "chunk", "most bytes for each handshake, and of scratch memory", 1 << 20, 128, 1L << 40);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(CHUNK);
  }

  private static Staging staging(BatchSendRecvParam param) {
    return Staging.of(param.comm(), CHUNK.in(param.options()), param.dataType().size());
  }

  @Override
  public AlgResourceRequest calcResRequest(BatchSendRecvParam param) {
    BatchLists lists = BatchLists.of(param);
    int ranks = param.comm().rankSize();
    Staging staging = staging(param);
    return AlgResourceRequest.of(staging.links(lists.peers()))
        .withScratchMemSize(
            staging.scratchMemSize(lists.longestSent(ranks), lists.longestReceived(ranks)));
  }

  @Override
  public void orchestrate(BatchSendRecvParam param, AlgResourceResponse resources) {
    BatchLists lists = BatchLists.of(param);
    int rank = param.comm().rank();
    int ranks = param.comm().rankSize();
    for (int distance = 0; distance < ranks; distance++) {
      staging(param)
          .exchange(
              resources,
              distance,
              lists.sentTo((rank + distance) % ranks, resources.paramInputMem()),
              lists.receivedFrom((rank + ranks - distance) % ranks, resources.paramOutputMem()));
    }
  }

  /** Nothing is combined. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
