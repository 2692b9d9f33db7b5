package dev.tutti.plugins.direct;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.param.AllReduceParam;
import java.util.List;

/**
 * The number of stages. In one stage, every rank loads every input, which is faster only for short
 * vectors of few ranks. It is not faster for vectors of a single slice, because one rank can
 * combine that for all. In place, it is slower, because the result has to be copied once more.
 */
final class StageChoice {

  static final AlgParameter<String> ALGORITHM =
      AlgParameter.choice(
          "algorithm",
          "number of stages; auto takes one for short vectors of several slices and up to 4 ranks",
          "auto",
          List.of("auto", "one-stage", "two-stage"));

  static final AlgParameter<Long> ONE_STAGE_BYTES =
      AlgParameter.integer(
          "one-stage-bytes",
          "longest vector in bytes that is short for auto; a quarter of it in place",
          8 << 10,
          0,
          1L << 40);

  private static final int MAX_ONE_STAGE_RANKS = 4;
  private static final int MIN_IN_PLACE_RANKS = 3;
  private static final int IN_PLACE_PART = 4;

  private StageChoice() {}

  /**
   * One or two, equal on all ranks; two if there is one rank, whose only slice is the vector.
   *
   * @param isInPlace whether the kernel's input and output are the same memory
   */
  static int stages(AllReduceParam param, boolean isInPlace) {
    if (param.comm().rankSize() == 1) {
      return 2;
    }
    return switch (ALGORITHM.in(param.options())) {
      case "one-stage" -> 1;
      case "two-stage" -> 2;
      default -> isOneStageFaster(param, isInPlace) ? 1 : 2;
    };
  }

  /** The result of measurements with threads of one machine; see docs/benchmarks.md. */
  private static boolean isOneStageFaster(AllReduceParam param, boolean isInPlace) {
    int ranks = param.comm().rankSize();
    long longest = ONE_STAGE_BYTES.in(param.options());
    return ranks >= (isInPlace ? MIN_IN_PLACE_RANKS : 2)
        && ranks <= MAX_ONE_STAGE_RANKS
        && param.messageBytes() > MeshSlices.ALIGNMENT_BYTES
        && param.messageBytes() <= (isInPlace ? longest / IN_PLACE_PART : longest);
  }
}
