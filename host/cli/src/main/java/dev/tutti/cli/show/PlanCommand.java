package dev.tutti.cli.show;

import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.RequestOptions;
import dev.tutti.cli.options.SavedPlan;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Group;
import dev.tutti.host.Rte;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.Diagram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the actions of every rank. */
@Command(
    name = "plan",
    description = {
      "Shows the plan of an operation: what every rank does, step by step.",
      "",
      "The option --format json writes a plan file. You can give that file instead of an operation"
          + " to plan, verify, simulate and run."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti plan allreduce --ranks 3 --count 9",
      "  tutti plan allreduce --algorithm ring --rank 0",
      "  tutti plan allreduce --format json --output plan.json",
      "  tutti plan plan.json --format svg > plan.svg",
      "  tutti plan allreduce --algorithm ring --count 16 --format svg > ring.svg",
      "  tutti plan send --ranks 2 --format dot | dot -Tsvg > plan.svg"
    })
public final class PlanCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final RequestOptions requestOptions = new RequestOptions();

  @Option(
      names = {"-f", "--format"},
      paramLabel = "<format>",
      description =
          "text (default), json (the whole plan, lossless), dot (for Graphviz) or svg (a"
              + " picture of the messages).")
  private PlanFormat format = PlanFormat.TEXT;

  @Option(names = "--rank", paramLabel = "<rank>", description = "Shows one rank only; text only.")
  private @Nullable Integer rank;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Writes to a file instead of standard output.")
  private @Nullable Path output;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  @Spec private CommandSpec command = CommandSpec.create();

  public PlanCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    if (output != null) {
      OutputFile.requireReplaceable(output, "plan");
    }
    Path file = requestOptions.target().planFile();
    if (file != null) {
      show(SavedPlan.read(file));
      return ExitCode.OK;
    }
    requestOptions.check(0);
    checkRank(requestOptions.topology(0).rankSize());
    checkPicture(requestOptions.topology(0).rankSize());
    try (HostUse host =
            hostOptions.open(
                hosts, Rte.embedded(), requestOptions.target().operations(), terminal);
        Group group = host.createGroup(requestOptions.topology(0))) {
      OperationSpec spec = requestOptions.spec(host.name(requestOptions.target(), terminal), 0);
      boolean averages = spec.options().averages();
      checkAverage(averages);
      // An average has the plan of its sum.
      GroupPlan plan = spec.request(group).options(spec.options().withAverage(false)).plan();
      show(new PlanJson.Content(plan, requestOptions.words(spec)), averages);
    }
    return ExitCode.OK;
  }

  private void show(SavedPlan saved) {
    saved.requireAlone(command);
    checkRank(saved.plan().rankSize());
    show(new PlanJson.Content(saved.plan(), saved.request()), false);
  }

  private void show(PlanJson.Content plan, boolean averages) {
    if (output == null) {
      writeToTerminal(plan, averages);
    } else {
      OutputFile.replace("--output", output, file -> write(plan, averages, file));
    }
  }

  private void writeToTerminal(PlanJson.Content plan, boolean averages) {
    try {
      write(plan, averages, terminal.out());
    } catch (IOException e) {
      throw new UncheckedIOException("a print writer throws nothing", e);
    }
  }

  private void checkRank(int rankSize) {
    if (rank == null) {
      return;
    }
    if (format != PlanFormat.TEXT) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "--rank goes with --format text only; leave one out");
    }
    if (rank < 0 || rank >= rankSize) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK, "--rank must be 0 to %d. Actual: %d", rankSize - 1, rank);
    }
  }

  private void checkPicture(int rankSize) {
    if (format == PlanFormat.SVG) {
      Diagram.requireRanks(rankSize);
    }
  }

  private void checkAverage(boolean averages) {
    if (averages && format != PlanFormat.TEXT) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--op avg goes with --format text only, as the host divides after the plan of the sum;"
              + " use --op sum");
    }
  }

  private void write(PlanJson.Content plan, boolean averages, PrintWriter target)
      throws IOException {
    PlanPrinter printer = new PlanPrinter(plan, averages, target);
    switch (format) {
      case TEXT -> printer.printText(rank);
      case JSON -> printer.printJson();
      case DOT -> printer.printDot();
      case SVG -> printer.printSvg();
    }
  }
}
