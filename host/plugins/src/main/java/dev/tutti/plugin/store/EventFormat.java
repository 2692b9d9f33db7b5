package dev.tutti.plugin.store;

import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Discarded;
import dev.tutti.plugin.store.PluginEvent.Drained;
import dev.tutti.plugin.store.PluginEvent.Leaked;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.Refused;
import dev.tutti.plugin.store.PluginEvent.Removed;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unloaded;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;

/** The names and fields of events in the journal. They never change their meaning. */
final class EventFormat {

  private EventFormat() {}

  static void write(PluginEvent event, LineWriter line) {
    line.put("event", name(event)).put("plugin", event.plugin());
    switch (event) {
      case Staged e ->
          line.put("version", e.version())
              .put("sha256", e.sha256())
              .put("file", e.file())
              .put("bytes", e.bytes());
      case Admitted e ->
          line.put("version", e.version())
              .put("sha256", e.sha256())
              .put("hostVersion", e.hostVersion());
      case Quarantined e ->
          line.put("version", e.version())
              .put("sha256", e.sha256())
              .put("file", e.file())
              .put("hostVersion", e.hostVersion())
              .put("code", e.code())
              .put("report", e.report());
      case Serving e ->
          line.put("version", e.version())
              .put("sha256", e.sha256())
              .put("file", e.file())
              .put("previous", e.previous());
      case RolledBack e ->
          line.put("from", e.from())
              .put("to", e.to())
              .put("version", e.version())
              .put("file", e.file())
              .put("reason", e.reason())
              .put("automatic", e.isAutomatic());
      case Removed e -> line.put("sha256", e.sha256()).put("reason", e.reason());
      case Pinned e -> line.put("version", e.version());
      case Unpinned _ -> {}
      case Drained e ->
          line.put("sha256", e.sha256()).put("millis", e.millis()).put("remaining", e.remaining());
      case Unloaded e -> line.put("sha256", e.sha256());
      case Leaked e -> line.put("sha256", e.sha256()).put("suspects", e.suspects());
      case Refused e -> line.put("file", e.file()).put("code", e.code()).put("reason", e.reason());
      case Discarded e -> line.put("sha256", e.sha256());
    }
  }

  private static String name(PluginEvent event) {
    return switch (event) {
      case Staged _ -> "staged";
      case Admitted _ -> "admitted";
      case Quarantined _ -> "quarantined";
      case Serving _ -> "serving";
      case RolledBack _ -> "rolled-back";
      case Removed _ -> "removed";
      case Pinned _ -> "pinned";
      case Unpinned _ -> "unpinned";
      case Drained _ -> "drained";
      case Unloaded _ -> "unloaded";
      case Leaked _ -> "leaked";
      case Refused _ -> "refused";
      case Discarded _ -> "discarded";
    };
  }

  /** Reads an event whose name has been read; the order of arguments is that of fields. */
  static PluginEvent read(String name, JsonFields line) {
    String plugin = line.text("plugin");
    return switch (name) {
      case "staged" ->
          new Staged(
              plugin,
              line.text("version"),
              line.text("sha256"),
              line.text("file"),
              line.longNumber("bytes"));
      case "admitted" ->
          new Admitted(plugin, line.text("version"), line.text("sha256"), line.text("hostVersion"));
      case "quarantined" ->
          new Quarantined(
              plugin,
              line.text("version"),
              line.text("sha256"),
              line.text("file"),
              line.text("hostVersion"),
              line.text("code"),
              line.text("report"));
      case "serving" ->
          new Serving(
              plugin,
              line.text("version"),
              line.text("sha256"),
              line.text("file"),
              line.textOrNull("previous"));
      case "rolled-back" ->
          new RolledBack(
              plugin,
              line.text("from"),
              line.textOrNull("to"),
              line.text("version"),
              line.text("file"),
              line.text("reason"),
              line.flag("automatic"));
      case "removed" -> new Removed(plugin, line.text("sha256"), line.text("reason"));
      case "pinned" -> new Pinned(plugin, line.text("version"));
      case "unpinned" -> new Unpinned(plugin);
      case "drained" ->
          new Drained(
              plugin, line.text("sha256"), line.longNumber("millis"), line.longNumber("remaining"));
      case "unloaded" -> new Unloaded(plugin, line.text("sha256"));
      case "leaked" -> new Leaked(plugin, line.text("sha256"), line.strings("suspects"));
      case "refused" ->
          new Refused(plugin, line.text("file"), line.text("code"), line.text("reason"));
      case "discarded" -> new Discarded(plugin, line.text("sha256"));
      default ->
          throw new TuttiException(
              ErrorCode.PLUGIN_STATE, "this host does not know the event '%s'", name);
    };
  }
}
