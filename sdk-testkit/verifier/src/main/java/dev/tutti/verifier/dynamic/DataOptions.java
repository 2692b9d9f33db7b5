package dev.tutti.verifier.dynamic;

import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/**
 * How a plan is run on data. Immutable.
 *
 * @param schedules runs in simulated random orders, each with data of its own; 0 or more
 * @param stressRuns runs on real threads, each with data of its own; 0 or more
 * @param seed chooses orders and data
 * @param hasSpecials whether there are NaN, infinities and zeros of both signs among floating-point
 *     inputs
 * @param declared the executor's promise about bits
 * @param isInRankOrder whether floating-point operands must have been combined from rank 0 up, to
 *     the bit
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

  /** Some simulated orders, no threads, no specials, any order of operands. */
  public static DataOptions of(int schedules, long seed, Determinism declared) {
    return new DataOptions(schedules, 0, seed, false, declared, false, false);
  }

  /** The same options with runs on threads. */
  public DataOptions withStressRuns(int runs) {
    return new DataOptions(
        schedules, runs, seed, hasSpecials, declared, isInRankOrder, hasAtomicReductions);
  }

  /** The same with special floating-point values. */
  public DataOptions withSpecials(boolean areWanted) {
    return new DataOptions(
        schedules, stressRuns, seed, areWanted, declared, isInRankOrder, hasAtomicReductions);
  }

  /** The same with operands that must have been combined in the order of ranks. */
  public DataOptions withRankOrder(boolean isDemanded) {
    return new DataOptions(
        schedules, stressRuns, seed, hasSpecials, declared, isDemanded, hasAtomicReductions);
  }

  /** The same with reductions that exclude each other. */
  public DataOptions withAtomicReductions(boolean areAtomic) {
    return new DataOptions(
        schedules, stressRuns, seed, hasSpecials, declared, isInRankOrder, areAtomic);
  }
}
