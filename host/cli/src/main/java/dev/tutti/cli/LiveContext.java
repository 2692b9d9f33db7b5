package dev.tutti.cli;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.plugin.PluginManager;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A context whose plugins come and go.
 *
 * @param context runs operations
 * @param plugins changes its plugins
 */
record LiveContext(Context context, PluginManager plugins) implements AutoCloseable {

  /** Opens contexts. */
  @FunctionalInterface
  interface Opener {

    /**
     * Serves what the directories say.
     *
     * @param builder the configuration, without plugins
     * @param trust the file of trusted keys if every plugin must be signed, else null
     * @param news gets a sentence for every change
     */
    LiveContext open(
        ContextBuilder builder, PluginPlaces places, @Nullable Path trust, Consumer<String> news);
  }

  @Override
  public void close() {
    context.close();
  }
}
