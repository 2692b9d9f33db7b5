package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.ReduceScatterVParam;
import java.util.Optional;

/**
 * {@link DirectReduceScatter} with blocks of different sizes, empty ones too.
 *
 * <p>The largest block, of m bytes, takes longest, unless it is so small that a rank sends more
 * bytes of all other blocks. Cost for p ranks and n bytes of input, with the least block of l
 * bytes: {@code α + max((p-1)m, n-l)β + (p-1)mγ} over direct links; over RDMA links, a message for
 * each peer.
 */
@CollAlgorithm(
    name = "direct",
    summary = "Fused reduction of all peers' blocks in rank order: one step, same bits anyhow",
    source = "HCCL mesh",
    formula = "α + max((p-1)m, n-l)β + (p-1)mγ, m and l the largest and the least block")
public final class DirectReduceScatterV extends DirectScatter<ReduceScatterVParam> {

  /** A closed form for equal blocks; others meet at ports. */
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
