package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;

/**
 * A measured machine model and its provenance. Immutable.
 *
 * @param model the machine model
 * @param provenance the machine and the host, without plugins
 * @param error the mean relative error of the model for times that were not part of the fit, 0 or
 *     more
 * @param origin the file that it was read from, for messages; empty if it was just measured
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
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} if the file cannot be read or is
   *     broken; {@link ErrorCode#UNKNOWN_NAME} if a field is not known
   */
  public static Calibration read(Path file) {
    Arguments.require(file, "file");
    return CalibrationFile.read(file);
  }

  /**
   * Writes the whole file, or nothing.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE}; the file is unchanged then
   */
  public void write(Path file) {
    Arguments.require(file, "file");
    CalibrationFile.write(this, file);
  }

  /** For example {@code "tutti-machine.json, of 2026-11-22T18:00:00Z, mean error 9 %"}. */
  @Override
  public String toString() {
    return Sentence.of(
        "%s, of %s, mean error %.0f %%",
        origin.isEmpty() ? "measured" : origin, provenance.created(), 100 * error);
  }
}
