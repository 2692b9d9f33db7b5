package dev.tutti.verifier.matrix;

import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.OpParam;

/** The rounds of a request, counted as {@link NativeExecutorBase} counts them. */
abstract class Rounds extends NativeExecutorBase<OpParam> {

  /** The plans of larger groups are long enough with three rounds. */
  static final int MOST_RANKS_WITH_FOUR = 8;

  private Rounds() {}

  /** The most elements of each block of a request in one round. */
  static long longest(OpParam request) {
    return maxCountPerRound(request);
  }
}
