package dev.tutti.host.config;

import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginSet;
import dev.tutti.plugin.live.Catalogues;
import dev.tutti.plugin.live.FollowedPlugins;
import dev.tutti.plugin.live.LivePlugins;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that a context serves.
 *
 * @param catalogues the current catalogue and later ones
 * @param unloading ends the service
 * @param live watched plugins; null if they are fixed, or another process watches them
 * @param followed plugins that another process of the job watches, or null
 */
public record ServedPlugins(
    Catalogues catalogues,
    Runnable unloading,
    @Nullable LivePlugins live,
    @Nullable FollowedPlugins followed) {

  public PluginSet plugins() {
    return catalogues.current().plugins();
  }

  public boolean areWatched() {
    return live != null || followed != null;
  }

  /**
   * The manager of the watched plugins.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if they cannot be managed here
   */
  public PluginManager manager() {
    if (live == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "%s",
          followed == null
              ? "the plugins of this context are fixed; open it with watchPlugins(directory, state)"
              : "rank 0 of the job watches and manages the plugins of all its processes; ask there");
    }
    return live;
  }

  public void close() {
    unloading.run();
  }
}
