package dev.tutti.engine.machine;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.List;

/**
 * The costs of the parts of a run on a machine whose threads run all ranks. Costs are in
 * nanoseconds; costs of bytes are in nanoseconds per byte. Immutable.
 *
 * @param start the cost of a run before its first task
 * @param task one task, besides its bytes
 * @param operand each operand of a reduction, besides its bytes
 * @param share beginning and ending a run that several workers share
 * @param handOver publishing progress to another worker, or reading it
 * @param tasklet one tasklet of a graph, besides its tasks
 * @param warmByte a byte that the previous task has left in the first-level cache
 * @param reducedByte combining a byte with another one
 * @param streamedByte writing a byte past the caches
 * @param foreignByte the additional cost of reading a byte that another worker has written in the
 *     same run
 * @param levels the costs of bytes, by all memory that a run touches, ascending. Between two
 *     levels, costs are interpolated over the logarithm of the bytes; beyond the ends, they stay
 *     the same
 */
public record MachineModel(
    double start,
    double task,
    double operand,
    double share,
    double handOver,
    double tasklet,
    double warmByte,
    double reducedByte,
    double streamedByte,
    double foreignByte,
    List<Level> levels) {

  private static final MachineModel DEFAULTS =
      new MachineModel(
          12,
          8.5,
          4,
          1000,
          300,
          60,
          0.0045,
          0.0005,
          0.012,
          0.02,
          List.of(
              new Level(32 << 10, 0.0022, 0.0027),
              new Level(768 << 10, 0.0039, 0.0085),
              new Level(12 << 20, 0.008, 0.024),
              new Level(128 << 20, 0.057, 0.027)));

  /**
   * The costs of bytes for one size of touched memory.
   *
   * @param bytes all memory that a run touches, of all ranks
   * @param readByte reading a byte
   * @param writtenByte writing a byte
   */
  public record Level(long bytes, double readByte, double writtenByte) {

    /** Checks the ranges. */
    public Level {
      if (bytes < 1 || !isCost(readByte) || !isCost(writtenByte)) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "a level must have 1 byte or more, and finite costs of 0 or more. Actual: %d bytes, %s,"
                + " %s",
            bytes,
            readByte,
            writtenByte);
      }
    }
  }

  /** Checks the ranges. */
  public MachineModel {
    Arguments.require(levels, "levels");
    levels = List.copyOf(levels);
    double[] costs = {
      start,
      task,
      operand,
      share,
      handOver,
      tasklet,
      warmByte,
      reducedByte,
      streamedByte,
      foreignByte
    };
    for (double cost : costs) {
      if (!isCost(cost)) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "costs must be finite and 0 or more. Actual: %s", cost);
      }
    }
    if (levels.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "a machine model must have at least one level");
    }
    for (int i = 1; i < levels.size(); i++) {
      if (levels.get(i).bytes() <= levels.get(i - 1).bytes()) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "the bytes of levels must ascend. Actual: %d after %d",
            levels.get(i).bytes(),
            levels.get(i - 1).bytes());
      }
    }
  }

  private static boolean isCost(double value) {
    return value >= 0 && value < Double.POSITIVE_INFINITY;
  }

  /** Fitted once to measurements on two cores of a server; docs/choosing.md describes how. */
  public static MachineModel defaults() {
    return DEFAULTS;
  }

  /** The costs of bytes of a run that touches that much memory. */
  public Level at(long touchedBytes) {
    Level below = levels.getFirst();
    if (touchedBytes <= below.bytes()) {
      return below;
    }
    for (Level level : levels) {
      if (touchedBytes <= level.bytes()) {
        double part =
            Math.log((double) touchedBytes / below.bytes())
                / Math.log((double) level.bytes() / Math.max(1, below.bytes()));
        return new Level(
            touchedBytes,
            between(below.readByte(), level.readByte(), part),
            between(below.writtenByte(), level.writtenByte(), part));
      }
      below = level;
    }
    return below;
  }

  private static double between(double low, double high, double part) {
    return low + (high - low) * part;
  }
}
