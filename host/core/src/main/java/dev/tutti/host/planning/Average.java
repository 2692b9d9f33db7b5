package dev.tutti.host.planning;

import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The average over all ranks: an algorithm computes the sum, and each rank divides its own output
 * by the number of ranks. Algorithms never see averages.
 */
final class Average {

  private Average() {}

  /**
   * Refuses calls that have no average.
   *
   * @throws TuttiException with {@link ErrorCode#UNSUPPORTED}
   */
  static void check(CollectiveCall call) {
    boolean isSum = call.reduceOp() == ReduceOp.SUM;
    boolean isOfAll =
        switch (call.operation()) {
          case ALL_REDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_V -> true;
          default -> false;
        };
    if (!isSum || !isOfAll) {
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "an average is the sum of an allreduce, reduce or reducescatter divided by the number of"
              + " ranks. Actual: %s; call without CallOptions.withAverage(true)",
          call);
    }
  }

  /** A plan with one reduction per rank, which reads the rank's input and divides its output. */
  static GroupPlan ofOutputs(List<@Nullable OpParam> params, DataType dataType) {
    List<RankPlan> plans = new ArrayList<>(params.size());
    for (int rank = 0; rank < params.size(); rank++) {
      OpParam param = params.get(rank);
      long bytes = param == null ? 0 : param.outputBytes();
      RankPlanBuilder builder = new RankPlanBuilder(rank);
      if (bytes > 0) {
        builder
            .memSize(TransportMemType.PARAM_INPUT, bytes)
            .memSize(TransportMemType.PARAM_OUTPUT, bytes)
            .reduce(
                0,
                new DeviceMem(rank, TransportMemType.PARAM_OUTPUT, 0, bytes),
                new DeviceMem(rank, TransportMemType.PARAM_INPUT, 0, bytes),
                dataType,
                ReduceOp.SUM);
      }
      plans.add(builder.build());
    }
    return new GroupPlan("average", false, plans);
  }
}
