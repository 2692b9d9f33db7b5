package dev.tutti.host.pool;

import java.util.Locale;

/**
 * How long an algorithm would take for a request, and how that is known.
 *
 * @param seconds the time of one run, or infinity if nothing is known
 * @param origin how it is known
 * @param actions copies and reductions of all ranks; 0 unless the origin is the plan
 * @param bytes bytes that those read and write; 0 unless the origin is the plan
 * @param workers threads that have work to do; 0 unless the origin is the plan
 */
public record Estimate(double seconds, Origin origin, int actions, long bytes, int workers) {

  /** Nothing is known. */
  public static final Estimate NONE = new Estimate(Double.POSITIVE_INFINITY, Origin.NONE, 0, 0, 0);

  private static final double MICROS = 1e6;

  /**
   * How an estimate is known, the better ways first. Those of one {@link #group()} can be compared.
   */
  public enum Origin {
    /** It was measured on this machine. */
    PROFILE,
    /** It was computed from the recorded plan with the machine model. */
    PLAN,
    /** It is the cost that the algorithm declares, with the coefficients of the pool. */
    FORMULA,
    /** The algorithm declares none. */
    NONE;

    /** The stable name, for example {@code "plan"}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Measured and computed times are seconds of this machine; declared ones are not. */
    int group() {
      return Math.max(PLAN.ordinal(), ordinal());
    }
  }

  /** A declared cost. */
  static Estimate declared(double seconds) {
    return new Estimate(seconds, Origin.FORMULA, 0, 0, 0);
  }

  /** A time that was measured on this machine. */
  public static Estimate measured(double seconds) {
    return new Estimate(seconds, Origin.PROFILE, 0, 0, 0);
  }

  /** Whether a time is known. */
  public boolean isKnown() {
    return origin != Origin.NONE;
  }

  /** The time and where it comes from, for people. */
  @Override
  public String toString() {
    return switch (origin) {
      case PROFILE -> micros() + " measured";
      case PLAN ->
          "%s by its plan (%d actions, %d bytes, %d worker%s)"
              .formatted(micros(), actions, bytes, workers, workers == 1 ? "" : "s");
      case FORMULA -> micros() + " by its formula";
      case NONE -> "declares no cost";
    };
  }

  private String micros() {
    return String.format(Locale.ROOT, "%.2f µs", seconds * MICROS);
  }
}
