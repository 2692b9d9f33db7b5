package dev.tutti.verifier.matrix;

import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.OpParam;

/** Counts the rounds of a request as {@link NativeExecutorBase} does. */
abstract class Rounds extends NativeExecutorBase<OpParam> {

  /** The most ranks for which cases have four rounds; larger groups have long plans with three. */
  static final int MOST_RANKS_WITH_FOUR = 8;

  private Rounds() {}

  /** The most elements of each block of a request in one round. */
  static long longest(OpParam request) {
    return maxCountPerRound(request);
  }
}
