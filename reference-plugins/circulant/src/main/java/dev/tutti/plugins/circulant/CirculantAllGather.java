package dev.tutti.plugins.circulant;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * All-gather over a circulant graph: the distances of its steps are the number of ranks, halved
 * again and again. It takes both the fewest steps and the fewest bytes, for any number of ranks.
 *
 * <p>Source: J. L. Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms",
 * arXiv:2410.14234, 2024. Cost for p ranks and n bytes of output: {@code ⌈log2(p)⌉α + (p-1)/p·nβ},
 * and local copies of these bytes into scratch memory and out of it.
 */
@CollAlgorithm(
    name = "circulant",
    summary = "Steps on a circulant graph: few steps, the fewest bytes, any number of ranks",
    source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ")
public final class CirculantAllGather extends ScheduledAllGather<AllGatherParam> {

  @Override
  protected CirculantSchedule schedule(AllGatherParam param) {
    return CirculantSchedule.halving(param.comm().rankSize());
  }
}
