package dev.tutti.plugins.direct;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.param.AllReduceParam;
import java.util.List;

/**
 * The number of stages: in one stage every rank loads every input, which pays only for short
 * vectors of few ranks.
 */
final class StageChoice {

  static final AlgParameter<String> ALGORITHM =
      AlgParameter.choice(
          "algorithm",
          "number of stages; auto takes one for short vectors of up to 4 ranks",
          "auto",
          List.of("auto", "one-stage", "two-stage"));

  static final AlgParameter<Long> ONE_STAGE_BYTES =
      AlgParameter.integer(
          "one-stage-bytes", "longest vector in bytes that auto calls short", 8 << 10, 0, 1L << 40);

  private static final int MAX_ONE_STAGE_RANKS = 4;

  private StageChoice() {}

  /** One or two, equal on all ranks; two if there is one rank, whose only slice is the vector. */
  static int stages(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    if (ranks == 1) {
      return 2;
    }
    return switch (ALGORITHM.in(param.options())) {
      case "one-stage" -> 1;
      case "two-stage" -> 2;
      default -> ranks <= MAX_ONE_STAGE_RANKS && isShort(param) ? 1 : 2;
    };
  }

  private static boolean isShort(AllReduceParam param) {
    return param.messageBytes() <= ONE_STAGE_BYTES.in(param.options());
  }
}
