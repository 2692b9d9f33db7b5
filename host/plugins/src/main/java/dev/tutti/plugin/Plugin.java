package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that was loaded. Immutable.
 *
 * @param manifest what it says about itself
 * @param jar the file it came from, for a plugin of the application maybe a directory; null for
 *     algorithms of this process, and for what is in no file
 * @param algorithms its algorithms, sorted by operation and name
 * @param problems what was wrong with some of its providers; empty if all are fine
 */
public record Plugin(
    PluginManifest manifest,
    @Nullable Path jar,
    List<Algorithm> algorithms,
    List<PluginProblem> problems) {

  /** Takes immutable copies. */
  public Plugin {
    Arguments.require(manifest, "manifest");
    Arguments.require(algorithms, "algorithms");
    Arguments.require(problems, "problems");
    algorithms = List.copyOf(algorithms);
    problems = List.copyOf(problems);
  }

  /** The stable name of the plugin. */
  public String id() {
    return manifest.id();
  }

  /** The version of the plugin. */
  public String version() {
    return manifest.version();
  }

  /** The same plugin with another file in what is shown to people. */
  Plugin shownAs(Path file) {
    List<PluginProblem> renamed =
        problems.stream()
            .map(each -> new PluginProblem(file, each.plugin(), each.code(), each.message()))
            .toList();
    return new Plugin(manifest, file, algorithms, renamed);
  }
}
