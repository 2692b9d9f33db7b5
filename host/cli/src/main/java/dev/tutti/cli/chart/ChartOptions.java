package dev.tutti.cli.chart;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the page with charts. */
public final class ChartOptions {

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description =
          "At the end, also writes a page for browsers. It shows bus bandwidth over size, and the"
              + " fastest algorithm at each size and number of ranks. The page needs no network.")
  private @Nullable Path file;

  @Option(
      names = "--beside",
      paramLabel = "<name=csv>",
      description =
          "Adds another line to the page, such as that of Open MPI: a CSV file with the columns"
              + " operation, ranks, bytes, and median_us or medianMicros; may be given"
              + " several times.")
  private Map<String, Path> beside = new LinkedHashMap<>();

  /** Whether a page was requested. */
  public boolean isWanted() {
    return file != null;
  }

  /**
   * The page, which writes nothing if none was requested.
   *
   * @param title the measured subject
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE} if it cannot be written, and
   *     with {@link ErrorCode#INVALID_ARGUMENT} if a file of other measurements has wrong contents
   */
  public ChartPage page(String title) {
    if (file == null && !beside.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--beside adds a line to the page of --html; give both");
    }
    ChartPage page = new ChartPage(title, file);
    beside.forEach((name, csv) -> MeasurementFile.read(name, csv).forEach(page::addBeside));
    return page;
  }
}
