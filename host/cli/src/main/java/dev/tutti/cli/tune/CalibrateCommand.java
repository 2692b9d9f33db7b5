package dev.tutti.cli.tune;

import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.tune.model.ModelFit;
import dev.tutti.cli.tune.model.ModelReport;
import dev.tutti.cli.tune.model.ProbeMeasurement;
import dev.tutti.cli.tune.model.ProbeSample;
import dev.tutti.engine.Engine;
import dev.tutti.engine.EngineConfig;
import dev.tutti.engine.kernel.Kernels;
import dev.tutti.engine.machine.MachineModel;
import dev.tutti.host.pool.rules.Calibration;
import dev.tutti.host.pool.rules.Provenance;
import dev.tutti.sdk.ReduceOp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what this machine costs, and writes down the model by which algorithms are chosen. */
@Command(
    name = "calibrate",
    description = {
      "Measures what this machine costs, and writes a file for --machine.",
      "",
      "Small plans that copy, add up, hand over and share work take turns, from a few bytes to main"
          + " memory; the machine model is fitted to their times. Algorithms that were not measured"
          + " one by one ('tutti tune') are chosen by their plans under that model. The file counts"
          + " on this kind of machine only."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti calibrate",
      "  tutti calibrate --budget 2m --output my-machine.json",
      "  tutti explain allreduce --bytes 2M --machine tutti-machine.json"
    })
public final class CalibrateCommand implements Callable<Integer> {

  private static final Duration KERNEL_WARM_UP = Duration.ofSeconds(10);

  private final Terminal terminal;
  private final Path directory;

  @Option(
      names = "--budget",
      paramLabel = "<time>",
      description = "The time for all measurements together: 90s, 10m. Default: 1m.")
  private Duration budget = Duration.ofMinutes(1);

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      description = "Threads of the engine, the calling one included. Default: one per processor.")
  private @Nullable Integer workers;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Where to write. Default: tutti-machine.json.")
  private @Nullable Path output;

  @Option(names = "--dry-run", description = "Writes nothing, and only shows what was measured.")
  private boolean isDryRun;

  @Option(names = "--json", description = "Prints one JSON object per measured plan and line.")
  private boolean isJson;

  public CalibrateCommand(Terminal terminal, Path directory) {
    this.terminal = terminal;
    this.directory = directory;
  }

  @Override
  public Integer call() {
    Path file = OutputFile.place(output, directory.resolve("tutti-machine.json"), isDryRun);
    if (!isDryRun) {
      OutputFile.requireWritableDirectory(file, "machine file");
    }
    EngineConfig config = EngineConfig.defaults();
    config = workers == null ? config : config.withWorkers(workers);
    List<ProbeSample> samples = measure(config);
    MachineModel usual = MachineModel.defaults();
    Provenance here = Provenance.here(config.workers(), Map.of());
    Calibration made =
        new Calibration(
            ModelFit.fit(samples, usual), here, ModelFit.errorOfOthers(samples, usual), "");
    ModelReport report = new ModelReport(terminal, isJson);
    report.print(samples, usual, made);
    report.warn(samples);
    if (!isDryRun) {
      made.write(file);
      if (!isJson) {
        terminal.out().println("wrote " + file + "; use it with --machine " + file);
      }
    }
    return ExitCode.OK;
  }

  private List<ProbeSample> measure(EngineConfig config) {
    try (ProgressLine progress = new ProgressLine(terminal, !isJson);
        Engine engine = new Engine(config)) {
      progress.show("warming up");
      Kernels.warm(SweepOptions.TYPE, ReduceOp.SUM, KERNEL_WARM_UP);
      return new ProbeMeasurement(engine)
          .measure(budget, percent -> progress.show(percent, 100, "measuring"));
    }
  }
}
