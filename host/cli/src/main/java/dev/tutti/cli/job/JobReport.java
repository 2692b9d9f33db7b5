package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.ReportTarget;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.Rte;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport.ServedPlugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Prints the state of the processes of a job as text or JSON. */
public final class JobReport {

  private final JobStatus status;
  private final Instant now = Instant.now();

  private JobReport(JobStatus status) {
    this.status = status;
  }

  /** Asks all processes of a job. */
  public static JobReport of(Path directory) {
    return new JobReport(JobStatus.of(directory));
  }

  /**
   * Asks all processes of several jobs; jobs that have ended meanwhile are left out. For each MPI
   * launcher, the first process that can report about all others answers.
   */
  public static List<JobReport> ofAll(Collection<Path> directories) {
    Map<Object, List<Path>> jobs = new LinkedHashMap<>();
    for (Path each : directories) {
      JobFacts facts = JobFacts.read(each);
      Object job = facts != null && facts.isMpi() ? (Object) facts.launcher() : each;
      jobs.computeIfAbsent(job, key -> new ArrayList<>()).add(each);
    }
    return jobs.values().stream()
        .map(JobReport::first)
        .filter(each -> Files.isDirectory(each.status.directory()))
        .toList();
  }

  /**
   * The report of the first process that can report about the others, or else of the first process.
   */
  private static JobReport first(List<Path> directories) {
    JobReport first = null;
    for (Path each : directories) {
      JobReport report = of(each);
      if (report.status.problem().isEmpty()) {
        return report;
      }
      first = first == null ? report : first;
    }
    return Objects.requireNonNull(first, "no directory");
  }

  /** The title of the job. */
  String title() {
    JobFacts facts = status.facts();
    return status.directory()
        + (facts == null ? "" : Sentence.of(" (launcher pid %d)", facts.launcher()));
  }

  /** Whether a process is that of a rank of the job, or its launcher. */
  public boolean has(long process) {
    JobFacts facts = status.facts();
    return status.answers().stream()
            .anyMatch(each -> each.process() == process && each.machine().isEmpty())
        || (facts != null && (facts.launcher() == process || facts.processes().contains(process)));
  }

  /** Prints lines and tables. */
  public void print(ReportTarget target) {
    JobFacts facts = status.facts();
    Table table = new Table("job", status.directory().toString());
    if (facts != null) {
      table.row("launcher", Sentence.of("pid %d, up %s", facts.launcher(), time(facts.start())));
      if (!facts.command().isEmpty()) {
        table.row("command", facts.command());
      }
    }
    table.row("ranks", ranks());
    target.facts(table);
    if (!status.answers().isEmpty()) {
      target.gap();
      printRanks(target);
    }
    printPlugins(target);
    status.groups().forEach(group -> print(group, target));
  }

  private String ranks() {
    int size = count(status.answers().stream());
    int answers = count(status.answers().stream().filter(RankAnswer.Report.class::isInstance));
    if (size == 0) {
      return status.problem().isEmpty() ? "none yet" : status.problem();
    }
    return answers == size
        ? size + ", all of which answer"
        : Sentence.of("%d, of which %d answer", size, answers);
  }

  private static int count(Stream<RankAnswer> answers) {
    return answers.mapToInt(RankAnswer::ranksHere).sum();
  }

  private void printRanks(ReportTarget target) {
    Table table = new Table(">rank", "machine", ">process", ">up", ">heap", ">threads", "state");
    int size = count(status.answers().stream());
    for (RankAnswer each : status.answers()) {
      switch (each) {
        case RankAnswer.Report(RankReport report) ->
            table.row(
                numbers(each, size),
                each.machine(),
                report.process(),
                time(report.facts().start()),
                Sizes.bytes(report.facts().heapBytes()),
                report.facts().threads(),
                each.state());
        case RankAnswer.Silence silence ->
            table.row(
                numbers(each, size),
                each.machine(),
                silence.process() == 0 ? "-" : silence.process(),
                "-",
                "-",
                "-",
                each.state());
      }
    }
    boolean areElsewhere = status.answers().stream().anyMatch(each -> !each.machine().isEmpty());
    target.table("ranks", areElsewhere ? table : table.without("machine"));
  }

  private static String numbers(RankAnswer answer, int size) {
    return Sentence.of("%s of %d", RankNumbers.list(answer.ranks().boxed().toList()), size);
  }

  private void printPlugins(ReportTarget target) {
    Map<ServedPlugin, List<Integer>> servers = new LinkedHashMap<>();
    int ready = 0;
    for (RankReport report : status.reports()) {
      ready += report.isReady() ? report.ranksHere() : 0;
      report
          .facts()
          .plugins()
          .forEach(
              each ->
                  servers
                      .computeIfAbsent(each, key -> new ArrayList<>())
                      .addAll(
                          IntStream.range(report.rank(), report.rank() + report.ranksHere())
                              .boxed()
                              .toList()));
    }
    if (servers.isEmpty()) {
      return;
    }
    Table table = new Table("plugin", "version", ">algorithms", "served by");
    int all = ready;
    servers.forEach(
        (plugin, ranks) ->
            table.row(
                plugin.id(),
                plugin.version(),
                plugin.algorithms(),
                ranks.size() == all ? "all that are ready" : RankNumbers.of(ranks)));
    target.gap();
    target.table("plugins", table);
  }

  private void print(GroupStatus group, ReportTarget target) {
    target.gap();
    String doing = group.state() == GroupStatus.State.IDLE ? "idle" : group.doing();
    target.heading(Sentence.of("group %d", group.number()), " (" + group.title() + ") is " + doing);
    group.lines(Integer.MAX_VALUE, "").forEach(target::line);
  }

  private String time(Instant since) {
    return Text.time(Duration.between(since, now));
  }

  /** The report as one JSON object. */
  public JsonLine json() {
    JobFacts facts = status.facts();
    return new JsonLine()
        .put("job", status.directory().toString())
        .putJson("launcher", facts == null ? null : String.valueOf(facts.launcher()))
        .put("command", facts == null ? null : facts.command())
        .put("startedAt", facts == null ? null : facts.start().toString())
        .putLines("ranks", status.answers().stream().map(RankAnswer::json).toList())
        .putLines(
            "activity",
            status.groups().stream().map(each -> GroupJson.of(each, Rte.MAX_RANKS)).toList());
  }
}
