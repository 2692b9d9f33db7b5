package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;

/**
 * A machine model that was measured, and where. Immutable.
 *
 * @param model what the machine costs
 * @param provenance the machine and the host; no plugins
 * @param error by which part of itself a time that the fit has not seen is wrong in the mean, 0 or
 *     more
 * @param origin the file that it was read from, for messages; empty if it was measured just now
 */
public record Calibration(MachineModel model, Provenance provenance, double error, String origin) {

  /** Checks the range. */
  public Calibration {
    Arguments.require(model, "model");
    Arguments.require(provenance, "provenance");
    Arguments.require(origin, "origin");
    if (!(error >= 0 && error < Double.POSITIVE_INFINITY)) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "the error of a machine model must be finite and 0 or more. Actual: %s",
          error);
    }
  }

  /**
   * Reads a file that {@link #write} has written.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} if it cannot be read or is broken;
   *     {@link ErrorCode#UNKNOWN_NAME} if a field is not known
   */
  public static Calibration read(Path file) {
    Arguments.require(file, "file");
    return CalibrationFile.read(file);
  }

  /**
   * Writes a file, whole or not at all.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}; then the file is as before
   */
  public void write(Path file) {
    Arguments.require(file, "file");
    CalibrationFile.write(this, file);
  }

  /** For example {@code "tutti-machine.json, of 2026-11-22T18:00:00Z, 9 % off in the mean"}. */
  @Override
  public String toString() {
    return Sentence.of(
        "%s, of %s, %.0f %% off on average",
        origin.isEmpty() ? "measured" : origin, provenance.created(), 100 * error);
  }
}
