package dev.tutti.cli;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Protocol;
import java.util.List;

/** Prints a benchmark row by row, as soon as a row is known. */
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

  private final Terminal terminal;
  private final boolean isJson;
  private final boolean[] isRightAligned = new boolean[WIDTHS.length];

  BenchReport(Terminal terminal, boolean isJson) {
    this.terminal = terminal;
    this.isJson = isJson;
    for (int i = 0; i < WIDTHS.length; i++) {
      isRightAligned[i] = i != ALGORITHM && i != WIDTHS.length - 1;
    }
  }

  /** Prints the machine, what is measured, and the headings. */
  void start(OperationName name, CallSelection selection, MemoryKind memory, boolean isTouched) {
    if (isJson) {
      return;
    }
    double hop = HopProbe.nanos();
    comment(
        Version.line()
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
    Protocol protocol = selection.options().protocol();
    comment(
        Sentence.of(
            "%s; mode %s, protocol %s, %s memory, buffers %s between operations; GB = 10⁹ bytes",
            what,
            selection.options().modeLabel(),
            protocol.label(),
            memory.label(),
            isTouched ? "rewritten and read" : "untouched"));
    terminal.out().println(terminal.bold(Table.line(HEADINGS, WIDTHS, isRightAligned)));
  }

  private void comment(String text) {
    terminal.out().println("# " + text);
  }

  void row(Measurement measurement, Progress progress) {
    progress.clear();
    terminal.out().println(isJson ? measurement.toJson() : line(measurement));
    terminal.out().flush();
  }

  private String line(Measurement measurement) {
    Times times = measurement.times();
    List<String> cells =
        List.of(
            Integer.toString(measurement.ranks()),
            Sizes.bytes(measurement.bytes()),
            Long.toString(measurement.count()),
            measurement.request().algorithm().name(),
            measurement.request().isInPlace() ? "yes" : "no",
            Integer.toString(times.count()),
            Text.number(times.minMicros()),
            Text.number(times.medianMicros()),
            Text.number(times.p95Micros()),
            Text.number(measurement.b2bMicros()),
            Text.number(measurement.algorithmBandwidth()),
            Text.number(measurement.busBandwidth()),
            measurement.hop().toString(),
            measurement.isVerified() ? "✓" : "no");
    return Table.line(cells, WIDTHS, isRightAligned);
  }
}
