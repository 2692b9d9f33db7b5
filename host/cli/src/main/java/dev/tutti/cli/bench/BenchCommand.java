package dev.tutti.cli.bench;

import dev.tutti.cli.chart.ChartOptions;
import dev.tutti.cli.chart.ChartPage;
import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.job.RankServer;
import dev.tutti.cli.launch.JobLauncher;
import dev.tutti.cli.launch.ProcessOptions;
import dev.tutti.cli.options.CallSelection;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.options.CsvOptions;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.KeptResults;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures an operation over sizes and numbers of ranks. */
@Command(
    name = "bench",
    description = {
      "Measures an operation over sizes and numbers of ranks.",
      "",
      "A time is the time of one operation, from its start until every rank has its result. b2b is"
          + " the time of one operation among many back to back, without the 25 ns for reading the"
          + " clock. With a thread per rank, all ranks wait for each other before each operation"
          + " or batch. This wait is not timed, and the slowest rank counts. Bandwidths are"
          + " defined as in nccl-tests and come from the median. Results are verified at every"
          + " size, before and after timing. hop is the time that a cache line takes between two"
          + " processors, before and after the runs of the row: compare only rows with the same"
          + " hop. ~ marks a median that may be wrong by more than a tenth, because there are too"
          + " few runs or they differ too much. Ctrl-C ends the command; the files then have the"
          + " rows measured so far."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti bench",
      "  tutti bench allreduce --ranks 2,4 --sizes 8,4K,2M,64M --touch",
      "  tutti bench broadcast --callers threads --ranks 2 --sizes 8,1M",
      "  tutti bench allreduce --algorithm ring --ranks 64 --max 1M --json > ring.jsonl",
      "  tutti bench allgather --ranks 4 --csv allgather.csv",
      "  tutti bench allreduce --ranks 2,4 --html allreduce.html --beside 'Open MPI=openmpi.csv'"
    })
public final class BenchCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Hosts hosts;

  @Parameters(
      paramLabel = "<operation>",
      completionCandidates = Labels.OfOperations.class,
      arity = "0..1",
      description =
          "allreduce (default), broadcast, send, …; one algorithm of it: allreduce/ring; or an"
              + " algorithm: ring.")
  private RequestTarget target = RequestTarget.ALL_REDUCE;

  @Mixin private final BenchOptions options = new BenchOptions();
  @Mixin private final CallSelection selection = new CallSelection();
  @Mixin private final MeasurementOptions measurementOptions = new MeasurementOptions();

  @Mixin private final CsvOptions csvOptions = new CsvOptions();
  @Mixin private final ChartOptions chartOptions = new ChartOptions();

  @Option(
      names = "--touch",
      description = "Rewrites inputs and reads outputs between operations. This is not timed.")
  private boolean isTouched;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  @Mixin private final ProcessOptions processOptions = new ProcessOptions();

  @Option(names = ProcessOptions.NO_HEADING, hidden = true)
  private boolean hasNoHeading;

  @Spec private CommandSpec command = CommandSpec.create();

  public BenchCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    RequestName known = target.known();
    if (known != null) {
      Series _ = series(known, 0);
    }
    CsvFile csv = csvOptions.file();
    ChartPage page = chartOptions.page("Tutti: bench " + target.text());
    if (processOptions.areWanted()) {
      return launch();
    }
    Rte rte = processOptions.rte(hosts);
    BenchReport report = new BenchReport(terminal, measurementOptions.isJson(), csv, page);
    List<Path> files = Stream.concat(csv.path(), page.path()).toList();
    try (KeptResults kept = new KeptResults(terminal, "measured", files, report::end);
        RankServer server = RankServer.open(rte, terminal);
        HostUse host =
            server.serving(hostOptions.open(hosts, rte, target.operations(), terminal))) {
      Context context = host.context();
      RequestName name = host.name(target, terminal);
      Series series = series(name, context.rte().ranks());
      boolean isFirst = context.rte().isLocal(0);
      try (ProgressLine progress = new ProgressLine(terminal, isFirst)) {
        Callers callers = RowMeasurement.callers(context, options.callers());
        if (isFirst && !hasNoHeading) {
          report.start(name, selection, callers, measurementOptions.memory(), isTouched);
        }
        RowMeasurement rows =
            new RowMeasurement(
                context,
                callers,
                measurementOptions,
                options.pace(isTouched),
                new RowMeasurement.Verification(1, false),
                series.size(),
                progress);
        for (Map.Entry<Topology, List<Long>> entry : series.counts().entrySet()) {
          try (Group group = host.createGroup(entry.getKey(), options.isShaped())) {
            for (long count : entry.getValue()) {
              for (boolean isInPlace : series.places()) {
                rows.row(group, selection.spec(name, group.topology(), count, isInPlace))
                    .ifPresent(measurement -> kept.add(() -> report.row(measurement)));
              }
            }
          }
        }
      }
      kept.complete();
    }
    return ExitCode.OK;
  }

  /** The measurements to make: the counts of each group, in place or not. */
  private record Series(Map<Topology, List<Long>> counts, List<Boolean> places) {

    /** The number of rows. */
    int size() {
      return places.size() * counts.values().stream().mapToInt(List::size).sum();
    }
  }

  /**
   * Checks the options of an operation and gives its rows. {@code ofJob} is the number of ranks of
   * this process's job; 0 if there is none.
   */
  private Series series(RequestName name, int ofJob) {
    selection.check(name.operation());
    return new Series(
        options.series(name.operation(), selection.type(), ofJob),
        options.places(name.operation()));
  }

  /** Launches a job for each number of ranks, one after another. */
  private int launch() {
    processOptions.check(hostOptions, options.callers());
    boolean hasFile = csvOptions.isWanted() || chartOptions.isWanted();
    if (hasFile && options.groups().size() > 1) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "with --processes, %s takes one number of ranks, as each number is a job that writes"
              + " a file; give --ranks=%d",
          csvOptions.isWanted() ? "--csv" : "--html",
          options.groups().getFirst().rankSize());
    }
    boolean isFirst = true;
    for (Topology group : options.groups()) {
      List<String> arguments =
          new ArrayList<>(ProcessOptions.arguments(command, group.rankSize(), options.isShaped()));
      if (!isFirst) {
        arguments.add(ProcessOptions.NO_HEADING);
      }
      isFirst = false;
      int exitCode = new JobLauncher(terminal).run(group.rankSize(), arguments);
      if (exitCode != ExitCode.OK) {
        return exitCode;
      }
    }
    return ExitCode.OK;
  }
}
