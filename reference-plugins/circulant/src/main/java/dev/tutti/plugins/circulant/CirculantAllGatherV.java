package dev.tutti.plugins.circulant;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * All-gather over a circulant graph, with blocks of different sizes, including empty ones. It takes
 * the same steps as {@link CirculantAllGather}, but each step waits for its largest message.
 */
@CollAlgorithm(
    name = "circulant",
    summary = "Steps on a circulant graph: few steps, whatever the sizes",
    source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ for equal blocks")
public final class CirculantAllGatherV extends ScheduledAllGather<AllGatherVParam> {

  @Override
  protected CirculantSchedule schedule(AllGatherVParam param) {
    return CirculantSchedule.halving(param.comm().rankSize());
  }
}
