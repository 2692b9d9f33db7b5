package dev.tutti.plugins.bruck;

import dev.tutti.plugins.template.CirculantSchedule;
import dev.tutti.plugins.template.ScheduledAllGather;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.param.OpParam;
import java.util.List;

/** The common implementation of both forms of Bruck's all-gather. */
abstract class BruckGather<P extends OpParam> extends ScheduledAllGather<P> {

  private static final AlgParameter<Long> RADIX =
      AlgParameter.integer(
          "radix",
          "factor by which the blocks of a rank multiply in each round of radix - 1 messages",
          2,
          2,
          1 << 20);

  @Override
  public List<AlgParameter<?>> parameters() {
    return List.of(RADIX);
  }

  @Override
  protected CirculantSchedule schedule(P param) {
    return CirculantSchedule.bruck(
        param.comm().rankSize(), Math.toIntExact(RADIX.in(param.options())));
  }
}
