package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that was loaded. Immutable.
 *
 * @param manifest its manifest
 * @param jar the file it came from, or a directory for a plugin of the application; null for
 *     algorithms of this process, and if there is no file
 * @param algorithms its algorithms, sorted by operation and name
 * @param problems the problems of its providers; empty if there are none
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

  /** The same plugin with another file in messages and lists. */
  Plugin shownAs(Path file) {
    List<PluginProblem> renamed =
        problems.stream()
            .map(each -> new PluginProblem(file, each.plugin(), each.code(), each.message()))
            .toList();
    return new Plugin(manifest, file, algorithms, renamed);
  }
}
