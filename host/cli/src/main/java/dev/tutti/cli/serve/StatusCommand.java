package dev.tutti.cli.serve;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveTarget;
import dev.tutti.cli.host.PluginPlaceOptions;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.job.JobDirectory;
import dev.tutti.cli.job.JobReport;
import dev.tutti.cli.job.JobSearch;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows how the host that serves is, and what the processes of jobs are doing. */
@Command(
    name = "status",
    description = {
      "Shows how the host that serves is, and what the processes of jobs are doing.",
      "",
      "Without --plugins, --state and --job, that is Tutti's own host, if it serves, and all jobs of"
          + " this user that 'run', 'bench' and 'serve' have started with --processes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tutti status",
      "  tutti status --flight",
      "  tutti status --state my-plugins.state --json",
      "  tutti status --job 4711"
    })
public final class StatusCommand implements Callable<Integer>, LiveTarget {

  private static final long NOBODY = 0;

  private final Terminal terminal;
  private final Hosts hosts;
  private final JobSearch jobs;

  @Mixin private final PluginPlaceOptions places = new PluginPlaceOptions();

  @Option(
      names = "--flight",
      description = "Shows the last operations of each group and of each of its ranks instead.")
  private boolean isFlight;

  @Option(
      names = "--job",
      paramLabel = "<job>",
      description = "One job only: its directory, or the process of its launcher or of a rank.")
  private @Nullable String job;

  @Option(
      names = "--json",
      description = "Prints one JSON object for the host and for each job, on a line each.")
  private boolean isJson;

  /**
   * The command.
   *
   * @param directory where the relative path of a job starts
   */
  public StatusCommand(Terminal terminal, Hosts hosts, Path directory) {
    this(terminal, hosts, new JobSearch(directory, JobDirectory::ofLiveJobs));
  }

  StatusCommand(Terminal terminal, Hosts hosts, JobSearch jobs) {
    this.terminal = terminal;
    this.hosts = hosts;
    this.jobs = jobs;
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
    if (session == null) {
      if (job != null) {
        print(jobs.named(job));
      } else if (printJobs(NOBODY) == 0) {
        throw nothing();
      }
      return ExitCode.OK;
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

  /** The host has shown itself, and the job that it may be one of. */
  @Override
  public void afterwards(long pid) {
    if (!places.areGiven() && !isFlight) {
      int _ = printJobs(pid);
    }
  }

  /** Shows all jobs but that of a process, and says how many they are. */
  private int printJobs(long shown) {
    List<JobReport> others = jobs.all().stream().filter(each -> !each.has(shown)).toList();
    boolean isFirst = shown == NOBODY;
    for (JobReport each : others) {
      if (!isFirst && !isJson) {
        terminal.out().println();
      }
      isFirst = false;
      print(each);
    }
    return others.size();
  }

  private void print(JobReport report) {
    if (isJson) {
      terminal.out().println(report.json());
    } else {
      report.print(terminal);
    }
  }

  private TuttiException nothing() {
    Path state = places.state(hosts);
    return new TuttiException(
        ErrorCode.HOST_UNREACHABLE,
        "no host serves%s, and no job of this user is at work; start one with 'tutti serve', or name"
            + " another with --state or --job",
        state == null ? "" : " " + state);
  }
}
