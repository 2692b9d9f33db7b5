package dev.tutti.plugins.circulant;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllReduce;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllReduceParam;

/**
 * All-reduce over a circulant graph: the distances of its steps are the number of ranks, halved
 * again and again. It takes both the fewest steps and the fewest bytes, for any number of ranks.
 *
 * <p>Source: J. L. Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms",
 * arXiv:2410.14234, 2024. Cost for p ranks and n bytes: {@code 2⌈log2(p)⌉α + 2(p-1)/p·nβ +
 * (p-1)/p·nγ}, and local copies of these bytes into scratch memory and out of it.
 */
@CollAlgorithm(
    name = "circulant",
    summary = "Steps on a circulant graph: few steps, the fewest bytes, any number of ranks",
    source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    formula = "2⌈log2(p)⌉α + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class CirculantAllReduce extends ScheduledAllReduce {

  @Override
  protected CirculantSchedule schedule(AllReduceParam param) {
    return CirculantSchedule.halving(param.comm().rankSize());
  }
}
