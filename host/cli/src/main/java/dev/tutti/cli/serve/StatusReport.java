package dev.tutti.cli.serve;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.control.RefusedClients;
import dev.tutti.cli.host.GroupUse;
import dev.tutti.cli.host.HostNews;
import dev.tutti.cli.host.LiveHost;
import dev.tutti.cli.host.Load;
import dev.tutti.cli.job.GroupJson;
import dev.tutti.cli.job.JobReport;
import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.plugins.PluginPrinter;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.ReportTarget;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Text;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.host.Group;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status of a host that serves. */
final class StatusReport {

  /** A group that makes progress within this time has no problem. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** The largest number of ranks in a list. */
  private static final int MAX_RANKS = 32;

  private final LiveHost host;
  private final ProcessFacts process;
  private final Instant now = Instant.now();
  private final List<Algorithm> algorithms;
  private final List<PluginStatus> plugins;
  private final List<GroupUse> groups;
  private final List<GroupStatus> statuses;
  private final List<AlgorithmUse> use;
  private final PlanCacheStats plans;
  private final Load.@Nullable Counts load;

  /** The jobs; if this host is a rank of one, that job comes first. */
  private final List<JobReport> jobs;

  StatusReport(LiveHost host, ProcessFacts process, List<JobReport> jobs) {
    this.jobs = jobs;
    this.host = host;
    this.process = process;
    algorithms = host.context().planPool().algorithms();
    plugins = host.plugins().list();
    groups = host.groups().stream().sorted(Comparator.comparing(GroupUse::since)).toList();
    use = host.context().algorithmUse();
    statuses = host.context().status(PATIENCE);
    plans =
        host.context().groups().stream()
            .map(Group::planCache)
            .reduce(PlanCacheStats.NONE, PlanCacheStats::plus);
    Load running = host.load();
    load = running == null ? null : running.counts();
  }

  void print(ReportTarget target) {
    Table table = new Table("host", TuttiVersion.line());
    table.row("process", Sentence.of("pid %d, up %s", process.pid(), time(host.start())));
    table.row("plugins", host.places().plugins());
    table.row("state", host.places().state());
    table.row("catalogue", catalogue());
    if (plans.plans() > 0) {
      table.row("plans", plans(plans));
    }
    table.row("memory", memory());
    table.row("threads", process.threads());
    table.row(
        "classes",
        Sentence.of("%d loaded, %d unloaded", process.loadedClasses(), process.unloadedClasses()));
    if (load != null) {
      table.row("load", load(load));
    }
    host.refused().summary().ifPresent(each -> table.row("refused", refused(each)));
    target.facts(table);
    printPlugins(target);
    printUse(target);
    printGroups(target);
    if (host.context().rte().ranks() == 0) {
      statuses.stream().filter(StatusReport::isShown).forEach(each -> print(each, target));
    }
    jobs.forEach(
        each -> {
          target.gap();
          each.print(target);
        });
    printChanges(target);
  }

  private String catalogue() {
    return Sentence.of(
        "%s of %s for %s",
        Text.count(algorithms.size(), "algorithm"),
        Text.count(algorithms.stream().map(Algorithm::plugin).distinct().count(), "plugin"),
        Text.count(operations(), "operation"));
  }

  private long operations() {
    return algorithms.stream().map(Algorithm::operation).distinct().count();
  }

  private String memory() {
    return Sentence.of(
        "heap %s of %s, classes and code %s",
        Sizes.bytes(process.heapBytes()),
        Sizes.bytes(process.maxHeapBytes()),
        Sizes.bytes(process.otherBytes()));
  }

  private static String plans(PlanCacheStats plans) {
    return Sentence.of(
        "%s in %s, %d made from that of another count; %s",
        Text.count(plans.plans(), "plan"),
        Text.count(plans.structures(), "structure"),
        plans.clones(),
        Sizes.bytes(plans.bytes()));
  }

  private static String load(Load.Counts load) {
    return Sentence.of(
        "%s, %s, %s: %s, %d verified, %d wrong, %d failed%s",
        load.operation(),
        Text.count(load.ranks(), "rank"),
        Sizes.bytes(load.bytes()),
        Text.count(load.runs(), "run"),
        load.verified(),
        load.wrong(),
        load.failures(),
        load.algorithm().isEmpty() ? "" : "; with " + load.algorithm());
  }

  private static String refused(RefusedClients.Summary clients) {
    return Sentence.of(
        "%s of the control socket, the last at %s: %s",
        Text.count(clients.count(), "client"),
        clients.time().truncatedTo(ChronoUnit.SECONDS),
        clients.reason());
  }

  private void printPlugins(ReportTarget target) {
    if (plugins.isEmpty()) {
      return;
    }
    Table table =
        new Table("plugin", "version", "state", ">plans", ">runs", ">failures", "signature");
    for (PluginStatus each : plugins) {
      table.row(
          each.id().isEmpty() ? String.valueOf(each.file()) : each.id(),
          each.version(),
          PluginPrinter.state(each),
          each.plans(),
          each.runs(),
          each.failures(),
          each.signature());
    }
    target.gap();
    target.table(
        "plugins", PluginPrinter.hasSignature(plugins) ? table : table.without("signature"));
  }

  private void printUse(ReportTarget target) {
    if (use.isEmpty()) {
      return;
    }
    Table table =
        new Table("operation", "algorithm", ">calls", ">bytes", ">time", ">waits", ">failures");
    for (AlgorithmUse each : use) {
      table.row(
          each.operation(),
          each.algorithm(),
          each.calls(),
          Sizes.bytes(each.bytes()),
          seconds(each.nanos()),
          seconds(each.waitedNanos()),
          each.failures());
    }
    target.gap();
    target.table("operations", table);
  }

  private static String seconds(long nanos) {
    return Sentence.of("%.3f s", nanos / 1e9);
  }

  private void printGroups(ReportTarget target) {
    if (groups.isEmpty()) {
      return;
    }
    Table table = new Table("group of", ">ranks", ">for");
    groups.forEach(each -> table.row(each.user(), each.ranks(), time(each.since())));
    target.gap();
    target.table("groups in use", table);
  }

  /** Whether to show a group; idle groups are left out. */
  private static boolean isShown(GroupStatus group) {
    return group.state() != GroupStatus.State.IDLE;
  }

  private static void print(GroupStatus group, ReportTarget target) {
    target.gap();
    target.heading(
        Sentence.of("group %d", group.number()), " (" + group.title() + ") is " + group.doing());
    group.lines(MAX_RANKS, "; --json has them all").forEach(target::line);
  }

  private void printChanges(ReportTarget target) {
    List<HostNews.Item> changes = host.news();
    if (!changes.isEmpty()) {
      target.gap();
      target.heading("last changes", "");
      changes.forEach(each -> target.line(each.toString()));
    }
  }

  private String time(Instant since) {
    return Text.time(Duration.between(since, now));
  }

  JsonLine json() {
    return new JsonLine()
        .put("version", TuttiVersion.number())
        .put("pid", process.pid())
        .put("startedAt", host.start().toString())
        .put("uptimeSeconds", Duration.between(host.start(), now).toSeconds())
        .put("pluginsDirectory", host.places().plugins().toString())
        .put("stateDirectory", host.places().state().toString())
        .put("algorithms", algorithms.size())
        .put("operations", operations())
        .put("heapBytes", process.heapBytes())
        .put("maxHeapBytes", process.maxHeapBytes())
        .put("otherBytes", process.otherBytes())
        .put("threads", process.threads())
        .put("loadedClasses", process.loadedClasses())
        .put("unloadedClasses", process.unloadedClasses())
        .putJson("planCache", json(plans).toString())
        .putJson("load", load == null ? null : json(load).toString())
        .putLines("plugins", plugins.stream().map(PluginPrinter::json).toList())
        .putLines("use", use.stream().map(StatusReport::json).toList())
        .putLines("groups", groups.stream().map(StatusReport::json).toList())
        .putLines("activity", statuses.stream().map(each -> GroupJson.of(each, MAX_RANKS)).toList())
        .putJson("refusedClients", refusedClients())
        .putLines("changes", host.news().stream().map(StatusReport::json).toList())
        .putLines("jobs", jobs.stream().map(JobReport::json).toList());
  }

  private @Nullable String refusedClients() {
    return host.refused()
        .summary()
        .map(
            each ->
                new JsonLine()
                    .put("count", each.count())
                    .put("lastAt", each.time().toString())
                    .put("lastReason", each.reason())
                    .toString())
        .orElse(null);
  }

  private static JsonLine json(PlanCacheStats plans) {
    return new JsonLine()
        .put("plans", plans.plans())
        .put("structures", plans.structures())
        .put("clones", plans.clones())
        .put("bytes", plans.bytes())
        .put("hits", plans.hits())
        .put("misses", plans.misses())
        .put("evictions", plans.evictions());
  }

  private static JsonLine json(Load.Counts load) {
    return new JsonLine()
        .put("operation", load.operation())
        .put("ranks", load.ranks())
        .put("bytes", load.bytes())
        .put("algorithm", load.algorithm())
        .put("runs", load.runs())
        .put("verified", load.verified())
        .put("wrong", load.wrong())
        .put("failures", load.failures())
        .put("lastFailure", load.lastFailure());
  }

  private static JsonLine json(GroupUse group) {
    return new JsonLine()
        .put("command", group.user())
        .put("ranks", group.ranks())
        .put("since", group.since().toString());
  }

  private static JsonLine json(AlgorithmUse each) {
    return new JsonLine()
        .put("operation", each.operation())
        .put("algorithm", each.algorithm())
        .put("calls", each.calls())
        .put("bytes", each.bytes())
        .put("nanos", each.nanos())
        .put("waitedNanos", each.waitedNanos())
        .put("failures", each.failures());
  }

  private static JsonLine json(HostNews.Item item) {
    return new JsonLine().put("time", item.time().toString()).put("text", item.text());
  }
}
