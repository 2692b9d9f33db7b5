package dev.tutti.cli.bench;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.RanWith;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The table of a single run: what has run once, as soon as it has, and then how long it takes. */
final class RunReport {

  private final CheckedRequest measured;
  private final MeasurementOptions options;
  private final Terminal terminal;
  private @Nullable Algorithm printed;

  RunReport(CheckedRequest measured, MeasurementOptions options, Terminal terminal) {
    this.measured = measured;
    this.options = options;
    this.terminal = terminal;
  }

  /** Prints what has run once, and been verified if that is wanted. */
  void printFirst() {
    RanWith request = measured.ran();
    String op = request.opLabel();
    line("operation", measured.name().label() + (op == null ? "" : " " + op));
    printAlgorithm(request.algorithm());
    printShape(request);
    line(
        "verified",
        measured.isVerified()
            ? tick()
                + " every element of every rank against the reference of the testkit (seed "
                + options.seed()
                + ")"
            : "no");
    terminal.out().flush();
  }

  /**
   * Prints what was measured after that.
   *
   * @param trace where a trace was written, or null
   */
  void printTimes(Measurement measurement, @Nullable Path trace) {
    Algorithm last = measured.ran().algorithm();
    if (!last.equals(printed)) {
      printAlgorithm(last);
    }
    Distribution micros = measurement.micros();
    line(
        "time",
        Sentence.of(
            "min %s µs, median %s µs, p95 %s µs (%s)",
            Text.number(micros.least()),
            Text.number(micros.median()),
            Text.number(micros.quantile(Measurement.P95)),
            Text.count(micros.count(), "run")));
    if (measured.name().hasData()) {
      line(
          "bandwidth",
          Sentence.of(
              "algbw %s GB/s, busbw %s GB/s",
              Text.number(measurement.algorithmBandwidth()),
              Text.number(measurement.busBandwidth())));
    }
    if (measured.isVerified()) {
      line(
          "verified",
          tick() + " again after timing, on other data (seed " + (options.seed() + 1) + ")");
    }
    if (trace != null) {
      line("trace", "one run of median time, in " + trace);
    }
  }

  private String tick() {
    return terminal.green("✓");
  }

  private void printAlgorithm(Algorithm algorithm) {
    line("algorithm", algorithm.name());
    line("plugin", algorithm.plugin() + " " + algorithm.version());
    printed = algorithm;
  }

  private void printShape(RanWith request) {
    Topology topology = measured.group().topology();
    String ranks = Integer.toString(measured.ranks());
    line("ranks", topology.nodeCount() > 1 ? ranks + ", as " + topology : ranks);
    if (measured.name().hasData()) {
      line(
          "data",
          Sentence.of(
              "%s a rank, count %d × %s",
              Sizes.bytes(measured.bytes()), measured.count(), request.call().dataType().label()));
      line(
          "memory",
          options.memory().label()
              + (request.isInPlace() ? ", in place" : ", out of place")
              + (request.isStaged() ? ", copied to where peers reach it" : ""));
    }
    line("mode", request.options().modeLabel());
    line("protocol", request.options().protocols().label());
  }

  private void line(String key, String value) {
    terminal.out().println(terminal.bold(Sentence.of("%-9s", key)) + "  " + value);
  }
}
