package dev.tutti.cli.chart;

import dev.tutti.cli.options.OperationName;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times that something else has measured, from a CSV file. */
final class OtherMeasurements {

  private static final Pattern CELL =
      Pattern.compile("\\G(?:\"((?:[^\"]|\"\")*)\"|([^,\"]*))(,|$)");

  private final String name;
  private final Path file;
  private final List<String> headings;

  private OtherMeasurements(String name, Path file, List<String> headings) {
    this.name = name;
    this.file = file;
    this.headings = headings;
  }

  /**
   * Reads a file.
   *
   * @param name of the line that it becomes
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not what it should be
   */
  static List<ChartPoint> read(String name, Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
    } catch (NoSuchFileException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, e, "there is no file %s, which --beside names", file);
    } catch (MalformedInputException e) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, e, "%s is not UTF-8 text", file);
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, e, "cannot read %s: %s", file, e.getMessage());
    }
    if (lines.isEmpty()) {
      throw new TuttiException(ErrorCode.INVALID_ARGUMENT, "%s is empty", file);
    }
    OtherMeasurements table = new OtherMeasurements(name, file, cells(lines.getFirst()));
    List<ChartPoint> points = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      points.add(table.point(i + 1, cells(lines.get(i))));
    }
    return points;
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

  private ChartPoint point(int line, List<String> cells) {
    double micros =
        number(line, cells, headings.contains("median_us") ? "median_us" : "medianMicros");
    boolean isInPlace = headings.contains("inPlace") && text(line, cells, "inPlace").equals("true");
    return new ChartPoint(
        OperationName.of(text(line, cells, "operation")),
        (int) number(line, cells, "ranks"),
        isInPlace,
        name,
        (long) number(line, cells, "bytes"),
        micros,
        headings.contains("min_us") ? number(line, cells, "min_us") : micros,
        headings.contains("p95_us") ? number(line, cells, "p95_us") : micros,
        0);
  }

  private String text(int line, List<String> cells, String heading) {
    int column = headings.indexOf(heading);
    if (column < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s has no column %s; it needs operation, ranks, bytes, and median_us or medianMicros",
          file,
          heading);
    }
    if (column >= cells.size()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "line %d of %s has no %s", line, file, heading);
    }
    return cells.get(column).strip();
  }

  private double number(int line, List<String> cells, String heading) {
    String text = text(line, cells, heading);
    try {
      double number = Double.parseDouble(text);
      if (number >= 0 && !Double.isInfinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw notANumber(line, heading, text);
    }
    throw notANumber(line, heading, text);
  }

  private TuttiException notANumber(int line, String heading, String text) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT,
        "%s in line %d of %s must be a number of 0 or more. Actual: '%s'",
        heading,
        line,
        file,
        text);
  }
}
