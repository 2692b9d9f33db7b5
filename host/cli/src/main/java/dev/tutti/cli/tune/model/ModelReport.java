package dev.tutti.cli.tune.model;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.pool.rules.Calibration;
import java.util.List;

/** Shows the measurements, and the times that the models predict. */
public final class ModelReport {

  private static final double MICRO = 1e3;

  /** The largest ratio of the quartiles on a quiet machine. */
  private static final double MAX_SPREAD = 1.25;

  private final Terminal terminal;
  private final boolean isJson;
  private final CsvFile csv;

  public ModelReport(Terminal terminal, boolean isJson, CsvFile csv) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.csv = csv;
  }

  /** Prints each sample with its time under the usual model and under the fitted one. */
  public void print(List<ProbeSample> samples, MachineModel usual, Calibration fitted) {
    List<JsonLine> lines = samples.stream().map(each -> json(each, usual, fitted.model())).toList();
    lines.forEach(csv::add);
    if (isJson) {
      lines.forEach(terminal.out()::println);
      return;
    }
    Table table = new Table("plan", ">µs", ">built in", ">fitted");
    for (ProbeSample each : samples) {
      table.row(
          each.name(),
          Text.number(each.nanos() / MICRO),
          Text.number(each.estimate(usual) / MICRO),
          Text.number(each.estimate(fitted.model()) / MICRO));
    }
    table.print(terminal);
    terminal
        .out()
        .println(
            Sentence.of(
                "mean error: built-in model %.0f %%, fitted model %.0f %% (%.0f %% for plans that"
                    + " it was not fitted to)",
                100 * ModelFit.error(samples, usual),
                100 * ModelFit.error(samples, fitted.model()),
                100 * fitted.error()));
  }

  /** Warns if the machine was too busy to be measured. */
  public void warn(List<ProbeSample> samples) {
    double usual = Distribution.of(samples.stream().mapToDouble(ProbeSample::spread)).median();
    if (usual > MAX_SPREAD) {
      terminal
          .err()
          .println(
              Sentence.of(
                  "tutti: the machine was busy: half of the plans took %.2f times as long in some"
                      + " rounds as in others; measure again when nothing else runs",
                  usual));
    }
  }

  private static JsonLine json(ProbeSample sample, MachineModel usual, MachineModel fitted) {
    return new JsonLine()
        .put("plan", sample.name())
        .put("micros", sample.nanos() / MICRO)
        .put("spread", sample.spread())
        .put("builtInMicros", sample.estimate(usual) / MICRO)
        .put("fittedMicros", sample.estimate(fitted) / MICRO);
  }
}
