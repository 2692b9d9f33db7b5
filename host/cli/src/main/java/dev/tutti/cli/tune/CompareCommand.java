package dev.tutti.cli.tune;

import dev.tutti.cli.chart.ChartOptions;
import dev.tutti.cli.chart.ChartPage;
import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.measure.HopProbe;
import dev.tutti.cli.options.CsvOptions;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.KeptResults;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how much slower the chosen algorithms are than the fastest. */
@Command(
    name = "compare",
    description = {
      "Measures how much longer the chosen algorithm takes than the fastest one.",
      "",
      "All algorithms of a request take turns, in batches of five rounds on fresh memory. Then the"
          + " chosen one, the fastest one, and the chosen one a second time are compared in"
          + " batches of their own. A ratio is the median over batches of the median over the"
          + " rounds of each batch. Its range holds the true ratio in nine of ten cases. noise is"
          + " the range of the ratio between the two measurements of the chosen one. While the"
          + " range includes the limit, further batches follow. hop is the time that a cache line"
          + " takes between two processors. If it changes, each state has its own row. Ctrl-C ends"
          + " the command; the table and the files then have the requests measured so far."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti compare",
      "  tutti compare allreduce reduce --sizes 256K,2M --rules tutti-rules.json",
      "  tutti compare --place out --limit 1.5 --budget 10m --json > compare.jsonl",
      "  tutti compare allreduce --ranks 4 --csv compare.csv",
      "  tutti compare allreduce --ranks 2,4 --html compare.html"
    })
public final class CompareCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final SweepOptions options = new SweepOptions();

  @Option(
      names = "--limit",
      paramLabel = "<ratio>",
      description = "The largest ratio that is good enough, 1 or more. Default: ${DEFAULT-VALUE}.")
  private double limit = 1.1;

  @Option(names = "--json", description = "Prints one JSON object per request and line.")
  private boolean isJson;

  @Mixin private final CsvOptions csvOptions = new CsvOptions();
  @Mixin private final ChartOptions chartOptions = new ChartOptions();
  @Mixin private final HostOptions hostOptions = new HostOptions();

  public CompareCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    if (!(limit >= 1) || Double.isInfinite(limit)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--limit must be 1 or more. Actual: %s", limit);
    }
    CsvFile csv = csvOptions.file();
    ChartPage page = chartOptions.page("Tutti: what is chosen, and what is the fastest");
    CompareReport report = new CompareReport(terminal, isJson, csv, page, limit);
    try (HostUse host = hostOptions.open(hosts, terminal)) {
      List<SweepPoint> cells = options.cells(Sweep.operations(host.context()));
      List<Integer> tuned = host.context().rules().profile().hops();
      HopStates states = new HopStates(tuned, HopProbe::quickNanos);
      List<Path> files = Stream.concat(csv.path(), page.path()).toList();
      try (KeptResults kept =
          new KeptResults(terminal, "measured", files, () -> report.end(tuned))) {
        new Sweep(terminal, host, options.budget(Sweep.USUAL))
            .run(
                cells,
                (cell, choice, share) ->
                    new ChoiceComparisons(host, cell, choice, states, limit).run(share),
                result -> kept.add(() -> report.row(result)));
        kept.complete();
      }
    }
    return ExitCode.OK;
  }
}
