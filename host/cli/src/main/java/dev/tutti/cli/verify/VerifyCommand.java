package dev.tutti.cli.verify;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.catalogue.AlgorithmCatalogue;
import dev.tutti.cli.catalogue.AlgorithmNames;
import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.catalogue.CatalogueOptions;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.SavedPlan;
import dev.tutti.cli.terminal.KeptResults;
import dev.tutti.cli.terminal.OnInterrupt;
import dev.tutti.cli.terminal.ProgressLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.process.JarPlans;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.purity.OtherProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks algorithms by all rules, and shows their failures. */
@Command(
    name = "verify",
    description = {
      "Checks algorithms by every rule of the testkit, without hardware.",
      "",
      "The command plans each case for all ranks and judges the plan for all schedules at once."
          + " Then it runs the plan on real data in several orders, on real threads and with"
          + " injected faults. It shows a failure with the smallest case that has it, and with the"
          + " command that checks that case again. It checks groups of more than 64 ranks in one"
          + " case each, unless options name more."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti verify",
      "  tutti verify ring",
      "  tutti verify ring --static --coverage",
      "  tutti verify target/my-plugin.jar --json > verified.jsonl",
      "  tutti verify target/my-plugin.jar --html verified.html --sarif verified.sarif",
      "  tutti verify target/my-plugin.jar --junit-xml verified.xml",
      "  tutti verify allreduce/ring --ranks 1024 --static",
      "  tutti verify ring --topology 8+4 --count 7,1000 --type float16 --protocol rdma --full",
      "  tutti verify plan.json",
      "  tutti verify ring --replay 'allreduce;ranks=3;count=2;type=int32;op=max'"
    })
public final class VerifyCommand implements Callable<Integer> {

  /** The number of failed cases after which the rest of an algorithm is skipped. */
  static final int MAX_FAILURES = 10;

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final CatalogueOptions targets = new CatalogueOptions();

  @Option(
      names = {"-a", "--algorithm"},
      paramLabel = "<name>",
      split = ",",
      description =
          "Checks only the algorithms with this name: ring, plugin-id:ring; may be given several"
              + " times.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--operation",
      paramLabel = "<operation>",
      description = "Checks only the algorithms of one operation.")
  private @Nullable OperationName operation;

  @Mixin private final VerifyCases cases = new VerifyCases();
  @Mixin private final VerifyDepth depth = new VerifyDepth();

  @Option(
      names = "--max-failures",
      paramLabel = "<n>",
      description =
          "Stops checking an algorithm after this many failed cases; 0: never. Default: 10.")
  private int maxFailures = MAX_FAILURES;

  @Mixin private final VerifyFiles files = new VerifyFiles();

  @Option(
      names = "--json",
      description = "Prints one JSON object per failed case, per algorithm and for the verdict.")
  private boolean isJson;

  @Spec private CommandSpec command = CommandSpec.create();

  public VerifyCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    long start = Clock.system().nanoTime();
    depth.check();
    if (maxFailures < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--max-failures must be 0 or more. Actual: %d", maxFailures);
    }
    files.check();
    Path plan = targets.planFile();
    if (plan != null) {
      return verify(SavedPlan.read(plan), start);
    }
    try (AlgorithmCatalogue catalogue = targets.open(hosts, depth.planningLimit())) {
      catalogue.printProblems(terminal);
      catalogue.requireAlgorithms(targets.paths());
      return verify(catalogue, results(catalogue, start));
    }
  }

  /** Checks the plan of a file. */
  private int verify(SavedPlan saved, long start) {
    saved.requireAlone(command);
    VerifyPlan plan = new VerifyPlan(saved, depth);
    AlgorithmWithPeer subject = AlgorithmWithPeer.of(saved);
    VerifyReplay replay =
        new VerifyReplay(List.of(saved.file()), List.of(), depth.arguments(), List.of());
    try (ProgressLine progress = new ProgressLine(terminal, true)) {
      VerifyPrinter printer = printer(replay, List.of(subject));
      printer.start();
      VerifyResult result = plan.run(subject);
      printer.result(result);
      Duration time = Duration.ofNanos(Clock.system().nanoTime() - start);
      VerifyVerdict verdict = new VerifyVerdict(List.of(result), List.of(), time, 1, 1);
      printer.verdict(verdict);
      FailureDrawing drawing = new FailureDrawing(depth, progress);
      files.write(verdict, replay, List.of(saved.file()), drawing);
      return verdict.exitCode();
    }
  }

  private List<AlgorithmWithPeer> subjects(AlgorithmCatalogue catalogue) {
    List<Algorithm> selected;
    try {
      selected = AlgorithmNames.select(catalogue.algorithms(), targets.names(), operation);
    } catch (TuttiException e) {
      throw targets.orDirectory(e);
    }
    selected = AlgorithmNames.select(selected, names, null);
    List<AlgorithmWithPeer> subjects = AlgorithmWithPeer.of(selected, catalogue.plugins());
    CollectiveCase replayed = cases.replay();
    if (replayed != null) {
      subjects = ofOperation(subjects, replayed.operation());
    }
    Set<Operation> operations =
        subjects.stream().map(AlgorithmWithPeer::operation).collect(Collectors.toSet());
    cases.check(operations);
    AlgOptions parameters = replayed == null ? cases.parameters() : replayed.options();
    subjects.forEach(subject -> parameters.check(subject.algorithm().parameters()));
    return subjects;
  }

  private static List<AlgorithmWithPeer> ofOperation(
      List<AlgorithmWithPeer> subjects, Operation operation) {
    List<AlgorithmWithPeer> found =
        subjects.stream()
            .filter(
                subject ->
                    subject.operation() == operation
                        || (subject.partner() != null
                            && subject.partner().operation() == operation))
            .toList();
    if (found.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--replay names a case of %s, but the chosen algorithms are for %s",
          operation,
          subjects.stream()
              .map(subject -> subject.operation().label())
              .distinct()
              .collect(Collectors.joining(", ")));
    }
    return found;
  }

  /** The algorithms and cases to check, without results. */
  private VerifyResults results(AlgorithmCatalogue catalogue, long start) {
    List<CheckedCases> subjects = new ArrayList<>();
    for (AlgorithmWithPeer subject : subjects(catalogue)) {
      List<CollectiveCase> all =
          subject.lacksPartner() ? List.of() : cases.of(subject, depth.planningLimit());
      subjects.add(new CheckedCases(subject, all));
    }
    // If the user names algorithms, problems of other plugins do not matter.
    List<PluginProblem> problems =
        (targets.names().isEmpty() && names.isEmpty()) || !targets.paths().isEmpty()
            ? catalogue.plugins().problems()
            : List.of();
    return new VerifyResults(subjects, problems, maxFailures, start);
  }

  private int verify(AlgorithmCatalogue catalogue, VerifyResults results) {
    VerifyReplay replay = replay(catalogue);
    List<AlgorithmWithPeer> subjects =
        results.subjects().stream().map(CheckedCases::subject).toList();
    try (ProgressLine progress = new ProgressLine(terminal, true)) {
      VerifyPrinter printer = printer(replay, subjects);
      FailureDrawing drawing = new FailureDrawing(depth, progress);
      Runnable report =
          () -> {
            results.unfinished().ifPresent(printer::result);
            VerifyVerdict verdict = results.verdict();
            printer.verdict(verdict);
            files.write(verdict, replay, targets.paths(), drawing);
          };
      try (OnInterrupt _ = new OnInterrupt(drawing::stop);
          OnInterrupt _ = new OnInterrupt(progress::close);
          KeptResults kept = new KeptResults(terminal, "checked", files.paths(), report);
          OtherProcesses processes = JarPlans.processes(depth.planningLimit());
          VerifyRun run =
              new VerifyRun(depth, maxFailures, progress, processes, kept::add, () -> false)) {
        printer.start();
        results.problems().forEach(printer::problem);
        for (CheckedCases subject : results.subjects()) {
          VerifyResult result = run.run(subject);
          kept.add(() -> finish(result, results, printer));
        }
        kept.complete();
        if (!processes.note().isEmpty()) {
          terminal
              .err()
              .println("tutti: plans were not compared with other processes: " + processes.note());
        }
      }
    }
    return results.verdict().exitCode();
  }

  private void finish(VerifyResult result, VerifyResults results, VerifyPrinter printer) {
    results.finish(result);
    printer.result(result);
    if (cases.showsCoverage() && !result.checkedCases().isEmpty()) {
      printer.coverage(result.subject(), cases.coverage(result.subject(), result.checkedCases()));
    }
  }

  private VerifyPrinter printer(VerifyReplay replay, List<AlgorithmWithPeer> subjects) {
    return isJson ? new VerifyJson(terminal, replay) : new VerifyText(terminal, replay, subjects);
  }

  private VerifyReplay replay(AlgorithmCatalogue catalogue) {
    return new VerifyReplay(
        targets.paths(), targets.pluginsDirectories(), depth.arguments(), catalogue.algorithms());
  }
}
