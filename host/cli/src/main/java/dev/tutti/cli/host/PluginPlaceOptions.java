package dev.tutti.cli.host;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a host by its directories. */
public final class PluginPlaceOptions {

  @Option(
      names = "--plugins",
      paramLabel = "<dir>",
      description = "The plugins directory of the host. Default: Tutti's own.")
  private @Nullable Path plugins;

  @Option(
      names = "--state",
      paramLabel = "<dir>",
      description =
          "The state directory of the host. Default: its plugins directory with .state"
              + " after the name.")
  private @Nullable Path state;

  /** Whether one of the directories is named. */
  public boolean areGiven() {
    return plugins != null || state != null;
  }

  public PluginPlaces places(Hosts hosts) {
    return PluginPlaces.of(plugins, state, hosts.usualPlugins());
  }

  /** The state directory; null if none is known. */
  public @Nullable Path state(Hosts hosts) {
    return PluginPlaces.state(plugins, state, hosts.usualPlugins());
  }
}
