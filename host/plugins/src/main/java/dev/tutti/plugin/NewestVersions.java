package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Chooses the newest version if a plugin has several jars, as a host that watches its plugins does.
 * Jars without problems take precedence. Among equal versions, the file that was written later
 * wins, then the one with the greater name.
 */
final class NewestVersions {

  private static final Comparator<JarLoader.Loaded> NEWEST_LAST =
      Comparator.comparing((JarLoader.Loaded each) -> each.plugin().problems().isEmpty())
          .thenComparing(each -> each.plugin().version(), VersionOrder.INSTANCE)
          .thenComparingLong(each -> modifiedMillis(jar(each)))
          .thenComparing(each -> jar(each).getFileName().toString());

  private NewestVersions() {}

  /**
   * Leaves one plugin for each id, and closes the others.
   *
   * @param problems receives the problems of jars that are passed over
   * @param notes receives a sentence for each jar that is passed over
   */
  static List<JarLoader.Loaded> resolve(
      List<JarLoader.Loaded> loaded, List<PluginProblem> problems, List<String> notes) {
    Map<String, List<JarLoader.Loaded>> byId =
        loaded.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.plugin().id(), TreeMap::new, Collectors.toList()));
    List<JarLoader.Loaded> unique = new ArrayList<>();
    for (List<JarLoader.Loaded> same : byId.values()) {
      if (same.size() == 1) {
        unique.add(same.getFirst());
      } else if (same.stream().anyMatch(each -> each.plugin().jar() == null)) {
        same.forEach(each -> problems.add(claimed(each.plugin())));
        same.forEach(JarLoader.Loaded::close);
      } else {
        unique.add(newest(same, problems, notes));
      }
    }
    return unique;
  }

  private static JarLoader.Loaded newest(
      List<JarLoader.Loaded> same, List<PluginProblem> problems, List<String> notes) {
    List<JarLoader.Loaded> sorted = same.stream().sorted(NEWEST_LAST).toList();
    JarLoader.Loaded newest = sorted.getLast();
    for (JarLoader.Loaded each : sorted.subList(0, sorted.size() - 1)) {
      notes.add(
          Sentence.of(
              "%s %s in %s is passed over, because version %s in %s %s",
              each.plugin().id(),
              each.plugin().version(),
              jar(each).getFileName(),
              newest.plugin().version(),
              jar(newest).getFileName(),
              newest.plugin().problems().isEmpty() && !each.plugin().problems().isEmpty()
                  ? "has no problems"
                  : "is the newest"));
      problems.addAll(each.plugin().problems());
      each.close();
    }
    return newest;
  }

  private static PluginProblem claimed(Plugin plugin) {
    return new PluginProblem(
        plugin.jar(),
        plugin.id(),
        ErrorCode.PLUGIN_DUPLICATE,
        Sentence.of(
            "the id '%s' is claimed by a jar and by algorithms of this process, and none of them is"
                + " used; give the jar another id",
            plugin.id()));
  }

  private static Path jar(JarLoader.Loaded loaded) {
    return Objects.requireNonNull(loaded.plugin().jar(), "of a jar");
  }

  /** The time of the last change; a file that is gone counts as the oldest. */
  private static long modifiedMillis(Path jar) {
    return Files.exists(jar) ? jar.toFile().lastModified() : 0;
  }
}
