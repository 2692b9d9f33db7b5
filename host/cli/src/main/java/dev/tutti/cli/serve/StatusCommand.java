package dev.tutti.cli.serve;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveHost;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.host.PluginPlaceOptions;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.job.JobDirectory;
import dev.tutti.cli.job.JobReport;
import dev.tutti.cli.job.JobSearch;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.OutputFile;
import dev.tutti.cli.terminal.PageReport;
import dev.tutti.cli.terminal.ReportTarget;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TerminalReport;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.simulator.page.HtmlPage;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the status of the host that serves and of the processes of jobs. */
@Command(
    name = "status",
    description = {
      "Shows the state of the running host, and what the processes of jobs are doing.",
      "",
      "Without --plugins, --state and --job, it shows the host of Tutti's own plugins, if"
          + " one runs, and all jobs of this user: those with --processes, and those that an MPI"
          + " launcher has started."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti status",
      "  tutti status --flight",
      "  tutti status --state my-plugins.state --json",
      "  tutti status --job 4711",
      "  tutti status --html status.html"
    })
public final class StatusCommand implements Callable<Integer>, LiveTarget {

  private final Terminal terminal;
  private final Hosts hosts;
  private final Path directory;

  @Mixin private final PluginPlaceOptions places = new PluginPlaceOptions();

  @Option(
      names = "--flight",
      description = "Shows the last operations of each group and of each of its ranks instead.")
  private boolean isFlight;

  @Option(
      names = "--job",
      paramLabel = "<job>",
      description =
          "Shows one job only: give its directory, or the process number of its"
              + " launcher or of a rank.")
  private @Nullable String job;

  @Option(
      names = "--html",
      paramLabel = "<file>",
      description = "Also writes the output to a page for browsers. The page needs no network.")
  private @Nullable Path html;

  @Option(names = "--json", description = "Prints one JSON object, on one line.")
  private boolean isJson;

  /**
   * Makes the command.
   *
   * @param directory the directory that a relative path of a job starts from
   */
  public StatusCommand(Terminal terminal, Hosts hosts, Path directory) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.directory = directory;
  }

  @Override
  public Where where() {
    if (job != null) {
      return Where.HERE;
    }
    return places.areGiven() || isFlight ? Where.SERVED : Where.SERVED_OR_HERE;
  }

  @Override
  public @Nullable Path state(Hosts whose) {
    return places.state(whose);
  }

  @Override
  public Integer call() {
    Session session = hosts.session();
    if (html != null) {
      OutputFile.requireReplaceable(html, "page");
    }
    if (job != null && isFlight) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "--flight shows the operations of a host that serves; leave out --job, or --flight");
    }
    if (job != null) {
      JobReport report = new JobSearch(directory, hosts.jobs()).named(job);
      print(report::json, report::print);
    } else if (session == null) {
      print(jobs(Optional.empty()));
    } else if (isFlight) {
      FlightReport report = new FlightReport(session.host().context());
      print(report::json, report::print);
    } else {
      print(session.host());
    }
    return ExitCode.OK;
  }

  /**
   * The jobs to show.
   *
   * @param own the job of the host, which comes first
   */
  private List<JobReport> jobs(Optional<Path> own) {
    Set<Path> all = new LinkedHashSet<>();
    own.ifPresent(all::add);
    if (!places.areGiven()) {
      all.addAll(hosts.jobs().get());
    }
    return JobReport.ofAll(all);
  }

  private void print(LiveHost host) {
    Optional<Path> own =
        host.context()
            .rte()
            .jobDirectory()
            .or(() -> JobDirectory.ofProcess(hosts.jobs().get(), ProcessHandle.current().pid()));
    StatusReport report = new StatusReport(host, ProcessFacts.now(), jobs(own));
    print(report::json, report::print);
  }

  /** Prints the jobs if no host serves. */
  private void print(List<JobReport> jobs) {
    if (jobs.isEmpty()) {
      throw nothing();
    }
    print(
        () -> new JsonLine().putLines("jobs", jobs.stream().map(JobReport::json).toList()),
        target -> {
          boolean isFirst = true;
          for (JobReport each : jobs) {
            if (!isFirst) {
              target.gap();
            }
            isFirst = false;
            each.print(target);
          }
        });
  }

  /** Prints JSON or text, and writes the page if {@code --html} names one. */
  private void print(Supplier<JsonLine> json, Consumer<ReportTarget> report) {
    if (isJson) {
      terminal.out().println(json.get());
    } else {
      report.accept(new TerminalReport(terminal));
    }
    if (html != null) {
      HtmlPage page = new HtmlPage("Tutti: status");
      page.body()
          .element("p", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), "class", "muted");
      PageReport target = new PageReport(page.body());
      report.accept(target);
      target.gap();
      String text = page.toString();
      OutputFile.replace("--html", html, file -> file.print(text));
    }
  }

  private TuttiException nothing() {
    Path state = places.state(hosts);
    return new TuttiException(
        ErrorCode.HOST_UNREACHABLE,
        "no host serves%s, and no job of this user is running; start one with 'tutti serve', or"
            + " name another with --state or --job",
        state == null ? "" : " " + state);
  }
}
