package dev.tutti.cli.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The plugins directory and the state directory of a host. Both are absolute, so that they mean the
 * same in every process.
 *
 * @param plugins the plugins directory
 * @param state the state directory
 */
public record PluginPlaces(Path plugins, Path state) {

  private static final String SUFFIX = ".state";

  /**
   * The two directories; the one that is not named is beside the other one, as {@code plugins} and
   * {@code plugins.state}.
   *
   * @param usual the plugins directory if neither is named; null if none is known
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if the name of the state
   *     directory does not determine the plugins directory; {@link ErrorCode#PLUGIN_UNREADABLE} if
   *     none is known
   */
  static PluginPlaces of(@Nullable Path plugins, @Nullable Path state, @Nullable Path usual) {
    if (plugins != null || state == null) {
      Path directory = absolute(plugins == null ? known(usual) : plugins);
      return new PluginPlaces(directory, state == null ? stateOf(directory) : absolute(state));
    }
    Path directory = absolute(state);
    String name = String.valueOf(directory.getFileName());
    if (usual != null && directory.equals(stateOf(absolute(usual)))) {
      return new PluginPlaces(absolute(usual), directory);
    }
    if (!name.endsWith(SUFFIX) || name.length() == SUFFIX.length()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the state directory %s does not record its plugins directory; name that too, with"
              + " --plugins",
          state);
    }
    String pluginsName = name.substring(0, name.length() - SUFFIX.length());
    return new PluginPlaces(directory.resolveSibling(pluginsName), directory);
  }

  /** Only the state directory, which needs fewer options; null if it is not known. */
  static @Nullable Path state(@Nullable Path plugins, @Nullable Path state, @Nullable Path usual) {
    if (state != null) {
      return absolute(state);
    }
    Path directory = plugins == null ? usual : plugins;
    return directory == null ? null : stateOf(absolute(directory));
  }

  private static Path known(@Nullable Path usual) {
    if (usual == null) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          "no plugins directory is known; name one with --plugins, or start with the script tutti");
    }
    return usual;
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private static Path stateOf(Path plugins) {
    return plugins.resolveSibling(plugins.getFileName() + SUFFIX);
  }
}
