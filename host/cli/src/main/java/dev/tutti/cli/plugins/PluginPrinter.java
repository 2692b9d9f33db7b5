package dev.tutti.cli.plugins;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Table;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the status of plugins, as text or as one JSON object. */
public final class PluginPrinter {

  /** The state of a version that a host would serve. */
  private static final String READY = "ready";

  private static final int REASON_WIDTH = 60;
  private static final int ALGORITHMS_SHOWN = 2;

  private final Terminal terminal;
  private final boolean isJson;
  private final boolean isServing;
  private final Path state;

  /**
   * Makes a printer.
   *
   * @param state the state directory, even if the command uses a copy of it
   */
  PluginPrinter(Terminal terminal, boolean isJson, boolean isServing, Path state) {
    this.terminal = terminal;
    this.isJson = isJson;
    this.isServing = isServing;
    this.state = state;
  }

  /** Prints all plugins. */
  void list(PluginManager plugins) {
    List<PluginStatus> all = plugins.list();
    if (isJson) {
      terminal
          .out()
          .println(
              new JsonLine()
                  .put("plugins", plugins.directory().toString())
                  .put("state", state.toString())
                  .put("serving", isServing)
                  .putLines("versions", all.stream().map(PluginPrinter::json).toList()));
    } else if (all.isEmpty()) {
      terminal.out().println("no plugins in " + plugins.directory());
    } else {
      print(all);
    }
  }

  private void print(List<PluginStatus> all) {
    Table table =
        new Table(
            "plugin", "version", "state", "file", "algorithms", ">runs", "signature", "reason");
    for (PluginStatus each : all) {
      table.row(
          orHyphen(each.id()),
          orHyphen(each.version()),
          shownState(each),
          fileName(each.file()),
          algorithms(each.algorithms()),
          each.runs(),
          orHyphen(each.signature()),
          shortened(each.reason()));
    }
    (hasSignature(all) ? table : table.without("signature")).print(terminal);
  }

  /** Whether any plugin has a signature to show. */
  public static boolean hasSignature(List<PluginStatus> all) {
    return all.stream().anyMatch(PluginPrinter::hasSignature);
  }

  private static boolean hasSignature(PluginStatus status) {
    return !status.signature().isEmpty() && !status.signature().equals("not signed");
  }

  /** Prints one plugin after a change. */
  void status(PluginStatus status) {
    if (isJson) {
      terminal.out().println(json(status));
      return;
    }
    terminal
        .out()
        .println(
            Sentence.of(
                "%s %s: %s; %s%s",
                status.id(),
                status.version(),
                shownState(status),
                status.reason(),
                hasSignature(status) ? "; " + status.signature() : ""));
    if (!status.algorithms().isEmpty()) {
      terminal.out().println("algorithms: " + String.join(", ", status.algorithms()));
    }
  }

  /** Prints changes. */
  void changes(List<String> sentences) {
    if (isJson) {
      terminal.out().println(new JsonLine().putTexts("changes", sentences));
    } else if (sentences.isEmpty()) {
      terminal.out().println("nothing has changed");
    } else {
      sentences.forEach(terminal.out()::println);
    }
  }

  /** Prints an explanation. */
  void paragraph(String plugin, String text) {
    terminal.out().println(isJson ? new JsonLine().put("plugin", plugin).put("why", text) : text);
  }

  /** The status with all fields. */
  public static JsonLine json(PluginStatus status) {
    Path file = status.file();
    return new JsonLine()
        .put("id", status.id())
        .put("version", status.version())
        .put("content", status.content())
        .put("file", file == null ? null : file.toString())
        .put("state", status.state().label())
        .put("reason", status.reason())
        .put("signature", status.signature())
        .put("pinned", status.isPinned())
        .putTexts("algorithms", status.algorithms())
        .put("since", status.since().toString())
        .put("plans", status.plans())
        .put("runs", status.runs())
        .put("failures", status.failures());
  }

  /** The state of a plugin, and whether it is pinned. */
  public static String state(PluginStatus status) {
    return status.state().label() + (status.isPinned() ? ", pinned" : "");
  }

  /** The state to show: without a host, no version is served, but it is ready to be. */
  private String shownState(PluginStatus status) {
    return isServing || status.state() != PluginStatus.State.SERVING
        ? state(status)
        : READY + (status.isPinned() ? ", pinned" : "");
  }

  private static String orHyphen(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String fileName(@Nullable Path file) {
    return file == null ? "-" : String.valueOf(file.getFileName());
  }

  private static String algorithms(List<String> names) {
    if (names.isEmpty()) {
      return "-";
    }
    String first = String.join(", ", names.subList(0, Math.min(ALGORITHMS_SHOWN, names.size())));
    int more = names.size() - ALGORITHMS_SHOWN;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  private static String shortened(String reason) {
    String line = Sentence.firstLine(reason);
    return line.length() <= REASON_WIDTH ? line : line.substring(0, REASON_WIDTH - 1) + "…";
  }
}
