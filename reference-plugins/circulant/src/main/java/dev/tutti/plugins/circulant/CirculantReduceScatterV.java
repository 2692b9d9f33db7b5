package dev.tutti.plugins.circulant;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * Reduce-scatter over a circulant graph, with blocks of different sizes, including empty ones. It
 * takes the same steps as {@link CirculantReduceScatter}, but each step waits for its largest
 * message.
 */
@CollAlgorithm(
    name = "circulant",
    summary = "Steps on a circulant graph: few steps, whatever the sizes",
    source = "Träff: Optimal, non-pipelined reduce-scatter and allreduce algorithms, 2024",
    formula = "⌈log2(p)⌉α + (p-1)/p·n(β + γ) for equal blocks")
public final class CirculantReduceScatterV extends ScheduledReduceScatter<ReduceScatterVParam> {

  @Override
  protected CirculantSchedule schedule(ReduceScatterVParam param) {
    return CirculantSchedule.halving(param.comm().rankSize());
  }
}
