package dev.tutti.plugins.nhr;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllGather;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.AllGatherVParam;

/**
 * All-gather over the non-uniform hierarchical ring, with blocks of different sizes, including
 * empty ones. It takes the same steps as {@link NhrAllGather}, but each step waits for its largest
 * message.
 */
@CollAlgorithm(
    name = "nhr",
    summary =
        "Halving distances around a ring of any length: logarithmic steps, whatever the sizes",
    source = "HCCL NHR",
    formula = "⌈log2(p)⌉α + (p-1)/p·nβ for equal blocks")
public final class NhrAllGatherV extends ScheduledAllGather<AllGatherVParam> {

  @Override
  protected CirculantSchedule schedule(AllGatherVParam param) {
    return CirculantSchedule.nonUniform(param.comm().rankSize());
  }
}
