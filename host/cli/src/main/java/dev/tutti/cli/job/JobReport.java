package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.ReportTarget;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Text;
import dev.tutti.host.Rte;
import dev.tutti.host.status.GroupStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /** Asks all processes of several jobs; jobs that have ended meanwhile are left out. */
  public static List<JobReport> ofAll(Collection<Path> directories) {
    return directories.stream()
        .map(JobReport::of)
        .filter(each -> Files.isDirectory(each.status.directory()))
        .toList();
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
    return status.ranks().stream().anyMatch(each -> each.process() == process)
        || (facts != null && facts.launcher() == process);
  }

  /** Prints lines and tables. */
  public void print(ReportTarget target) {
    JobFacts facts = status.facts();
    Table table = new Table("job", status.directory().toString());
    if (facts != null) {
      table.row("launcher", Sentence.of("pid %d, up %s", facts.launcher(), time(facts.start())));
      table.row("command", facts.command());
    }
    table.row("ranks", ranks());
    target.facts(table);
    if (!status.ranks().isEmpty()) {
      target.gap();
      printRanks(target);
    }
    printPlugins(target);
    status.groups().forEach(group -> print(group, target));
  }

  private String ranks() {
    int size = status.ranks().size();
    int answers = status.reports().size();
    if (size == 0) {
      return "none yet";
    }
    return answers == size
        ? size + ", all of which answer"
        : Sentence.of("%d, of which %d answer", size, answers);
  }

  private void printRanks(ReportTarget target) {
    Table table = new Table(">rank", ">process", ">up", ">heap", ">threads", "state");
    for (RankAnswer each : status.ranks()) {
      switch (each) {
        case RankAnswer.Report(RankReport report) ->
            table.row(
                Sentence.of("%d of %d", report.rank(), report.ranks()),
                report.process(),
                time(report.start()),
                Sizes.bytes(report.heapBytes()),
                report.threads(),
                each.state());
        case RankAnswer.Silence silence ->
            table.row(
                Sentence.of("%d of %d", silence.rank(), status.ranks().size()),
                silence.process() == 0 ? "-" : silence.process(),
                "-",
                "-",
                "-",
                each.state());
      }
    }
    target.table("ranks", table);
  }

  private void printPlugins(ReportTarget target) {
    Map<RankReport.Served, List<Integer>> servers = new LinkedHashMap<>();
    int ready = 0;
    for (RankReport report : status.reports()) {
      ready += report.isReady() ? 1 : 0;
      report
          .plugins()
          .forEach(
              each -> servers.computeIfAbsent(each, key -> new ArrayList<>()).add(report.rank()));
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
        .putLines("ranks", status.ranks().stream().map(JobReport::json).toList())
        .putLines(
            "activity",
            status.groups().stream().map(each -> GroupJson.of(each, Rte.MAX_PROCESSES)).toList());
  }

  private static JsonLine json(RankAnswer answer) {
    return switch (answer) {
      case RankAnswer.Report(RankReport report) ->
          report.json().put("answers", true).put("reason", "");
      case RankAnswer.Silence silence ->
          new JsonLine()
              .put("rank", silence.rank())
              .putJson("process", silence.process() == 0 ? null : String.valueOf(silence.process()))
              .put("answers", false)
              .put("reason", silence.reason());
    };
  }
}
