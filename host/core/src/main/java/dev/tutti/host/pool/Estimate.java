package dev.tutti.host.pool;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Arguments;
import java.util.Locale;

/**
 * The estimated time of an algorithm for a request, and the origin of the estimate.
 *
 * @param seconds the time of one run, or infinity if nothing is known
 * @param origin how it is known
 * @param actions copies and reductions of all ranks, or messages between ranks if the origin is the
 *     network; 0 if the estimate did not use the plan
 * @param bytes bytes that these actions read and write, or that these messages carry; 0 if the
 *     estimate did not use the plan
 * @param workers threads that have work to do; 0 unless the origin is the plan
 * @param remark the measured times in each state of the machine if there are several, or the reason
 *     why no better estimate is known; else empty
 */
public record Estimate(
    double seconds, Origin origin, long actions, long bytes, int workers, String remark) {
  /** Refuses null. */
  public Estimate {
    Arguments.require(origin, "origin");
    Arguments.require(remark, "remark");
  }

  /** The estimate if nothing is known. */
  public static final Estimate NONE =
      new Estimate(Double.POSITIVE_INFINITY, Origin.NONE, 0, 0, 0, "");

  private static final double MICROS = 1e6;

  /**
   * The origin of an estimate, better ones first. Estimates of the same {@link #group()} can be
   * compared.
   */
  public enum Origin {
    /** The time was measured on this machine. */
    PROFILE,
    /** The time was computed from the recorded plan with the machine model. */
    PLAN,
    /** The time was simulated from the recorded plan on the network between the group's nodes. */
    NETWORK,
    /** The time is the cost that the algorithm declares, with the coefficients of the pool. */
    FORMULA,
    /** The algorithm declares no cost. */
    NONE;

    /** The stable name, for example {@code "plan"}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The group of comparable origins: measured and computed times are seconds on this machine;
     * other times are not.
     */
    int group() {
      return Math.max(PLAN.ordinal(), ordinal());
    }
  }

  /** A declared cost. */
  static Estimate declared(double seconds) {
    return new Estimate(seconds, Origin.FORMULA, 0, 0, 0, "");
  }

  /**
   * A time that was measured on this machine.
   *
   * @param byState the times in each state of the machine, if it has several; else empty
   */
  public static Estimate measured(double seconds, String byState) {
    Arguments.require(byState, "byState");

    return new Estimate(seconds, Origin.PROFILE, 0, 0, 0, byState);
  }

  /** A time that was computed from the plan for this machine. */
  public static Estimate planned(double seconds, long actions, long bytes, int workers) {
    return new Estimate(seconds, Origin.PLAN, actions, bytes, workers, "");
  }

  /** A time that was simulated from the plan on a network. */
  public static Estimate simulated(double seconds, long messages, long bytes) {
    return new Estimate(seconds, Origin.NETWORK, messages, bytes, 0, "");
  }

  /** The same with the reason why no better estimate is known. */
  public Estimate because(String newRemark) {
    Arguments.require(newRemark, "newRemark");

    return new Estimate(seconds, origin, actions, bytes, workers, newRemark);
  }

  /** Whether a time is known. */
  public boolean isKnown() {
    return origin != Origin.NONE;
  }

  /** The time and its origin, as text. */
  @Override
  public String toString() {
    return switch (origin) {
      case PROFILE -> micros() + " measured" + reason();
      case PLAN ->
          Sentence.of(
              "%s by its plan (%d actions, %d bytes, %d worker%s)",
              micros(), actions, bytes, workers, workers == 1 ? "" : "s");
      case NETWORK ->
          Sentence.of(
              "%s by its plan on the network (%d messages, %d bytes)", micros(), actions, bytes);
      case FORMULA -> micros() + " by its formula" + reason();
      case NONE -> "declares no cost" + reason();
    };
  }

  private String reason() {
    return remark.isEmpty() ? "" : " (" + remark + ")";
  }

  private String micros() {
    return Sentence.of("%.2f µs", seconds * MICROS);
  }
}
