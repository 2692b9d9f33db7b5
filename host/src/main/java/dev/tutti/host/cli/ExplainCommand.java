package dev.tutti.host.cli;

import dev.tutti.host.Group;
import dev.tutti.host.pool.Candidate;
import dev.tutti.host.pool.Choice;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how an algorithm is chosen. */
@Command(
    name = "explain",
    description = "Shows which algorithm an operation gets, and why no other one.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti explain allreduce --bytes 64M",
      "  tutti explain allreduce --ranks 64 --protocol rdma"
    })
final class ExplainCommand implements Callable<Integer> {

  private static final double MICROS = 1e6;

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final RequestOptions requestOptions = new RequestOptions();

  @Option(names = "--json", description = "Prints one JSON object per candidate and line.")
  private boolean isJson;

  @Mixin private final HostOptions hostOptions = new HostOptions();

  ExplainCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Integer call() {
    Asked asked = requestOptions.asked();
    try (HostUse host = hostOptions.open(hosts, terminal);
        Group group = host.createGroup(asked.topology())) {
      Choice choice = asked.request(group).explain();
      if (isJson) {
        for (int place = 0; place < choice.candidates().size(); place++) {
          terminal.out().println(json(choice, place));
        }
      } else {
        print(choice);
      }
      // Says what no algorithm takes, with the exit code of it.
      choice.chosen();
    }
    return ExitCode.OK;
  }

  private void print(Choice choice) {
    terminal.out().println(choice.request());
    if (choice.candidates().isEmpty()) {
      return;
    }
    double best = choice.candidates().getFirst().predictedSeconds();
    Table table = new Table("", "algorithm", "version", ">predicted µs", "reason");
    for (int place = 0; place < choice.candidates().size(); place++) {
      Candidate candidate = choice.candidates().get(place);
      boolean isChosen = isChosen(choice, place);
      table.row(
          isChosen ? "→" : "",
          candidate.algorithm().qualifiedName(),
          candidate.algorithm().version(),
          predicted(candidate),
          reason(candidate, isChosen, best));
    }
    table.print(terminal);
  }

  private static String predicted(Candidate candidate) {
    return candidate.isSupported() && Double.isFinite(candidate.predictedSeconds())
        ? Text.number(candidate.predictedSeconds() * MICROS)
        : "-";
  }

  private static String reason(Candidate candidate, boolean isChosen, double best) {
    if (!candidate.isSupported()) {
      return "refused: " + candidate.reason();
    }
    if (isChosen) {
      return "chosen";
    }
    if (!Double.isFinite(candidate.predictedSeconds())) {
      return "declares no cost";
    }
    return candidate.predictedSeconds() > best
        ? "slower"
        : "as fast; ties go to stronger determinism, then by name";
  }

  /** Candidates come best first. */
  private static boolean isChosen(Choice choice, int place) {
    return place == 0 && choice.isPossible();
  }

  private static String json(Choice choice, int place) {
    Candidate candidate = choice.candidates().get(place);
    return new JsonLine()
        .put("request", choice.request())
        .put("algorithm", candidate.algorithm().name())
        .put("plugin", candidate.algorithm().plugin())
        .put("version", candidate.algorithm().version())
        .put("isChosen", isChosen(choice, place))
        .put("isSupported", candidate.isSupported())
        .put("reason", candidate.reason())
        .put("predictedMicros", candidate.predictedSeconds() * MICROS)
        .toString();
  }
}
