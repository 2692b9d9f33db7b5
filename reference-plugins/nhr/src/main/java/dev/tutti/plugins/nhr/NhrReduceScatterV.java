package dev.tutti.plugins.nhr;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledReduceScatter;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.param.ReduceScatterVParam;

/**
 * {@link NhrReduceScatter} with blocks of different sizes, empty ones too: the same steps, which
 * wait for the largest message.
 */
@CollAlgorithm(
    name = "nhr",
    summary =
        "Halving distances around a ring of any length: logarithmic steps, whatever the sizes",
    source = "HCCL NHR",
    formula = "⌈log2(p)⌉α + (p-1)/p·n(β + γ), if blocks are alike")
public final class NhrReduceScatterV extends ScheduledReduceScatter<ReduceScatterVParam> {

  @Override
  protected CirculantSchedule schedule(ReduceScatterVParam param) {
    return CirculantSchedule.nonUniform(param.comm().rankSize());
  }
}
