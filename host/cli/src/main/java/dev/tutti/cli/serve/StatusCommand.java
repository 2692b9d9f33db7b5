package dev.tutti.cli.serve;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.host.PluginPlaceOptions;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how the host that serves is. */
@Command(
    name = "status",
    description = "Shows how the host that serves is: plugins, groups, counters, last changes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti status",
      "  tutti status --flight",
      "  tutti status --state my-plugins.state --json"
    })
public final class StatusCommand implements Callable<Integer>, LiveTarget {

  private final Terminal terminal;
  private final Hosts hosts;

  @Mixin private final PluginPlaceOptions places = new PluginPlaceOptions();

  @Option(
      names = "--flight",
      description = "Shows the last operations of each group and of each of its ranks instead.")
  private boolean isFlight;

  @Option(names = "--json", description = "Prints one JSON object, on one line.")
  private boolean isJson;

  public StatusCommand(Terminal terminal, Hosts hosts) {
    this.terminal = terminal;
    this.hosts = hosts;
  }

  @Override
  public Where where() {
    return Where.SERVED;
  }

  @Override
  public @Nullable Path state(Hosts whose) {
    return places.state(whose);
  }

  @Override
  public Integer call() {
    Session session = hosts.session();
    if (session == null) {
      throw new TuttiException(ErrorCode.INVALID_STATE, "only a host that serves has a status");
    }
    if (isFlight) {
      new FlightReport(session.host().context()).print(terminal, isJson);
      return ExitCode.OK;
    }
    StatusReport report = new StatusReport(session.host(), ProcessFacts.now());
    if (isJson) {
      terminal.out().println(report.json());
    } else {
      report.print(terminal);
    }
    return ExitCode.OK;
  }
}
