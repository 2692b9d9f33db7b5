package dev.tutti.verifier.dynamic;

/**
 * The number of faults that were tried.
 *
 * @param possible the number of single faults that the plan can meet
 * @param runs the number of judged runs, each with one fault; fewer than {@code possible} for a
 *     sample, and 0 if the plan is wrong even without faults
 */
public record FaultSummary(long possible, int runs) {

  /** Whether every fault was tried. */
  public boolean isExhaustive() {
    return runs == possible;
  }

  @Override
  public String toString() {
    return isExhaustive()
        ? "all " + possible + " single faults"
        : runs + " of " + possible + " single faults";
  }
}
