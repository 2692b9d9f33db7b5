package dev.tutti.cli.tune;

import dev.tutti.host.pool.Candidate;

/**
 * How good the choice for one cell is.
 *
 * @param cell what was asked for
 * @param chosen what is chosen now
 * @param chosenMicros how long a run of it takes
 * @param fastest who was the fastest before the two were compared
 * @param fastestMicros how long a run of that takes
 * @param ratio how many times as long the chosen one takes; 1 if it is the fastest
 * @param noise the same of the chosen one and its twin, in the same rounds
 * @param hopNanos the machine's state, by the time of a cache line between processors; 0 if it is
 *     not known
 * @param verdict what follows
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
    /** Beyond doubt. */
    WITHIN("within"),
    /** Beyond doubt not. */
    BEYOND("beyond"),
    /** It cannot be told: the range of the ratio holds the limit. */
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
