package dev.tutti.cli.catalogue;

import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginSet;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Algorithms to inspect without running them, and the problems of their plugins. Closing the
 * catalogue unloads them.
 *
 * @param plugins the loaded plugins
 * @param owner closes the plugins
 */
public record AlgorithmCatalogue(PluginSet plugins, Runnable owner) implements AutoCloseable {

  /** The plugins of the given directories, or of the default ones. */
  public static AlgorithmCatalogue ofHost(
      Hosts hosts, List<Path> directories, Duration planningLimit) {
    Context context = hosts.builder(directories).planningLimit(planningLimit).workers(1).open();
    return new AlgorithmCatalogue(context.plugins(), context::close);
  }

  /** The plugins of a context, which stays open. */
  public static AlgorithmCatalogue of(Context context) {
    return new AlgorithmCatalogue(context.plugins(), () -> {});
  }

  /**
   * The plugins of jars and directories, and no others.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if a directory cannot be read
   */
  public static AlgorithmCatalogue ofPaths(List<Path> paths, Duration planningLimit) {
    PluginSet.Builder builder = PluginSet.builder().limit(planningLimit);
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        builder.directory(path);
      } else {
        builder.jar(path);
      }
    }
    PluginSet plugins = builder.load();
    return new AlgorithmCatalogue(plugins, plugins::close);
  }

  /** Every algorithm. */
  public List<Algorithm> algorithms() {
    return plugins.algorithms();
  }

  /**
   * Refuses a catalogue without algorithms.
   *
   * @param paths the loaded paths; empty for the default plugins
   * @throws TuttiException with the code of the first problem; {@link ErrorCode#PLUGIN_UNREADABLE}
   *     if there are no problems
   */
  public void requireAlgorithms(List<Path> paths) {
    if (!algorithms().isEmpty()) {
      return;
    }
    String where =
        paths.isEmpty()
            ? "the plugins directory"
            : paths.stream().map(Path::toString).collect(Collectors.joining(", "));
    if (plugins.problems().isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          "there is no algorithm in %s: no file there ends in .jar; build the plugin, or name"
              + " another place",
          where);
    }
    throw new TuttiException(
        plugins.problems().getFirst().code(),
        "there is no algorithm that can be loaded in %s; fix the plugin problems",
        where);
  }

  /** Prints every problem. */
  public void printProblems(Terminal terminal) {
    plugins
        .problems()
        .forEach(problem -> terminal.err().println("tutti: plugin problem: " + problem));
  }

  @Override
  public void close() {
    owner.run();
  }
}
