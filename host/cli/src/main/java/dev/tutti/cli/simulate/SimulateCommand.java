package dev.tutti.cli.simulate;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.catalogue.AlgorithmCatalogue;
import dev.tutti.cli.catalogue.AlgorithmNames;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.catalogue.CatalogueOptions;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.Labels;
import dev.tutti.cli.options.RequestTarget;
import dev.tutti.cli.options.SavedPlan;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.KeptResults;
import dev.tutti.cli.terminal.OnInterrupt;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Group;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.simulator.NetworkModel;
import dev.tutti.simulator.Simulation;
import dev.tutti.simulator.Simulator;
import dev.tutti.simulator.Trace;
import dev.tutti.simulator.Workload;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Predicts how long algorithms take on a network. */
@Command(
    name = "simulate",
    description = {
      "Predicts how long an algorithm takes on a network, and shows what limits it.",
      "",
      "The command simulates the plan that would run: messages, ports, links, reductions. It shows"
          + " one simulation in full, and several as a table. Without a network, the ranks are"
          + " threads of one machine."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti simulate allreduce --ranks 8",
      "  tutti simulate ring --network cluster.json --bytes 4K,1M,64M",
      "  tutti simulate allreduce --compare --ranks 64 --alpha 1.5us --beta 25GB/s --gamma 50GB/s",
      "  tutti simulate ring --ranks 8 --trace ring.json",
      "  tutti simulate ring --ranks 8 --html ring.html"
    })
public final class SimulateCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Hosts hosts;

  @Parameters(
      paramLabel = "<algorithm>",
      completionCandidates = Labels.OfTargets.class,
      description =
          "An operation, for the algorithm that a run would take; or ring, plugin-id:ring,"
              + " allreduce/ring; or a file of 'tutti plan --format json'.")
  private String target = "";

  @Mixin private final NetworkOptions network = new NetworkOptions();
  @Mixin private final SimulateOptions options = new SimulateOptions();

  @Option(
      names = "--compare",
      description = "Shows all algorithms of the operation side by side, the fastest first.")
  private boolean isComparison;

  @Option(
      names = "--trace",
      paramLabel = "<file>",
      description = "Writes a timeline of every stream for ui.perfetto.dev; one simulation only.")
  private @Nullable Path trace;

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description =
          "Writes a page for browsers: a timeline of every rank, the critical path, link"
              + " loads, and sliders for other links. The page needs no network.")
  private @Nullable Path html;

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description =
          "A directory of plugin jars, or one jar; may be given several times. Default:"
              + " Tutti's own.")
  private List<Path> plugins = new ArrayList<>();

  @Option(
      names = "--planning-limit",
      paramLabel = "<time>",
      description =
          "The longest time a plugin may take to plan: 500ms, 2m, or 10 for seconds. Default: 10s.")
  private Duration planningLimit = Duration.ofSeconds(10);

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(names = "--json", description = "Prints one JSON object per simulation and line.")
  private boolean isJson;

  public SimulateCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  /** One algorithm on one case. */
  private record Job(AlgorithmWithPeer subject, CollectiveCase simulated) {}

  @Override
  public Integer call() {
    if (RequestTarget.isPlanFile(target)) {
      simulate(SavedPlan.read(Path.of(target)));
      return ExitCode.OK;
    }
    NetworkModel model = network.model();
    if (CatalogueOptions.isPath(target)) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "simulate takes the name of an algorithm or an operation, and the plugins from the"
              + " directory of --plugins. Actual: '%s'",
          target);
    }
    try (Context context = context();
        AlgorithmCatalogue catalogue = AlgorithmCatalogue.of(context)) {
      catalogue.printProblems(terminal);
      catalogue.requireAlgorithms(List.of());
      List<Job> jobs = jobs(context, catalogue, model);
      if (trace != null && jobs.size() > 1) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "--trace takes one simulation; name one algorithm and one size. Actual: %d simulations",
            jobs.size());
      }
      requireReplaceable();
      simulate(jobs, new SimulateRun(model, planningLimit));
    }
    return ExitCode.OK;
  }

  /** Refuses an output that cannot be written, before the work instead of after it. */
  private void requireReplaceable() {
    if (trace != null) {
      OutputFile.requireReplaceable(trace, "trace file");
    }
    if (html != null) {
      OutputFile.requireReplaceable(html, "page");
    }
  }

  private void simulate(SavedPlan saved) {
    saved.requireAlone(command, "--topology");
    requireReplaceable();
    Simulator simulator = Simulator.of(network.model(saved.topology()));
    Simulation simulation =
        saved.hasSpec()
            ? simulator.run(
                saved.plan(),
                Workload.of(saved.params().stream().filter(Objects::nonNull).toList()))
            : simulator.run(saved.plan());
    if (isJson) {
      terminal
          .out()
          .println(
              new JsonLine()
                  .put("file", saved.file().toString())
                  .putJson("simulation", simulation.toJson()));
    } else {
      new SimulateReport(terminal).print(simulation);
    }
    writeTrace(simulation);
    if (html != null) {
      SimulateHtml page = new SimulateHtml(1);
      page.add(SimulateRow.of(saved, simulation), simulation);
      write(page, html);
    }
  }

  private static void write(SimulateHtml page, Path file) {
    String text = page.toString();
    OutputFile.replace("--html", file, target -> target.print(text));
  }

  private void writeTrace(Simulation simulation) {
    if (trace != null) {
      OutputFile.replace(
          "--trace",
          trace,
          file -> {
            try {
              Trace.write(simulation, file);
            } catch (UncheckedIOException e) {
              throw e.getCause();
            }
          });
    }
  }

  /** A host like that of a run. */
  private Context context() {
    ContextBuilder builder = hosts.builder(plugins).planningLimit(planningLimit);
    options.applyTo(builder);
    network.file().ifPresent(builder::network);
    return builder.open();
  }

  private List<Job> jobs(Context context, AlgorithmCatalogue catalogue, NetworkModel model) {
    List<Algorithm> all = catalogue.algorithms();
    String name = options.name(all, target);
    List<Algorithm> selected = AlgorithmNames.select(all, List.of(name), null);
    boolean isChoice = !isComparison && AlgorithmNames.isOperation(all, name);
    if (isComparison) {
      Set<Operation> operations =
          selected.stream().map(Algorithm::operation).collect(Collectors.toSet());
      selected = all.stream().filter(each -> operations.contains(each.operation())).toList();
    }
    List<AlgorithmWithPeer> subjects = AlgorithmWithPeer.of(selected, catalogue.plugins());
    List<Job> jobs = new ArrayList<>();
    if (isChoice) {
      List<CollectiveCase> cases = cases(subjects.getFirst(), model);
      List<Algorithm> chosen = chosen(context, subjects.getFirst().operation(), model);
      for (int i = 0; i < cases.size(); i++) {
        List<Algorithm> one = List.of(chosen.get(i));
        jobs.add(new Job(AlgorithmWithPeer.of(one, catalogue.plugins()).getFirst(), cases.get(i)));
      }
      return jobs;
    }
    for (AlgorithmWithPeer subject : subjects) {
      options.parameters().check(subject.algorithm().parameters());
      cases(subject, model).forEach(c -> jobs.add(new Job(subject, c)));
    }
    return jobs;
  }

  /** The algorithms that runs would choose, one for each case. */
  private List<Algorithm> chosen(Context context, Operation operation, NetworkModel model) {
    Topology topology = model.topology().orElseThrow();
    try (Group group = context.createGroup(topology)) {
      return options.calls(operation, topology).stream()
          .map(call -> group.request(call).options(options.callOptions()).explain().chosen())
          .toList();
    }
  }

  private List<CollectiveCase> cases(AlgorithmWithPeer subject, NetworkModel model) {
    return options.cases(subject.operation(), model.topology().orElseThrow());
  }

  private void simulate(List<Job> jobs, SimulateRun run) {
    SimulateReport report = new SimulateReport(terminal);
    SimulateHtml page = html == null ? null : new SimulateHtml(jobs.size());
    List<SimulateRow> rows = new ArrayList<>();
    List<TuttiException> failures = new ArrayList<>();
    Runnable end = () -> end(report, page, rows, jobs.size());
    List<Path> files = html == null ? List.of() : List.of(html);
    try (ProgressLine progress = new ProgressLine(terminal, true);
        OnInterrupt _ = new OnInterrupt(progress::close);
        KeptResults kept = new KeptResults(terminal, "simulated", files, end)) {
      for (Job job : jobs) {
        progress.show(
            rows.size(), jobs.size(), job.subject().algorithm().name() + " " + job.simulated());
        Result result = result(job, run, failures);
        kept.add(
            () -> {
              rows.add(result.row());
              if (page != null) {
                page.add(result.row(), result.simulation());
              }
              show(report, result.row(), result.simulation(), jobs.size() == 1);
            });
      }
      kept.complete();
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    requireOne(rows);
  }

  private record Result(SimulateRow row, @Nullable Simulation simulation) {}

  /** Simulates one job. The other jobs still run if its algorithm fails. */
  private static Result result(Job job, SimulateRun run, List<TuttiException> failures) {
    try {
      String refusal = run.refusal(job.subject(), job.simulated());
      if (!refusal.isEmpty()) {
        return new Result(SimulateRow.refused(job.subject(), job.simulated(), refusal), null);
      }
      Simulation simulation = run.simulate(job.subject(), job.simulated());
      return new Result(SimulateRow.of(job.subject(), job.simulated(), simulation), simulation);
    } catch (TuttiException e) {
      failures.add(e);
      String message = String.valueOf(e.getMessage());
      return new Result(SimulateRow.failed(job.subject(), job.simulated(), message), null);
    }
  }

  /** Writes the page and the table of all simulations, or of those before an interruption. */
  private void end(
      SimulateReport report, @Nullable SimulateHtml page, List<SimulateRow> rows, int all) {
    if (page != null && html != null) {
      write(page, html);
    }
    if (!isJson && all > 1 && rows.stream().anyMatch(SimulateRow::isSimulated)) {
      report.print(isComparison ? bySize(rows) : rows, isComparison);
    }
    if (rows.size() < all) {
      terminal
          .err()
          .println(Sentence.of("tutti: incomplete: %d of %d simulations", rows.size(), all));
    }
  }

  private void show(
      SimulateReport report, SimulateRow row, @Nullable Simulation simulation, boolean isOnly) {
    if (isJson) {
      report.printJson(row, simulation);
    } else if (isOnly && simulation != null) {
      report.print(simulation);
    }
    if (simulation != null) {
      writeTrace(simulation);
    }
  }

  /** Puts competing algorithms together, the fastest first. */
  private static List<SimulateRow> bySize(List<SimulateRow> rows) {
    List<SimulateRow> sorted = new ArrayList<>();
    rows.stream()
        .map(SimulateRow::simulated)
        .distinct()
        .forEach(
            c ->
                sorted.addAll(
                    SimulateReport.sorted(
                        rows.stream().filter(row -> row.simulated().equals(c)).toList())));
    return sorted;
  }

  private static void requireOne(List<SimulateRow> rows) {
    if (rows.stream().noneMatch(SimulateRow::isSimulated)) {
      SimulateRow first = rows.getFirst();
      throw new TuttiException(
          ErrorCode.UNSUPPORTED,
          "none of the chosen algorithms takes %s; %s %s",
          first.simulated(),
          first.subject().algorithm().qualifiedName(),
          first.problem());
    }
  }
}
