package dev.tutti.cli.bench;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.RanWith;
import dev.tutti.cli.terminal.OnInterrupt;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of one request: its settings as soon as it has run once, and then its times. */
final class RunReport {

  /** The multiple of the median from which the report mentions slow runs. */
  private static final double SLOW = 5;

  private final CheckedRequest measured;
  private final MeasurementOptions options;
  private final Terminal terminal;
  private final String network;
  private @Nullable Algorithm printed;

  /**
   * Starts a report.
   *
   * @param network the source of the network model between machines, in words
   */
  RunReport(
      CheckedRequest measured, MeasurementOptions options, Terminal terminal, String network) {
    this.measured = measured;
    this.options = options;
    this.terminal = terminal;
    this.network = network;
  }

  /** Prints the request after its first run and, if requested, its verification. */
  void printFirst() {
    if (options.isJson()) {
      return;
    }
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

  /** Prints the times of the later runs. */
  void printTimes(Callers callers, Distribution micros) {
    Measurement measurement = new Measurement(measured, callers, micros);
    if (options.isJson()) {
      terminal.out().println(measurement.json());
      return;
    }
    Algorithm last = measured.ran().algorithm();
    if (!last.equals(printed)) {
      printAlgorithm(last);
    }
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
    String doubt = doubt(micros);
    if (!doubt.isEmpty()) {
      line("note", doubt);
    }
  }

  /** A warning that the times are unreliable; empty if they are reliable. */
  private static String doubt(Distribution micros) {
    double error = micros.medianError();
    if (Double.isInfinite(error)) {
      return Sentence.of(
          "%s are too few for a reliable median; use %d or more with --iterations",
          Text.count(micros.count(), "run"), Distribution.FEWEST);
    }
    if (micros.isVague()) {
      return Sentence.of(
          "the runs differ so much that the median is known only to ±%.0f %%; the machine"
              + " may be busy",
          100 * error);
    }
    double slow = micros.quantile(Measurement.P95) / micros.median();
    return slow < SLOW
        ? ""
        : Sentence.of(
            "one run in twenty took %s times the median or longer; the machine may be busy",
            Text.number(slow));
  }

  /**
   * Prints the lines after the times.
   *
   * @param trace the file of a trace; null if there is none
   */
  void printEnd(@Nullable Path trace) {
    if (options.isJson()) {
      return;
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

  /** Prints the times so far if the process is interrupted while runs are timed. */
  OnInterrupt onInterrupt(Callers callers, Supplier<Optional<Distribution>> soFar) {
    return new OnInterrupt(
        () -> {
          soFar
              .get()
              .ifPresent(
                  micros -> {
                    printTimes(callers, micros);
                    terminal
                        .err()
                        .println("tutti: interrupted; the times are those of the runs before");
                  });
          terminal.out().flush();
        });
  }

  private String tick() {
    return terminal.green("✓");
  }

  private void printAlgorithm(Algorithm algorithm) {
    if (algorithm.version().isEmpty()) {
      line("algorithm", algorithm.qualifiedName());
    } else {
      line("algorithm", algorithm.name());
      line("plugin", algorithm.plugin() + " " + algorithm.version());
    }
    printed = algorithm;
  }

  private void printShape(RanWith request) {
    Topology topology = measured.group().topology();
    String ranks = Integer.toString(measured.ranks());
    int here = measured.group().localRanks().length;
    line(
        "ranks",
        ranks
            + (topology.nodeCount() > 1 ? ", as " + topology : "")
            + (here > 1 && here < measured.ranks() ? ", " + here + " in this process" : ""));
    if (topology.nodeCount() > 1 && here < measured.ranks()) {
      line("network", network);
    }
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
