package dev.tutti.cli.show;

import dev.tutti.cli.host.HostOptions;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.RequestOptions;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.Group;
import dev.tutti.host.Rte;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import dev.tutti.host.pool.Estimate;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how an algorithm is chosen. */
@Command(
    name = "explain",
    description = "Shows which algorithm is chosen for an operation, and why no other one is.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti explain allreduce --bytes 64M",
      "  tutti explain allreduce --ranks 64 --protocol rdma"
    })
public final class ExplainCommand implements Callable<Integer> {

  private static final double MICROS = 1e6;

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final RequestOptions requestOptions = new RequestOptions();

  @Option(names = "--json", description = "Prints one JSON object per candidate and line.")
  private boolean isJson;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  public ExplainCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    requestOptions.check(0);
    try (HostUse host =
            hostOptions.open(
                hosts, Rte.embedded(), requestOptions.target().operations(), terminal);
        Group group = host.createGroup(requestOptions.topology(0))) {
      OperationSpec spec = requestOptions.spec(host.name(requestOptions.target(), terminal), 0);
      Choice choice = spec.request(group).explain();
      if (isJson) {
        for (int place = 0; place < choice.candidates().size(); place++) {
          terminal.out().println(json(choice, place, host.context().machineOrigin()));
        }
      } else {
        print(choice);
        printMachine(choice, host.context().machineOrigin());
      }
      // If no algorithm supports the request, this throws an exception with the exit code.
      choice.chosen();
    }
    return ExitCode.OK;
  }

  private void print(Choice choice) {
    terminal.out().println(choice.request());
    if (choice.candidates().isEmpty()) {
      return;
    }
    Table table =
        new Table(
            "", "algorithm", "version", ">µs", "by", ">actions", ">bytes", ">workers", "reason");
    for (int place = 0; place < choice.candidates().size(); place++) {
      Candidate candidate = choice.candidates().get(place);
      boolean isChosen = isChosen(choice, place);
      table.row(
          isChosen ? "→" : "",
          candidate.label(),
          candidate.algorithm().version(),
          predicted(candidate),
          known(candidate, candidate.estimate().origin().label()),
          term(candidate, candidate.estimate().actions()),
          term(candidate, candidate.estimate().bytes()),
          term(candidate, candidate.estimate().workers()),
          reason(choice, place));
    }
    table.print(terminal);
  }

  /** Prints the source of the machine model; prints nothing if no time is computed from a plan. */
  private void printMachine(Choice choice, String origin) {
    boolean isUsed =
        choice.candidates().stream()
            .anyMatch(each -> each.estimate().origin() == Estimate.Origin.PLAN);
    if (isUsed) {
      terminal.out().println("machine model: " + origin);
    }
  }

  private static String predicted(Candidate candidate) {
    return known(candidate, Text.number(candidate.estimate().seconds() * MICROS));
  }

  private static String known(Candidate candidate, String text) {
    return candidate.isSupported() && candidate.estimate().isKnown() ? text : "-";
  }

  /** A number from the plan; a dash if there is no plan, or if the number is 0. */
  private static String term(Candidate candidate, long number) {
    return candidate.isSupported() && number > 0 ? Long.toString(number) : "-";
  }

  private static String reason(Choice choice, int place) {
    Candidate candidate = choice.candidates().get(place);
    if (!candidate.isSupported()) {
      return "refused: " + candidate.reason();
    }
    if (isChosen(choice, place)) {
      String why = candidate.rule().isEmpty() ? candidate.estimate().remark() : candidate.rule();
      return because("chosen", why);
    }
    if (candidate.precedence() != choice.candidates().getFirst().precedence()) {
      return candidate.rule().isEmpty() ? "a rule prefers another algorithm" : candidate.rule();
    }
    Estimate best = choice.candidates().getFirst().estimate();
    if (!candidate.estimate().isKnown()) {
      return candidate.algorithm().formula().isEmpty()
          ? "declares no cost"
          : because("its formula gives no time for this request", candidate.estimate().remark());
    }
    if (candidate.estimate().origin() != best.origin()
        && candidate.estimate().origin() == Estimate.Origin.FORMULA) {
      return candidate.estimate().remark();
    }
    return candidate.estimate().seconds() > best.seconds()
        ? because("slower", candidate.estimate().remark())
        : "as fast; lower declared cost, then stronger determinism, then the name decides";
  }

  private static String because(String what, String why) {
    return why.isEmpty() ? what : what + ": " + why;
  }

  /** Whether the candidate at a place is chosen; candidates are sorted, best first. */
  private static boolean isChosen(Choice choice, int place) {
    return place == 0 && choice.isPossible();
  }

  private static String json(Choice choice, int place, String machine) {
    Candidate candidate = choice.candidates().get(place);
    return new JsonLine()
        .put("request", choice.request())
        .put("algorithm", candidate.algorithm().name())
        .put("plugin", candidate.algorithm().plugin())
        .put("version", candidate.algorithm().version())
        .putObject("parameters", candidate.parameters().values())
        .put("isChosen", isChosen(choice, place))
        .put("isSupported", candidate.isSupported())
        .put("reason", candidate.reason())
        .put("rule", candidate.rule())
        .put("predictedMicros", candidate.estimate().seconds() * MICROS)
        .put("origin", candidate.estimate().origin().label())
        .put("remark", candidate.estimate().remark())
        .put("actions", candidate.estimate().actions())
        .put("bytes", candidate.estimate().bytes())
        .put("workers", candidate.estimate().workers())
        .put("declaredMicros", candidate.declaredSeconds() * MICROS)
        .put("machine", machine)
        .toString();
  }
}
