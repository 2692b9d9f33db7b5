package dev.tutti.host.config;

import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginSet;
import dev.tutti.plugin.live.Catalogues;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that a context serves.
 *
 * @param catalogues what is served, now and later
 * @param unloading ends the service
 * @param manager what watched plugins are managed with; null if they are fixed
 */
public record ServedPlugins(
    Catalogues catalogues, Runnable unloading, @Nullable PluginManager manager) {

  public PluginSet plugins() {
    return catalogues.current().plugins();
  }

  public boolean areWatched() {
    return manager != null;
  }

  public void close() {
    unloading.run();
  }
}
