package dev.tutti.sdk;

/**
 * The coefficients of an algorithm's time under the plain model: {@code alphas·α + betaBytes·β +
 * gammaBytes·γ}, with α the latency of one message step, β the time to move one byte over a link
 * and γ the time to reduce one byte.
 *
 * @param alphas number of message steps on the critical path
 * @param betaBytes bytes that cross a link on the critical path
 * @param gammaBytes bytes that are reduced on the critical path
 */
public record Cost(double alphas, double betaBytes, double gammaBytes) {

  /** Checks the ranges. */
  public Cost {
    if (!(alphas >= 0 && betaBytes >= 0 && gammaBytes >= 0)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "cost coefficients must be 0 or more. Actual: alphas=%s, betaBytes=%s, gammaBytes=%s",
          alphas,
          betaBytes,
          gammaBytes);
    }
  }

  /**
   * The predicted time.
   *
   * @param alpha latency of one step, in seconds
   * @param beta seconds per byte on a link
   * @param gamma seconds per byte reduced
   * @return seconds
   */
  public double seconds(double alpha, double beta, double gamma) {
    return alphas * alpha + betaBytes * beta + gammaBytes * gamma;
  }

  /** The cost of two parts that run at the same time: the larger of each coefficient. */
  public Cost max(Cost other) {
    Arguments.require(other, "other");
    return new Cost(
        Math.max(alphas, other.alphas),
        Math.max(betaBytes, other.betaBytes),
        Math.max(gammaBytes, other.gammaBytes));
  }
}
