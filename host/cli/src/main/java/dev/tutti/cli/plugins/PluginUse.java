package dev.tutti.cli.plugins;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.host.LiveContext;
import dev.tutti.cli.host.PluginPlaces;
import dev.tutti.cli.host.Session;
import dev.tutti.cli.host.TemporaryDirectory;
import dev.tutti.plugin.PluginManager;

/**
 * The plugins that a command reads or changes: those of the host that serves, or those that a host
 * would serve.
 *
 * @param plugins the manager of the plugins
 * @param isServing whether a host serves them
 * @param end called when the command is over
 */
record PluginUse(PluginManager plugins, boolean isServing, Runnable end) implements AutoCloseable {

  static PluginUse of(Session session) {
    return new PluginUse(session.host().plugins(), true, () -> {});
  }

  /** Opens the directories for one command. */
  static PluginUse open(Hosts hosts, PluginPlaces places) {
    LiveContext live =
        hosts.opener().open(hosts.builders().get().workers(1), places, null, text -> {});
    return new PluginUse(live.plugins(), false, live::close);
  }

  /** The same, but its end also deletes a directory. */
  PluginUse endingWith(TemporaryDirectory directory) {
    return new PluginUse(
        plugins,
        isServing,
        () -> {
          try (directory) {
            end.run();
          }
        });
  }

  @Override
  public void close() {
    end.run();
  }
}
