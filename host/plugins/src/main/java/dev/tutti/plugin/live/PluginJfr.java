package dev.tutti.plugin.live;

import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events of plugins for the flight recorder. */
final class PluginJfr {

  private PluginJfr() {}

  /** The fields of all these events. */
  @Category({"Tutti", "Plugins"})
  @StackTrace(false)
  abstract static class PluginJfrEvent extends Event {
    @Label("Plugin")
    String plugin = "";

    @Label("Version")
    String version = "";

    @Label("Content")
    @Description("SHA-256 of the jar")
    String content = "";

    /** Ends the event and commits it, if it is enabled. */
    void commit(String ofPlugin, String ofVersion, String ofContent) {
      end();
      if (shouldCommit()) {
        plugin = ofPlugin;
        version = ofVersion;
        content = ofContent;
        commit();
      }
    }
  }

  /** A jar was loaded. */
  @Name("dev.tutti.PluginLoad")
  @Label("Plugin Load")
  static final class Load extends PluginJfrEvent {}

  /** A plugin was checked for admission. */
  @Name("dev.tutti.PluginVerify")
  @Label("Plugin Verify")
  static final class Verify extends PluginJfrEvent {
    @Label("Cases")
    int cases;

    @Label("Admitted")
    boolean isAdmitted;
  }

  /** A version took over. */
  @Name("dev.tutti.PluginSwap")
  @Label("Plugin Swap")
  static final class Swap extends PluginJfrEvent {}

  /** No thread plans with a retired version or runs its plans any more. */
  @Name("dev.tutti.PluginDrain")
  @Label("Plugin Drain")
  static final class Drain extends PluginJfrEvent {
    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;
  }

  /** A closed version was collected, or was not. */
  @Name("dev.tutti.PluginUnload")
  @Label("Plugin Unload")
  static final class Unload extends PluginJfrEvent {
    @Label("Collected")
    boolean isCollected;

    @Label("Suspects")
    String suspects = "";
  }

  /** A version was rolled back. */
  @Name("dev.tutti.PluginRollback")
  @Label("Plugin Rollback")
  static final class Revert extends PluginJfrEvent {
    @Label("Automatic")
    boolean isAutomatic;

    @Label("Reason")
    String reason = "";
  }

  static void drained(Generation generation, Duration took) {
    Drain event = new Drain();
    event.waited = took.toNanos();
    event.commit(generation.plugin(), generation.version(), generation.content());
  }

  static void swapped(Generation generation) {
    new Swap().commit(generation.plugin(), generation.version(), generation.content());
  }

  static void unloaded(UnloadWatch.Outcome outcome) {
    Unload event = new Unload();
    event.isCollected = outcome.isCollected();
    event.suspects = String.join("; ", outcome.suspects());
    event.commit(outcome.plugin(), outcome.version(), outcome.content());
  }
}
