package dev.tutti.cli.tune;

import dev.tutti.base.text.Sentence;
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
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.tune.network.NetworkTuning;
import dev.tutti.host.Context;
import dev.tutti.host.Rte;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.rules.Profile;
import dev.tutti.host.pool.rules.Provenance;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.plugin.Plugin;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures this machine, and writes the measurements that choose algorithms. */
@Command(
    name = "tune",
    description = {
      "Measures all algorithms on this machine and writes a file for --rules. With --model,"
          + " measures the costs of the machine and writes a file for --machine.",
      "",
      "All algorithms of a request take turns, in batches of five rounds on fresh memory. Slow"
          + " ones are dropped after the first batch. With the file, Tutti chooses by these times"
          + " and interpolates between sizes. If the times do not show which algorithm is faster,"
          + " it chooses the one with the fastest plan, and avoids changes from one size to the"
          + " next. hop is the time that a cache line takes between two processors. The file has"
          + " separate times for each hop, and the choice is good at all of them. The command"
          + " keeps the rules of an existing file, and its measurements of other requests and"
          + " hops. The ratio is the time of the algorithm that is chosen now, divided by that of"
          + " the fastest; 'tutti compare' measures it better. Ctrl-C ends the command; the files"
          + " then have the requests measured so far.",
      "",
      "With --model, the command measures small plans in turns. They copy, reduce, signal and"
          + " share work, and touch from a few bytes to more than the caches hold. The command"
          + " fits the machine model to their times. With this model, Tutti predicts the time of"
          + " algorithms that were not measured. Both files are valid on this kind of machine"
          + " only.",
      "",
      "In a job that mpirun or srun has started on several machines, --model measures the network"
          + " between them and writes a file for --network. It sends messages back and forth"
          + " between two ranks of a machine, then between two machines, then between all pairs of"
          + " ranks of two machines at the same time."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti tune",
      "  tutti tune allreduce broadcast --ranks 2,4,8 --budget 1m --output my-rules.json",
      "  tutti tune --rules tutti-rules.json --dry-run",
      "  tutti tune allreduce --ranks 2,4,8 --html tuned.html",
      "  tutti tune --model",
      "  tutti tune --model --budget 2m --output my-machine.json",
      "  mpirun -n 4 --host a:2,b:2 tutti tune --model --output my-network.json"
    })
public final class TuneCommand implements Callable<Integer> {

  private static final Duration MODEL_BUDGET = Duration.ofMinutes(1);

  private static final Set<String> MODEL_OPTIONS =
      Set.of(
          "--model",
          "--budget",
          "--workers",
          "--output",
          "--dry-run",
          "--json",
          "--csv",
          "--stacktrace");

  private final Terminal terminal;
  private final Hosts hosts;
  private final Path directory;

  @Option(
      names = "--model",
      description =
          "Measures the costs of the machine, or of the network of a job over MPI. Default"
              + " --budget: 1m; default --output: tutti-machine.json, or tutti-network.json.")
  private boolean isModel;

  @Mixin private final SweepOptions options = new SweepOptions();

  @Option(
      names = "--all",
      description =
          "Measures every algorithm. By default, algorithms whose plans predict more than four"
              + " times the time of the fastest are left out.")
  private boolean isAll;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "The file to write. Default: tutti-rules.json.")
  private @Nullable Path output;

  @Option(
      names = "--dry-run",
      description = "Writes no file for --rules or --machine, and only shows the measurements.")
  private boolean isDryRun;

  @Option(names = "--json", description = "Prints one JSON object per request and line.")
  private boolean isJson;

  @Mixin private final CsvOptions csvOptions = new CsvOptions();
  @Mixin private final ChartOptions chartOptions = new ChartOptions();
  @Mixin private final HostOptions hostOptions = new HostOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  public TuneCommand(Terminal terminal, Hosts hosts, Path directory) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.directory = directory;
  }

  @Override
  public Integer call() {
    Rte rte = hosts.session() == null ? Rte.fromEnvironment() : Rte.embedded();
    boolean isOverMessages = rte.ranks() > 0 && rte.jobDirectory().isEmpty();
    if (isOverMessages) {
      tuneNetwork(rte);
    } else if (isModel) {
      tuneMachine();
    } else {
      tuneAlgorithms();
    }
    return ExitCode.OK;
  }

  private void tuneMachine() {
    requireModelOptions(Set.of());
    Path file = modelFile("tutti-machine.json", "machine file");
    CsvFile csv = csvOptions.file();
    new ModelTuning(terminal, hostOptions.engine(), isJson, csv)
        .run(options.budget(MODEL_BUDGET), isDryRun ? null : file);
    csv.write();
  }

  private void tuneNetwork(Rte rte) {
    if (!isModel) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "in a job over MPI, tune measures the network and no algorithm; add --model, or start it"
              + " without a launcher");
    }
    // Plugins provide the transfers that measure the links.
    requireModelOptions(Set.of("--plugins"));
    Path file = modelFile("tutti-network.json", "network file");
    CsvFile csv = csvOptions.file();
    try (HostUse host = hostOptions.open(hosts, rte, EnumSet.allOf(Operation.class), terminal)) {
      new NetworkTuning(terminal, isJson, csv)
          .run(host, options.budget(MODEL_BUDGET), isDryRun ? null : file);
    }
  }

  private Path modelFile(String usual, String what) {
    Path file = OutputFile.place(output, directory.resolve(usual), isDryRun);
    if (!isDryRun) {
      OutputFile.requireWritableDirectory(file, what);
    }
    return file;
  }

  /**
   * Refuses options about algorithms, which have no effect because no algorithm is measured.
   *
   * @param more options besides those of every model
   */
  private void requireModelOptions(Set<String> more) {
    for (ArgSpec given : spec.commandLine().getParseResult().matchedArgs()) {
      String name = given instanceof OptionSpec option ? option.longestName() : given.paramLabel();
      if (!MODEL_OPTIONS.contains(name) && !more.contains(name)) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT, "--model measures no algorithm; leave out %s", name);
      }
    }
  }

  private void tuneAlgorithms() {
    Path file = OutputFile.place(output, directory.resolve("tutti-rules.json"), isDryRun);
    if (!isDryRun) {
      options.requireOneNode();
    }
    // Before minutes of measurements, check that the file can be read and written.
    Rules before = isDryRun ? Rules.none() : read(file);
    CsvFile csv = csvOptions.file();
    ChartPage page = chartOptions.page("Tutti: algorithms measured");
    try (HostUse host = hostOptions.open(hosts, terminal)) {
      Provenance here = provenance(host.context());
      Rules rules = kept(before, here, file);
      HopStates states = new HopStates(rules.profile().hops(), HopProbe::quickNanos);
      List<SweepPoint> cells = options.cells(Sweep.operations(host.context()));
      TuneReport report = new TuneReport(terminal, isJson, csv, page);
      Runnable end =
          () -> {
            report.end();
            if (!isDryRun) {
              write(rules, TuneProfile.of(report.results()), here, file);
            }
          };
      Stream<Path> written = isDryRun ? Stream.of() : Stream.of(file);
      List<Path> files = Stream.of(written, csv.path(), page.path()).flatMap(each -> each).toList();
      try (KeptResults kept = new KeptResults(terminal, "measured", files, end)) {
        new Sweep(terminal, host, options.budget(Sweep.USUAL))
            .run(
                cells,
                (cell, choice, share) -> measure(host, cell, choice, states, share),
                result -> kept.add(() -> report.row(result)));
        kept.complete();
      }
    }
  }

  private static Rules read(Path file) {
    OutputFile.requireWritableDirectory(file, "rules file");
    return Files.exists(file) ? Rules.read(file) : Rules.none();
  }

  private static Provenance provenance(Context context) {
    Map<String, String> versions = new TreeMap<>();
    for (Plugin plugin : context.plugins().plugins()) {
      versions.put(plugin.id(), plugin.version());
    }
    return Provenance.here(context.workers(), versions);
  }

  /** The rules of a file, and those of its measurements that are valid here. */
  private Rules kept(Rules before, Provenance here, Path file) {
    Provenance there = before.provenance();
    if (there == null) {
      return before;
    }
    List<String> differences = there.differencesTo(here);
    if (differences.isEmpty()) {
      return before.withProfile(before.profile().onlyOf(here.plugins()), here);
    }
    terminal
        .err()
        .println(
            Sentence.of(
                "tutti: the measurements in %s were made elsewhere and are not kept: %s",
                file, String.join("; ", differences)));
    return before.withoutProfile();
  }

  /** One result for each state of the machine. */
  private List<TuneResult> measure(
      HostUse host, SweepPoint cell, Choice choice, HopStates states, Duration share) {
    List<Candidate> candidates = TuneCandidates.of(choice, isAll);
    Comparisons comparisons = new Comparisons(states, () -> new Comparison(host, cell, candidates));
    comparisons.screen(share);
    return comparisons.measured().entrySet().stream()
        .map(each -> TuneResult.of(cell, each.getKey(), each.getValue(), choice.best()))
        .flatMap(Optional::stream)
        .toList();
  }

  private void write(Rules kept, Profile measured, Provenance here, Path file) {
    Profile all = measured.orElse(kept.profile());
    kept.withProfile(all, here).write(file);
    if (!isJson) {
      all.hops().forEach(hop -> terminal.out().println(count(all, hop)));
      terminal.out().println(Sentence.of("wrote %s; use it with --rules %s", file, file));
    }
  }

  private static String count(Profile profile, int hop) {
    String count = Text.count(profile.requestCount(hop), "request");
    return hop == 0 ? count : Sentence.of("%s where a cache line takes %d ns", count, hop);
  }
}
