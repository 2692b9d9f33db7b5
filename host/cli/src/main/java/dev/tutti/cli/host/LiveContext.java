package dev.tutti.cli.host;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.plugin.PluginManager;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A context whose plugins come and go.
 *
 * @param context runs operations
 * @param plugins changes its plugins
 */
public record LiveContext(Context context, PluginManager plugins) implements AutoCloseable {

  /** Opens contexts. */
  @FunctionalInterface
  public interface Opener {

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

  /** Opens a context that watches its plugins directory. */
  public static LiveContext open(
      ContextBuilder builder, PluginPlaces places, @Nullable Path trust, Consumer<String> news) {
    builder.watchPlugins(places.plugins(), places.state()).pluginNews(news);
    if (trust != null) {
      builder.requireSigned(trust);
    }
    Context context = builder.open();
    return new LiveContext(context, context.pluginManager());
  }

  /** Opens a context as a rank of a job, whose plugins stay. */
  public static LiveContext ofRank(
      ContextBuilder builder, PluginPlaces places, @Nullable Path trust) {
    if (trust != null) {
      throw unsigned();
    }
    Context context = builder.pluginsDirectory(places.plugins()).open();
    return new LiveContext(context, new FixedPlugins(context, places));
  }

  /** Signatures are looked at where plugins come and go. */
  public static TuttiException unsigned() {
    return new TuttiException(
        ErrorCode.UNSUPPORTED,
        "the processes of a job load plugins without a look at signatures; leave out --processes, or"
            + " --require-signed and --trust");
  }

  @Override
  public void close() {
    context.close();
  }
}
