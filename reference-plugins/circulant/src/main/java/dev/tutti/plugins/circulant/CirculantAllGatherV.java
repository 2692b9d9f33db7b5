package dev.tutti.plugins.circulant;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * {@link CirculantAllGather} with blocks of different sizes, empty ones too: the same steps, which
 * wait for the largest message.
 */
@CollAlgorithm(
    name = "circulant",
    summary = "Steps on a circulant graph: logarithmic steps, whatever the sizes",
    source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ, if blocks are alike")
public final class CirculantAllGatherV extends ScheduledAllGather<AllGatherVParam> {

  @Override
  protected CirculantSchedule schedule(AllGatherVParam param) {
    return CirculantSchedule.halving(param.comm().rankSize());
  }
}
