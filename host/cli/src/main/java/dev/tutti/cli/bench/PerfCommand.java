package dev.tutti.cli.bench;

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
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.OptionRefusals;
import dev.tutti.cli.options.RequestName;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.terminal.CsvFile;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.KeptResults;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Rte;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures as {@code bench} does, with the options and the table of nccl-tests. */
@Command(
    name = "perf",
    description = {
      "Measures an operation with the options of nccl-tests, and prints its table.",
      "",
      "It measures as 'tutti bench' does, but without back-to-back runs. A time is the average of"
          + " the runs of a row. A run lasts from its start until every rank has its result."
          + " #wrong counts the elements of all ranks that differ from independently computed"
          + " ones. If there is any, the exit code is 1. N/A means that results were not compared,"
          + " or that the operation cannot run in place."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti perf all_reduce -b 8 -e 64M -f 2 -g 4",
      "  tutti perf reduce_scatter -b 1M -e 8M -i 1M -t 4 -d half -o avg",
      "  tutti perf all_reduce/ring -b 1K -e 1M -f 4 -n 100 -w 20 -c 3",
      "  tutti perf alltoall -b 1K -e 1M -f 2 --csv alltoall.csv"
    })
public final class PerfCommand implements Callable<Integer>, OptionRefusals {

  private static final List<String> RANK_OPTIONS = List.of("-g", "--ngpus", "-t", "--nthreads");

  private final Terminal terminal;
  private final Hosts hosts;

  @Parameters(
      paramLabel = "<operation>",
      completionCandidates = Labels.OfPerfOperations.class,
      converter = NameConverter.class,
      description =
          "all_reduce, all_gather, reduce_scatter, broadcast, reduce, alltoall, gather, scatter,"
              + " sendrecv (each rank sends to the next one), or any other operation; one algorithm"
              + " of it: all_reduce/ring; or an algorithm: ring.")
  private RequestTarget target = RequestTarget.ALL_REDUCE;

  @Mixin private final PerfOptions options = new PerfOptions();
  @Mixin private final CsvOptions csvOptions = new CsvOptions();
  @Mixin private final HostOptions hostOptions = new HostOptions();
  @Mixin private final ProcessOptions processOptions = new ProcessOptions();

  @Spec private CommandSpec command = CommandSpec.create();

  public PerfCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  /** Converts the names of nccl-tests, in which a transfer is a ring. */
  static final class NameConverter implements ITypeConverter<RequestTarget> {
    @Override
    public RequestTarget convert(String text) {
      String plain = text.replace("_", "").toLowerCase(Locale.ROOT);
      return RequestTarget.of(plain.matches("sendrecv(/.*)?") ? "batch" + plain : text);
    }
  }

  @Override
  public Optional<TuttiException> refusal(String option) {
    return RefusedPerfOption.refusal(option);
  }

  @Override
  public Integer call() {
    options.check();
    Rte rte = processOptions.rte(hosts);
    ProcessOptions.checkEarly(rte, this::check);
    CsvFile csv = csvOptions.file();
    if (processOptions.areWanted()) {
      return launch(options.topology(rte.ranks()).rankSize());
    }
    long wrong;
    try (KeptResults kept = new KeptResults(terminal, "measured", csv.path().toList(), csv::write);
        RankServer server = RankServer.open(rte, terminal);
        HostUse host =
            server.serving(hostOptions.open(hosts, rte, target.operations(), terminal))) {
      Topology topology = options.topology(host.context().rte().ranks());
      wrong = measure(host, topology, new PerfReport(terminal, csv), kept);
      kept.complete();
    }
    return wrong == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /**
   * Refuses conflicting options. {@code ofJob} is the number of ranks of this process's job; 0 if
   * there is none.
   */
  private void check(int ofJob) {
    int ranks = options.topology(ofJob).rankSize();
    RequestName known = target.known();
    if (known != null) {
      List<CallSelection> _ = options.selections(known.operation(), ranks);
    }
  }

  private int launch(int ranks) {
    processOptions.check(hostOptions, Callers.ONE);
    List<String> arguments = new ArrayList<>(ProcessOptions.arguments(command, RANK_OPTIONS));
    arguments.add("--ngpus=" + ranks);
    return new JobLauncher(terminal).run(ranks, arguments);
  }

  private long measure(HostUse host, Topology topology, PerfReport report, KeptResults kept) {
    Context context = host.context();
    RequestName name = host.name(target, terminal);
    boolean isFirst = context.rte().isLocal(0);
    Callers callers = RowMeasurement.callers(context, options.callers());
    List<Row> wanted = rows(name.operation(), topology.rankSize());
    int forms = name.operation().canBeInPlace() ? 2 : 1;
    try (ProgressLine progress = new ProgressLine(terminal, isFirst);
        Group group = host.createGroup(topology, options.isShaped())) {
      if (isFirst) {
        report.start(
            options.head(topology.rankSize()),
            Text.count(topology.rankSize(), "rank") + ", callers " + callers.label());
      }
      RowMeasurement rows =
          new RowMeasurement(
              context,
              callers,
              new MeasurementOptions(options.checks() > 0),
              options.pace(),
              new RowMeasurement.Verification(options.checks(), true),
              forms * wanted.size(),
              progress);
      for (Row row : wanted) {
        Optional<Measurement> outOfPlace = rows.row(group, row.spec(name, topology, false));
        @Nullable Measurement inPlace =
            forms == 2 ? rows.row(group, row.spec(name, topology, true)).orElse(null) : null;
        outOfPlace.ifPresent(measurement -> kept.add(() -> report.row(measurement, inPlace)));
      }
      if (isFirst) {
        report.end(rows.wrong(), options.checks() > 0);
      }
      return rows.wrong();
    }
  }

  /** A row of the table, which has both forms of an operation: out of place and in place. */
  private record Row(CallSelection selection, long count) {

    OperationSpec spec(RequestName name, Topology topology, boolean isInPlace) {
      return selection.spec(name, topology, count, isInPlace);
    }
  }

  private List<Row> rows(OperationName operation, int ranks) {
    List<Row> rows = new ArrayList<>();
    for (CallSelection selection : options.selections(operation, ranks)) {
      for (long count : options.counts(operation, selection.type(), ranks)) {
        rows.add(new Row(selection, count));
      }
    }
    return rows;
  }
}
