package dev.tutti.cli.job;

import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.host.Context;
import dev.tutti.host.status.GroupStatus;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessReport.ServedPlugin;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of a process about itself.
 *
 * @param rank its rank, or the first of its ranks
 * @param ranksHere the number of its ranks, which are consecutive
 * @param ranks the number of ranks of its job
 * @param process its number
 * @param machine its machine; empty if it is this one
 * @param isReady whether all processes have joined each other
 * @param facts the facts that it reports, including what it knows about its groups
 */
record RankReport(
    int rank,
    int ranksHere,
    int ranks,
    long process,
    String machine,
    boolean isReady,
    ProcessReport facts) {

  /** A group that makes progress within this time has no problem. */
  static final Duration PATIENCE = Duration.ofMillis(100);

  /**
   * The report of this process, which has one rank.
   *
   * @param context its context; null while it waits for the others
   */
  static RankReport of(int rank, int ranks, @Nullable Context context) {
    ProcessReport facts =
        context == null ? ProcessReport.here(List.of(), List.of()) : context.report(PATIENCE);
    long process = ProcessHandle.current().pid();
    return new RankReport(rank, 1, ranks, process, "", context != null, facts);
  }

  JsonLine json() {
    return new JsonLine()
        .put("rank", rank)
        .put("ranksHere", ranksHere)
        .put("ranks", ranks)
        .put("process", process)
        .put("machine", machine)
        .put("startedAt", facts.start().toString())
        .put("isReady", isReady)
        .put("heapBytes", facts.heapBytes())
        .put("threads", facts.threads())
        .putLines("plugins", facts.plugins().stream().map(RankReport::json).toList())
        .putLines(
            "groups", facts.groups().stream().map(each -> GroupJson.of(each, ranks)).toList());
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
    List<ServedPlugin> plugins = new ArrayList<>();
    fields.list("plugins").forEach(each -> plugins.add(readPlugin(each)));
    List<GroupStatus> groups = new ArrayList<>();
    fields.list("groups").forEach(each -> groups.add(GroupJson.read(each)));
    return new RankReport(
        fields.number("rank"),
        fields.number("ranksHere"),
        fields.number("ranks"),
        fields.longNumber("process"),
        fields.text("machine"),
        fields.flag("isReady"),
        new ProcessReport(
            Instant.parse(fields.text("startedAt")),
            fields.longNumber("heapBytes"),
            fields.number("threads"),
            plugins,
            groups));
  }

  private static JsonLine json(ServedPlugin plugin) {
    return new JsonLine()
        .put("id", plugin.id())
        .put("version", plugin.version())
        .put("algorithms", plugin.algorithms());
  }

  private static ServedPlugin readPlugin(Node node) {
    JsonFields fields = new JsonFields(node, "a plugin", ErrorCode.HOST_UNREACHABLE);
    return new ServedPlugin(fields.text("id"), fields.text("version"), fields.number("algorithms"));
  }
}
