package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds duplicate names. None of the duplicates is preferred silently. */
final class Duplicates {

  private Duplicates() {}

  /** The algorithms of one plugin, without those that have the operation and name of another. */
  static List<Algorithm> inPlugin(
      List<Algorithm> algorithms, @Nullable Path jar, String plugin, List<PluginProblem> problems) {
    List<Algorithm> unique = new ArrayList<>();
    byName(algorithms)
        .forEach(
            (name, same) -> {
              if (same.size() == 1) {
                unique.add(same.getFirst());
              } else {
                problems.add(
                    new PluginProblem(
                        jar, plugin, ErrorCode.PLUGIN_DUPLICATE, sameInPlugin(name, same)));
              }
            });
    unique.sort(Algorithm.ORDER);
    return unique;
  }

  private static String sameInPlugin(String name, List<Algorithm> same) {
    return Sentence.of(
        "%s is offered by %s, and none of them is used; rename all but one",
        name,
        same.stream()
            .map(algorithm -> algorithm.executor().getClass().getName())
            .sorted()
            .collect(Collectors.joining(" and ")));
  }

  /** The problems of names that several plugins use for the same operation. */
  static List<PluginProblem> acrossPlugins(List<Plugin> plugins) {
    List<PluginProblem> problems = new ArrayList<>();
    List<Algorithm> all = new ArrayList<>();
    plugins.forEach(plugin -> all.addAll(plugin.algorithms()));
    byName(all)
        .forEach(
            (name, same) -> {
              if (same.size() > 1) {
                problems.add(sameInPlugins(name, same, plugins));
              }
            });
    return problems;
  }

  private static PluginProblem sameInPlugins(
      String name, List<Algorithm> same, List<Plugin> plugins) {
    String names =
        same.stream().map(Algorithm::qualifiedName).sorted().collect(Collectors.joining(" or "));
    String last = same.getLast().plugin();
    Path jar =
        plugins.stream().filter(p -> p.id().equals(last)).findFirst().map(Plugin::jar).orElse(null);
    return new PluginProblem(
        jar,
        last,
        ErrorCode.PLUGIN_DUPLICATE,
        Sentence.of(
            "%s is offered by %d plugins, so its plain name is refused; ask for %s",
            name, same.size(), names));
  }

  private static Map<String, List<Algorithm>> byName(List<Algorithm> algorithms) {
    return algorithms.stream()
        .sorted(Algorithm.ORDER)
        .collect(
            Collectors.groupingBy(
                algorithm -> algorithm.operation().label() + " '" + algorithm.name() + "'",
                TreeMap::new,
                Collectors.toList()));
  }
}
