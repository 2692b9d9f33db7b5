package dev.tutti.cli.tune;

import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.tune.model.ModelFit;
import dev.tutti.cli.tune.model.ModelReport;
import dev.tutti.cli.tune.model.ProbeMeasurement;
import dev.tutti.cli.tune.model.ProbeSample;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.pool.rules.Calibration;
import dev.tutti.host.pool.rules.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures the costs of this machine, and writes the model that chooses algorithms. */
final class ModelTuning {

  private final Terminal terminal;
  private final EngineConfig config;
  private final boolean isJson;
  private final CsvFile csv;

  /** Makes a tuning whose probes run on an engine with a configuration. */
  ModelTuning(Terminal terminal, EngineConfig config, boolean isJson, CsvFile csv) {
    this.terminal = terminal;
    this.config = config;
    this.isJson = isJson;
    this.csv = csv;
  }

  /**
   * Measures for a time, and fits.
   *
   * @param file the file for the model; null if it is only shown
   */
  void run(Duration budget, @Nullable Path file) {
    List<ProbeSample> samples = measure(budget);
    MachineModel usual = MachineModel.defaults();
    Calibration made =
        new Calibration(
            ModelFit.fit(samples, usual),
            Provenance.here(config.workers(), Map.of()),
            ModelFit.errorOfOthers(samples, usual),
            "");
    ModelReport report = new ModelReport(terminal, isJson, csv);
    report.print(samples, usual, made);
    report.warn(samples);
    if (file != null) {
      made.write(file);
      if (!isJson) {
        terminal.out().println("wrote " + file + "; use it with --machine " + file);
      }
    }
  }

  private List<ProbeSample> measure(Duration budget) {
    try (ProgressLine progress = new ProgressLine(terminal, true);
        Engine engine = new Engine(config)) {
      progress.show("warming up");
      Sweep.warmKernels();
      return new ProbeMeasurement(engine)
          .measure(budget, percent -> progress.show(percent, 100, "measuring"));
    }
  }
}
