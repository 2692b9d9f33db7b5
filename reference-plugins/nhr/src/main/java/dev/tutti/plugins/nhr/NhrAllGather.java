package dev.tutti.plugins.nhr;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherParam;

/**
 * All-gather over the non-uniform hierarchical ring. The distances of its steps halve down to 1, so
 * most bytes go between neighbours. Any number of ranks takes as many steps as the next power of
 * two.
 *
 * <p>Source: HCCL's NHR. Cost for p ranks and n bytes of output: {@code ⌈log2(p)⌉α + (p-1)/p·nβ},
 * and local copies of these bytes into scratch memory and out of it.
 */
@CollAlgorithm(
    name = "nhr",
    summary =
        "Halving distances around a ring of any length: logarithmic steps, the fewest bytes, any ranks",
    source = "HCCL NHR",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ")
public final class NhrAllGather extends ScheduledAllGather<AllGatherParam> {

  @Override
  protected CirculantSchedule schedule(AllGatherParam param) {
    return CirculantSchedule.nonUniform(param.comm().rankSize());
  }
}
