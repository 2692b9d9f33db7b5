package dev.tutti.cli.simulate;

import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.plugin.Algorithm;
import dev.tutti.simulator.Simulation;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows simulations as tables or as JSON. */
final class SimulateReport {

  private static final double GIGA = 1e9;
  private static final double PS_PER_MICRO = 1e6;

  private final Terminal terminal;

  SimulateReport(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints one simulation in full. */
  void print(Simulation simulation) {
    terminal.out().println(simulation);
  }

  /**
   * Prints a line for each simulation, and below them the reasons why others are missing.
   *
   * @param isComparison whether the simulations of one size compete: best first
   */
  void print(List<SimulateRow> rows, boolean isComparison) {
    Table table =
        new Table(
            "",
            "operation",
            "algorithm",
            ">ranks",
            ">size",
            ">count",
            ">time µs",
            ">× bound",
            ">busbw GB/s",
            ">steps",
            ">messages");
    CollectiveCase last = null;
    for (SimulateRow row : rows) {
      boolean isBest = isComparison && row.isSimulated() && !row.simulated().equals(last);
      last = row.simulated();
      add(table, row, isBest ? "→" : "");
    }
    table.print(terminal);
    rows.stream()
        .filter(row -> !row.isSimulated())
        .map(row -> row.subject().algorithm() + " " + row.problem())
        .distinct()
        .forEach(terminal.out()::println);
  }

  /** The rows of one size, the fastest first, then those without a time, by name. */
  static List<SimulateRow> sorted(List<SimulateRow> rows) {
    return rows.stream()
        .sorted(
            Comparator.comparing((SimulateRow row) -> row.subject().operation())
                .thenComparing(row -> !row.isSimulated())
                .thenComparingLong(SimulateRow::timePs)
                .thenComparing(row -> row.subject().algorithm().qualifiedName()))
        .toList();
  }

  private static void add(Table table, SimulateRow row, String mark) {
    CollectiveCase c = row.simulated();
    table.row(
        mark,
        c.operation().label(),
        row.subject().algorithm().qualifiedName(),
        c.comm().rankSize(),
        Sizes.bytes(row.bytes()),
        c.count(),
        row.timeOrProblem(),
        number(row.boundRatio()),
        number(row.busBandwidth() / GIGA),
        row.isSimulated() ? row.steps() : "-",
        row.isSimulated() ? row.messages() : "-");
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Text.number(value) : "-";
  }

  /** Prints one JSON object on one line. */
  void printJson(SimulateRow row, @Nullable Simulation simulation) {
    Algorithm algorithm = row.subject().algorithm();
    Algorithm partner = row.subject().partner();
    CollectiveCase c = row.simulated();
    terminal
        .out()
        .println(
            new JsonLine()
                .put("operation", algorithm.operation().label())
                .put("algorithm", algorithm.name())
                .put("plugin", algorithm.plugin())
                .put("version", algorithm.version())
                .put("partner", partner == null ? null : partner.qualifiedName())
                .put("case", c.token())
                .put("topology", c.topology().toString())
                .put("ranks", c.comm().rankSize())
                .put("bytes", row.bytes())
                .put("count", c.count())
                .put("problem", row.isSimulated() ? null : row.problem())
                .putIfMeasured("timeMicros", row.micros())
                .putIfMeasured(
                    "lowerBoundMicros",
                    simulation == null ? Double.NaN : simulation.lowerBound() / PS_PER_MICRO)
                .putIfMeasured("busbwGBps", row.busBandwidth() / GIGA)
                .putJson("simulation", simulation == null ? null : simulation.toJson()));
    terminal.out().flush();
  }
}
