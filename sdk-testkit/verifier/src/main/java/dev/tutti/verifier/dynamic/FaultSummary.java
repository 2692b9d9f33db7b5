package dev.tutti.verifier.dynamic;

/**
 * The number of faults that were tried.
 *
 * @param possible the single faults that the plan can meet
 * @param runs the runs that were judged, each with one of them; fewer than {@code possible} if only
 *     a sample was wanted, and 0 if the plan is wrong without any fault
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
