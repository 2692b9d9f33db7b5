package dev.tutti.cli.host;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.plugin.PluginManager;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A context that watches its plugins.
 *
 * @param context runs operations
 * @param manager gives the manager of its plugins; throws in a process where they cannot be changed
 */
public record LiveContext(Context context, Supplier<PluginManager> manager)
    implements AutoCloseable {

  /** Opens contexts. */
  @FunctionalInterface
  public interface Opener {

    /**
     * Opens a context that serves the plugins of the directories.
     *
     * @param builder the configuration, without plugins
     * @param trust the file of trusted keys if every plugin must be signed, else null
     * @param news gets a sentence for every change
     */
    LiveContext open(
        ContextBuilder builder, PluginPlaces places, @Nullable Path trust, Consumer<String> news);
  }

  /**
   * Opens a context that watches its plugins directory. In a job, all its processes open one, and
   * rank 0 watches for all.
   */
  public static LiveContext open(
      ContextBuilder builder, PluginPlaces places, @Nullable Path trust, Consumer<String> news) {
    builder.watchPlugins(places.plugins(), places.state()).pluginNews(news);
    if (trust != null) {
      builder.requireSigned(trust);
    }
    Context context = builder.open();
    return new LiveContext(context, context::pluginManager);
  }

  /** The manager of its plugins. */
  public PluginManager plugins() {
    return manager.get();
  }

  @Override
  public void close() {
    context.close();
  }
}
