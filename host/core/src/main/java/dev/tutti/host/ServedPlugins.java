package dev.tutti.host;

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
record ServedPlugins(Catalogues catalogues, Runnable unloading, @Nullable PluginManager manager) {

  PluginSet plugins() {
    return catalogues.current().plugins();
  }

  boolean areWatched() {
    return manager != null;
  }

  void close() {
    unloading.run();
  }
}
