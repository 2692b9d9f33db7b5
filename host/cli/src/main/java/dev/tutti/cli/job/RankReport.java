package dev.tutti.cli.job;

import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.host.Context;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessStatus;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.ErrorCode;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a process about itself.
 *
 * @param rank its rank, or the first of them
 * @param ranksHere the number of its ranks, which follow one another
 * @param ranks the number of ranks of its job
 * @param process its number
 * @param machine its machine; empty if it is this one
 * @param start when it began
 * @param isReady whether all processes have joined each other
 * @param heapBytes used heap
 * @param threads live threads
 * @param plugins the plugins that it serves
 * @param groups the status of its groups, as far as it knows, in their order
 */
record RankReport(
    int rank,
    int ranksHere,
    int ranks,
    long process,
    String machine,
    Instant start,
    boolean isReady,
    long heapBytes,
    int threads,
    List<Served> plugins,
    List<GroupStatus> groups) {

  /** Groups that make progress within this time have no problem to show. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /**
   * A plugin that is served.
   *
   * @param id its stable name
   * @param version its version
   * @param algorithms the number of its algorithms
   */
  record Served(String id, String version, int algorithms) {

    private static Served of(Plugin plugin) {
      return new Served(plugin.id(), plugin.version(), plugin.algorithms().size());
    }

    JsonLine json() {
      return new JsonLine().put("id", id).put("version", version).put("algorithms", algorithms);
    }

    private static Served read(Node node) {
      JsonFields fields = new JsonFields(node, "a plugin", ErrorCode.HOST_UNREACHABLE);
      return new Served(fields.text("id"), fields.text("version"), fields.number("algorithms"));
    }
  }

  /** Takes immutable copies. */
  RankReport {
    plugins = List.copyOf(plugins);
    groups = List.copyOf(groups);
  }

  /**
   * The report of this process.
   *
   * @param context its context; null while it waits for the others
   */
  static RankReport of(int rank, int ranks, Instant start, @Nullable Context context) {
    return new RankReport(
        rank,
        1,
        ranks,
        ProcessHandle.current().pid(),
        "",
        start,
        context != null,
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        context == null ? List.of() : context.plugins().plugins().stream().map(Served::of).toList(),
        context == null ? List.of() : context.status(PATIENCE));
  }

  /**
   * The report of a process of a job that MPI connects.
   *
   * @param first its first rank
   * @param ranks the number of ranks of its job
   * @param machine its machine; empty if it is this one
   */
  static RankReport of(
      ProcessStatus status, ProcessReport report, int first, int ranks, String machine) {
    return new RankReport(
        first,
        status.ranks().size(),
        ranks,
        status.process(),
        machine,
        report.start(),
        true,
        report.heapBytes(),
        report.threads(),
        report.plugins().stream()
            .map(each -> new Served(each.id(), each.version(), each.algorithms()))
            .toList(),
        report.groups());
  }

  JsonLine json() {
    return new JsonLine()
        .put("rank", rank)
        .put("ranksHere", ranksHere)
        .put("ranks", ranks)
        .put("process", process)
        .put("machine", machine)
        .put("startedAt", start.toString())
        .put("isReady", isReady)
        .put("heapBytes", heapBytes)
        .put("threads", threads)
        .putLines("plugins", plugins.stream().map(Served::json).toList())
        .putLines("groups", groups.stream().map(each -> GroupJson.of(each, ranks)).toList());
  }

  /**
   * Reads what {@link #json} has written.
   *
   * @throws dev.tutti.sdk.TuttiException with {@link ErrorCode#HOST_UNREACHABLE} if it is another
   *     text
   */
  static RankReport read(String text) {
    return read(
        JsonFields.read(
            text.getBytes(StandardCharsets.UTF_8), "a report", ErrorCode.HOST_UNREACHABLE));
  }

  /** The same from its fields. */
  static RankReport read(JsonFields fields) {
    List<Served> plugins = new ArrayList<>();
    fields.list("plugins").forEach(each -> plugins.add(Served.read(each)));
    List<GroupStatus> groups = new ArrayList<>();
    fields.list("groups").forEach(each -> groups.add(GroupJson.read(each)));
    return new RankReport(
        fields.number("rank"),
        fields.number("ranksHere"),
        fields.number("ranks"),
        fields.longNumber("process"),
        fields.text("machine"),
        Instant.parse(fields.text("startedAt")),
        fields.flag("isReady"),
        fields.longNumber("heapBytes"),
        fields.number("threads"),
        plugins,
        groups);
  }
}
