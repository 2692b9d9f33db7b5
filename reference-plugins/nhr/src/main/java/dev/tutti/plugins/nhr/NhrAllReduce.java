package dev.tutti.plugins.nhr;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllReduce;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllReduceParam;

/**
 * All-reduce over the non-uniform hierarchical ring. The distances of its steps halve down to 1, so
 * most bytes go between neighbours. Any number of ranks takes as many steps as the next power of
 * two.
 *
 * <p>Source: HCCL's NHR. Cost for p ranks and n bytes: {@code 2⌈log2(p)⌉α + 2(p-1)/p·nβ +
 * (p-1)/p·nγ}, and local copies of these bytes into scratch memory and out of it.
 */
@CollAlgorithm(
    name = "nhr",
    summary =
        "Halving distances around a ring of any length: logarithmic steps, the fewest bytes, any ranks",
    source = "HCCL NHR",
    formula = "2⌈log2(p)⌉α + 2(p-1)/p·nβ + (p-1)/p·nγ")
public final class NhrAllReduce extends ScheduledAllReduce {

  @Override
  protected CirculantSchedule schedule(AllReduceParam param) {
    return CirculantSchedule.nonUniform(param.comm().rankSize());
  }
}
