package dev.tutti.cli.bench;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.request.RanWith;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ReduceOp;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The table of a single run. */
final class RunReport {

  private final Terminal terminal;

  private RunReport(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Prints it.
   *
   * @param trace where a trace was written, or null
   */
  static void print(
      Measurement measurement,
      MeasurementOptions options,
      @Nullable Path trace,
      Terminal terminal) {
    RunReport report = new RunReport(terminal);
    report.printWhat(measurement, options);
    report.printTimes(measurement);
    report.printVerdict(measurement, options);
    if (trace != null) {
      report.line("trace", "one run of median time, in " + trace);
    }
  }

  private void printWhat(Measurement measurement, MeasurementOptions options) {
    RanWith request = measurement.of().ran();
    Algorithm algorithm = request.algorithm();
    ReduceOp op = request.call().reduceOp();
    line("operation", measurement.of().name().label() + (op == null ? "" : " " + op.label()));
    line("algorithm", algorithm.name());
    line("plugin", algorithm.plugin() + " " + algorithm.version());
    line("ranks", Integer.toString(measurement.of().ranks()));
    if (measurement.of().name().hasData()) {
      line(
          "data",
          Sentence.of(
              "%s a rank, count %d × %s",
              Sizes.bytes(measurement.of().bytes()),
              measurement.count(),
              request.call().dataType().label()));
      line(
          "memory",
          options.memory().label()
              + (request.isInPlace() ? ", in place" : ", out of place")
              + (request.isStaged() ? ", copied to where peers reach it" : ""));
    }
    line("mode", request.options().modeLabel());
    line("protocol", request.options().protocols().label());
  }

  private void printTimes(Measurement measurement) {
    Distribution micros = measurement.micros();
    line(
        "time",
        Sentence.of(
            "min %s µs, median %s µs, p95 %s µs (%s)",
            Text.number(micros.least()),
            Text.number(micros.median()),
            Text.number(micros.quantile(Measurement.P95)),
            Text.count(micros.count(), "run")));
    if (measurement.of().name().hasData()) {
      line(
          "bandwidth",
          Sentence.of(
              "algbw %s GB/s, busbw %s GB/s",
              Text.number(measurement.algorithmBandwidth()),
              Text.number(measurement.busBandwidth())));
    }
  }

  private void printVerdict(Measurement measurement, MeasurementOptions options) {
    line(
        "verified",
        measurement.of().isVerified()
            ? terminal.green("✓")
                + " every element of every rank against the reference of the testkit, before and"
                + " after timing (seeds "
                + options.seed()
                + " and "
                + (options.seed() + 1)
                + ")"
            : "no");
  }

  private void line(String key, String value) {
    terminal.out().println(terminal.bold(Sentence.of("%-9s", key)) + "  " + value);
  }
}
