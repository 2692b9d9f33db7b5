package dev.tutti.cli.bench;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.chart.ChartPage;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.measure.HopProbe;
import dev.tutti.cli.options.CallSelection;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.MemoryKind;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.host.call.CallOptions;
import java.util.List;

/** Prints a benchmark, each row as soon as it is measured. */
final class BenchReport {

  private static final List<String> HEADINGS =
      List.of(
          "ranks",
          "size",
          "count",
          "algorithm",
          "in place",
          "runs",
          "min µs",
          "median µs",
          "p95 µs",
          "b2b µs",
          "algbw GB/s",
          "busbw GB/s",
          "hop ns",
          "verified");

  private static final int[] WIDTHS = {5, 8, 9, 10, 8, 6, 9, 9, 9, 9, 10, 10, 7, 8};
  private static final int ALGORITHM = 3;
  private static final String VAGUE = "~";

  private final Terminal terminal;
  private final boolean isJson;
  private final CsvFile csv;
  private final ChartPage page;
  private boolean hasVague;
  private final boolean[] isRightAligned = new boolean[WIDTHS.length];

  BenchReport(Terminal terminal, boolean isJson, CsvFile csv, ChartPage page) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.csv = csv;
    this.page = page;
    for (int i = 0; i < WIDTHS.length; i++) {
      isRightAligned[i] = i != ALGORITHM && i != WIDTHS.length - 1;
    }
  }

  /** Prints the machine, the measured request, and the headings. */
  void start(
      RequestName request,
      CallSelection selection,
      Callers callers,
      MemoryKind memory,
      boolean isTouched) {
    if (isJson) {
      return;
    }
    OperationName name = request.operation();
    CallOptions options = selection.options(request);
    double hop = HopProbe.nanos();
    comment(
        TuttiVersion.line()
            + ", "
            + Text.count(Runtime.getRuntime().availableProcessors(), "processor")
            + ", cache-line hop "
            + (Double.isNaN(hop) ? "unknown" : Text.number(hop) + " ns"));
    String what = name.label();
    if (name.hasData()) {
      what += " of " + selection.type().label();
    }
    if (name.isReduction()) {
      what += ", " + selection.op().label();
    }
    comment(
        Sentence.of(
            "%s; callers %s, mode %s, protocol %s, %s memory, buffers %s between operations; GB = 10⁹ bytes",
            what,
            callers.label(),
            options.modeLabel(),
            options.protocols().label(),
            memory.label(),
            isTouched ? "rewritten and read" : "untouched"));
    terminal.out().println(terminal.bold(Table.line(HEADINGS, WIDTHS, isRightAligned)));
  }

  private void comment(String text) {
    terminal.out().println("# " + text);
  }

  void row(Measurement measurement) {
    JsonLine json = measurement.json();
    csv.add(json);
    page.add(json);
    page.add(measurement.point());
    terminal.out().println(isJson ? json : line(measurement));
    terminal.out().flush();
  }

  /** Explains the marks, and writes the requested files. */
  void end() {
    if (hasVague && !isJson) {
      comment(VAGUE + ": runs are so few, or differ so much, that the median is not known to 10 %");
    }
    csv.write();
    page.write();
  }

  private String line(Measurement measurement) {
    Distribution micros = measurement.micros();
    hasVague |= micros.isVague();
    List<String> cells =
        List.of(
            Integer.toString(measurement.of().ranks()),
            Sizes.bytes(measurement.of().bytes()),
            Long.toString(measurement.of().count()),
            measurement.of().ran().algorithm().name(),
            measurement.of().ran().isInPlace() ? "yes" : "no",
            Integer.toString(micros.count()),
            Text.number(micros.least()),
            (micros.isVague() ? VAGUE : "") + Text.number(micros.median()),
            Text.number(micros.quantile(Measurement.P95)),
            Text.number(measurement.b2bMicros()),
            Text.number(measurement.algorithmBandwidth()),
            Text.number(measurement.busBandwidth()),
            measurement.hop().toString(),
            measurement.of().isVerified() ? "✓" : "no");
    return Table.line(cells, WIDTHS, isRightAligned);
  }
}
