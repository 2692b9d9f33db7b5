package dev.tutti.cli.chart;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file of measurements, as named on the command line.
 *
 * @param line the name of the line for its rows; null if each algorithm has a line
 * @param file the file
 */
public record ChartSource(@Nullable String line, Path file) {

  /**
   * The value of an argument: {@code openmpi.csv} or {@code Open MPI=openmpi.csv}.
   *
   * @param directory the directory that a relative path starts from
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} for a name without letters
   */
  public static ChartSource of(String text, Path directory) {
    int equals = text.indexOf('=');
    if (equals == 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the name of a line is missing before '='; write NAME=FILE or FILE. Actual: '%s'",
          text);
    }
    return equals < 0
        ? new ChartSource(null, directory.resolve(text))
        : new ChartSource(text.substring(0, equals), directory.resolve(text.substring(equals + 1)));
  }

  /**
   * Reads the file.
   *
   * @return a point for each row, at least one
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if its contents are wrong
   */
  public List<ChartPoint> points() {
    return MeasurementFile.read(line, file);
  }
}
