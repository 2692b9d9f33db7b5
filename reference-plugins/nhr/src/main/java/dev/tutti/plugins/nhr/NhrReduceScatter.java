package dev.tutti.plugins.nhr;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterParam;

/**
 * Reduce-scatter over the non-uniform hierarchical ring. The distances of its steps halve down to
 * 1, so most bytes go between neighbours. Any number of ranks takes as many steps as the next power
 * of two.
 *
 * <p>Source: HCCL's NHR. Cost for p ranks and n bytes of input: {@code ⌈log2(p)⌉α + (p-1)/p·n(β +
 * γ)}, and local copies of these bytes into scratch memory and out of it.
 */
@CollAlgorithm(
    name = "nhr",
    summary =
        "Halving distances around a ring of any length: logarithmic steps, the fewest bytes, any ranks",
    source = "HCCL NHR",
    formula = "⌈log2(p)⌉α + (p-1)/p·n(β + γ)")
public final class NhrReduceScatter extends ScheduledReduceScatter<ReduceScatterParam> {

  @Override
  protected CirculantSchedule schedule(ReduceScatterParam param) {
    return CirculantSchedule.nonUniform(param.comm().rankSize());
  }
}
