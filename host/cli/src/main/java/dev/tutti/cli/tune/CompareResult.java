package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;

/**
 * The quality of the choice for one cell.
 *
 * @param cell the request
 * @param chosen the currently chosen candidate
 * @param chosenMicros the time of one of its runs
 * @param fastest the candidate that was the fastest before the two were compared
 * @param fastestMicros the time of one of its runs
 * @param ratio the time of the chosen one divided by that of the fastest; 1 if it is the fastest
 * @param noise the same ratio for the chosen one and its twin, in the same rounds
 * @param hopNanos the machine's state, by the time of a cache line between processors; 0 if it is
 *     not known
 * @param verdict the verdict
 */
record CompareResult(
    SweepPoint cell,
    Candidate chosen,
    double chosenMicros,
    Candidate fastest,
    double fastestMicros,
    Ratio ratio,
    Ratio noise,
    int hopNanos,
    Verdict verdict) {

  /** Whether the choice is within the limit. */
  enum Verdict {
    /** The choice is certainly within the limit. */
    WITHIN("within"),
    /** The choice is certainly not within the limit. */
    BEYOND("beyond"),
    /** The verdict is open: the range of the ratio contains the limit. */
    OPEN("open");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    static Verdict of(Ratio ratio, double limit) {
      return ratio.isAtMost(limit) ? WITHIN : ratio.isMoreThan(limit) ? BEYOND : OPEN;
    }
  }
}
