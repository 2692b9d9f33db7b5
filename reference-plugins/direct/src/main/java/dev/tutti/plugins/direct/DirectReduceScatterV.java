package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.ReduceScatterVParam;
import java.util.Optional;

/**
 * Direct reduce-scatter with blocks of different sizes, including empty ones. It works like {@link
 * DirectReduceScatter}.
 *
 * <p>The rank of the largest block, of m bytes, determines the time, because it gets m bytes from
 * every other rank. If m is small, a rank that sends all other blocks may take longer. Cost for p
 * ranks and n bytes of input, with the least block of l bytes: {@code α + max((p-1)m, n-l)β +
 * (p-1)mγ} over direct links; over RDMA links, a message for each peer.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Reduces all peers' blocks in one pass: one step, the same bits for any size",
    source = "HCCL mesh",
    formula = "α + max((p-1)m, n-l)β + (p-1)mγ, m and l the largest and the smallest block")
public final class DirectReduceScatterV extends DirectScatter<ReduceScatterVParam> {

  /** A closed form for equal blocks; transfers of others share ports. */
  @Override
  public Optional<Cost> cost(ReduceScatterVParam param) {
    Blocks blocks = Blocks.of(param);
    if (!blocks.isUniform()) {
      return Optional.empty();
    }
    double others = blocks.size() - 1.0;
    double messages = (pulls(param) ? Math.min(1, others) : others) * rounds(param);
    double bytes = others * blocks.maxBytes();
    return Optional.of(new Cost(messages, bytes, bytes));
  }
}
