package dev.tutti.verifier.dynamic;

import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * Options for running a plan on data. Immutable.
 *
 * @param schedules runs in simulated random orders, each with different data; 0 or more
 * @param stressRuns runs on real threads, all with the same data; 0 or more
 * @param seed chooses orders and data
 * @param hasSpecials whether floating-point inputs contain NaN, infinities and zeros of both signs
 * @param declared the determinism that the executor promises
 * @param isInRankOrder whether results must have exactly the bits of floating-point operands
 *     combined from rank 0 up
 * @param hasAtomicReductions whether reductions into one memory exclude each other
 */
public record DataOptions(
    int schedules,
    int stressRuns,
    long seed,
    boolean hasSpecials,
    Determinism declared,
    boolean isInRankOrder,
    boolean hasAtomicReductions) {

  /** Checks the ranges. */
  public DataOptions {
    if (schedules < 0 || stressRuns < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "schedules and stressRuns must be 0 or more. Actual: %d and %d",
          schedules,
          stressRuns);
    }
  }

  /**
   * Options with simulated orders, without runs on threads or special values, for any order of
   * operands.
   */
  public static DataOptions of(int schedules, long seed, Determinism declared) {
    return new DataOptions(schedules, 0, seed, false, declared, false, false);
  }

  /** The same options with runs on threads. */
  public DataOptions withStressRuns(int runs) {
    return new DataOptions(
        schedules, runs, seed, hasSpecials, declared, isInRankOrder, hasAtomicReductions);
  }

  /** The same options with special floating-point values. */
  public DataOptions withSpecials(boolean areWanted) {
    return new DataOptions(
        schedules, stressRuns, seed, areWanted, declared, isInRankOrder, hasAtomicReductions);
  }

  /** The same options, but operands must be combined in the order of ranks. */
  public DataOptions withRankOrder(boolean isDemanded) {
    return new DataOptions(
        schedules, stressRuns, seed, hasSpecials, declared, isDemanded, hasAtomicReductions);
  }

  /** The same options with reductions that exclude each other. */
  public DataOptions withAtomicReductions(boolean areAtomic) {
    return new DataOptions(
        schedules, stressRuns, seed, hasSpecials, declared, isInRankOrder, areAtomic);
  }
}
