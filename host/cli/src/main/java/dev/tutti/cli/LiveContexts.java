package dev.tutti.cli;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens contexts that watch their plugins directory. */
final class LiveContexts {

  private LiveContexts() {}

  static LiveContext open(
      ContextBuilder builder, PluginPlaces places, @Nullable Path trust, Consumer<String> news) {
    builder.watchPlugins(places.plugins(), places.state()).pluginNews(news);
    if (trust != null) {
      builder.requireSigned(trust);
    }
    Context context = builder.open();
    return new LiveContext(context, context.pluginManager());
  }
}
