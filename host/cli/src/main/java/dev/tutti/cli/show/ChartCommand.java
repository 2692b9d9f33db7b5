package dev.tutti.cli.show;

import dev.tutti.cli.chart.ChartKind;
import dev.tutti.cli.chart.ChartPoint;
import dev.tutti.cli.chart.ChartSource;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws stored measurements. */
@Command(
    name = "chart",
    description = {
      "Draws stored measurements as a picture (SVG) for documents.",
      "",
      "Each CSV file begins with a line of headings: operation, ranks, bytes, one of medianMicros,"
          + " fastestMicros and median_us, and any others. The --csv files of bench, tune and"
          + " compare have them. A file with a name is one line of the chart. In other files, each"
          + " algorithm is a line."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti bench allreduce --ranks 2,4 --place out --csv mine.csv",
      "  tutti chart mine.csv --output mine.svg",
      "  tutti chart Tutti=mine.csv 'Open MPI=openmpi.csv' --show time > both.svg",
      "  tutti tune allreduce --ranks 2,4 --csv tuned.csv",
      "  tutti chart tuned.csv --show fastest --output fastest.svg"
    })
public final class ChartCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "<[name=]csv>",
      description = "CSV files with measurements.")
  private List<ChartSource> sources = new ArrayList<>();

  @Option(
      names = "--show",
      paramLabel = "<what>",
      description =
          "busbw (default: bus bandwidth over size), time (median time over size) or fastest (a"
              + " table of the fastest algorithm at each size and number of ranks).")
  private ChartKind kind = ChartKind.BUSBW;

  @Option(
      names = "--title",
      paramLabel = "<text>",
      description = "The title of the picture. Default: what it shows.")
  private @Nullable String title;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Writes to a file instead of standard output.")
  private @Nullable Path output;

  public ChartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (output != null) {
      OutputFile.requireReplaceable(output, "chart");
    }
    List<ChartPoint> points = new ArrayList<>();
    sources.forEach(source -> points.addAll(source.points()));
    String picture = kind.draw(title == null ? kind.title() : title, points);
    if (output == null) {
      terminal.out().print(picture);
    } else {
      OutputFile.replace("--output", output, file -> file.print(picture));
    }
    return ExitCode.OK;
  }
}
