package dev.tutti.plugins.custom;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.param.AllReduceParam;
import java.util.List;

/** The number of stages. */
final class StageChoice {

  static final AlgParameter<String> ALGORITHM =
      AlgParameter.choice(
          "algorithm",
          "number of stages; auto takes one for two ranks and for short vectors",
          "auto",
          List.of("auto", "1stage", "oneshot", "2stage", "twoshot"));

  static final AlgParameter<String> PROFILE =
      AlgParameter.choice(
          "profile",
          "which vectors are short for auto: below 10 KiB for 4 ranks and 5 KiB for more on cpu,"
              + " 512 KiB and 256 KiB on gpu",
          Profile.CPU.label(),
          Profile.labels());

  private StageChoice() {}

  /** Whether one stage is used; equal on all ranks. */
  static boolean isOneStage(AllReduceParam param) {
    return switch (ALGORITHM.in(param.options())) {
      case "1stage", "oneshot" -> true;
      case "2stage", "twoshot" -> false;
      default ->
          Profile.fromLabel(PROFILE.in(param.options()))
              .isOneStage(param.comm().rankSize(), param.messageBytes());
    };
  }
}
