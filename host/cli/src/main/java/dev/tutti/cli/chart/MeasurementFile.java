package dev.tutti.cli.chart;

import dev.tutti.cli.options.OperationName;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.text.ReadProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Times from a CSV file, written by {@code --csv} or by another program. */
final class MeasurementFile {

  private static final Pattern CELL =
      Pattern.compile("\\G(?:\"((?:[^\"]|\"\")*)\"|([^,\"]*))(,|$)");

  private final Path file;
  private final List<String> headings;
  private final String time;
  private final String algorithm;
  private final Optional<String> least;
  private final Optional<String> most;

  private MeasurementFile(Path file, List<String> headings) {
    this.file = file;
    this.headings = headings;
    time = firstOf("median_us", "medianMicros", "fastestMicros").orElse("medianMicros");
    algorithm = firstOf("algorithm", "fastest").orElse("algorithm");
    least = firstOf("min_us", "minMicros");
    most = firstOf("p95_us", "p95Micros");
  }

  private Optional<String> firstOf(String... names) {
    return Stream.of(names).filter(headings::contains).findFirst();
  }

  /**
   * Reads a file.
   *
   * @param name the name of its line; null if column {@code algorithm} or {@code fastest} names the
   *     lines
   * @return a point for each row, at least one
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if its contents are wrong
   */
  static List<ChartPoint> read(@Nullable String name, Path file) {
    List<String> lines = lines(file);
    if (lines.stream().allMatch(String::isBlank)) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "%s is empty", file);
    }
    MeasurementFile table = new MeasurementFile(file, cells(lines.getFirst()));
    List<ChartPoint> points = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        points.add(table.point(name, i + 1, cells(lines.get(i))));
      }
    }
    if (points.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "%s has no row below its headings", file);
    }
    return points;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          e,
          "the measurement file %s cannot be read: %s",
          file,
          ReadProblem.of(file, e));
    }
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    Matcher cell = CELL.matcher(line);
    while (cell.find()) {
      String quoted = cell.group(1);
      cells.add(quoted == null ? cell.group(2) : quoted.replace("\"\"", "\""));
      if (cell.group(3).isEmpty()) {
        break;
      }
    }
    return cells;
  }

  private ChartPoint point(@Nullable String name, int line, List<String> cells) {
    double micros = number(line, cells, time);
    boolean isInPlace = headings.contains("inPlace") && text(line, cells, "inPlace").equals("true");
    return new ChartPoint(
        OperationName.of(text(line, cells, "operation")),
        (int) whole(line, cells, "ranks", 1, Integer.MAX_VALUE),
        isInPlace,
        name == null ? text(line, cells, algorithm) : name,
        whole(line, cells, "bytes", 0, Long.MAX_VALUE),
        micros,
        least.map(heading -> number(line, cells, heading)).orElse(micros),
        most.map(heading -> number(line, cells, heading)).orElse(micros),
        0);
  }

  private String text(int line, List<String> cells, String heading) {
    int column = headings.indexOf(heading);
    if (column < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          heading.equals("algorithm")
              ? "%s has no column %s; name its line, as in 'Open MPI=openmpi.csv'"
              : "%s has no column %s; it needs operation, ranks, bytes, and median_us or"
                  + " medianMicros",
          file,
          heading);
    }
    if (column >= cells.size()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "line %d of %s has no %s", line, file, heading);
    }
    return cells.get(column).strip();
  }

  private long whole(int line, List<String> cells, String heading, long least, long most) {
    String text = text(line, cells, heading);
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw notANumber(line, heading, "a whole number of " + least + " or more", text);
    }
    throw notANumber(line, heading, "a whole number of " + least + " or more", text);
  }

  private double number(int line, List<String> cells, String heading) {
    String text = text(line, cells, heading);
    try {
      double number = Double.parseDouble(text);
      if (number >= 0 && !Double.isInfinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw notANumber(line, heading, "a number of 0 or more", text);
    }
    throw notANumber(line, heading, "a number of 0 or more", text);
  }

  private TuttiException notANumber(int line, String heading, String wanted, String text) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "%s in line %d of %s must be %s. Actual: '%s'",
        heading,
        line,
        file,
        wanted,
        text);
  }
}
