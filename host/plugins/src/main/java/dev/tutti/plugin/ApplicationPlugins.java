package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * Loads the plugins that an application has on its class path or module path. Their classes are the
 * application's own: its class loader loads them, without guards and stop points, and they stay for
 * as long as the application runs. All entries without a manifest form one plugin. Not thread-safe.
 */
final class ApplicationPlugins {

  private final ClassLoader loader;
  private final TimeLimit limit;
  private final AlgorithmReader reader;
  private final List<PluginProblem> problems;

  /** The first entry of each plugin, and the first that names each class. */
  private final Map<String, PathEntry> byId = new HashMap<>();

  private final Map<String, PathEntry> byClass = new HashMap<>();

  /** The entries of a plugin. */
  private record Part(PluginManifest manifest, List<PathEntry> entries) {}

  /**
   * Makes the loader of an application's plugins.
   *
   * @param loader the class loader of the class path
   * @param problems receives the problems of entries that are not plugins
   */
  ApplicationPlugins(ClassLoader loader, TimeLimit limit, List<PluginProblem> problems) {
    this.loader = loader;
    this.limit = limit;
    this.reader = new AlgorithmReader(limit);
    this.problems = problems;
  }

  /**
   * Loads all plugins.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if there is none, or the class
   *     loader cannot be searched
   */
  List<JarLoader.Loaded> load() {
    ProviderOffer offer =
        limit.call(
            PluginJar.SERVICES,
            () ->
                ProviderOffer.of(
                    ServiceLoader.load(CollExecutorBase.class, loader), PluginJar.MAX_PROVIDERS));
    PathEntries found = new PathEntries(loader, Modules.providing(loader, offer.providers()));
    if (found.entries().isEmpty() && found.problems().isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          "no plugin is on the class path or module path of the application: nothing there has %s;"
              + " depend on dev.tutti:tutti-plugins, or on a plugin of your own",
          PluginJar.SERVICES);
    }
    problems.addAll(found.problems());
    return parts(found.entries()).stream().map(part -> load(part, offer)).toList();
  }

  /** The plugins, without classes and plugins that an earlier entry already has. */
  private List<Part> parts(List<PathEntry> entries) {
    List<Part> parts = new ArrayList<>();
    List<PathEntry> withoutManifest = new ArrayList<>();
    for (PathEntry entry : entries) {
      PluginManifest manifest = entry.manifest();
      if (manifest == null) {
        withoutManifest.add(withoutHidden(entry, PluginSet.CLASS_PATH));
        continue;
      }
      PathEntry first = byId.putIfAbsent(manifest.id(), entry);
      if (first == null) {
        parts.add(new Part(manifest, List.of(withoutHidden(entry, manifest.id()))));
      } else {
        problems.add(twice(manifest, first, entry));
      }
    }
    if (!withoutManifest.isEmpty()) {
      String summary = "Algorithms of the application that no manifest names";
      parts.add(new Part(PluginManifest.ofProcess(PluginSet.CLASS_PATH, summary), withoutManifest));
    }
    return parts;
  }

  private static PluginProblem twice(PluginManifest manifest, PathEntry first, PathEntry second) {
    return duplicate(
        second,
        manifest.id(),
        Sentence.of(
            "the application has the plugin '%s' twice: %s serves, and %s of version %s does not;"
                + " leave one of them out",
            manifest.id(), first.shown(), second.shown(), manifest.version()));
  }

  /** The entry without the classes that an earlier entry hides. */
  private PathEntry withoutHidden(PathEntry entry, String id) {
    Map<String, List<String>> hidden = new TreeMap<>();
    List<String> own = new ArrayList<>();
    for (String name : entry.declared()) {
      PathEntry first = byClass.putIfAbsent(name, entry);
      if (first == null) {
        own.add(name);
      } else {
        hidden.computeIfAbsent(first.shown(), shown -> new ArrayList<>()).add(name);
      }
    }
    hidden.forEach(
        (first, names) ->
            problems.add(
                duplicate(
                    entry,
                    id,
                    Sentence.of(
                        "%d of its executors, such as %s, are in %s, too, which serves; leave one"
                            + " of them out",
                        names.size(), names.getFirst(), first))));
    return entry.withDeclared(own);
  }

  private static PluginProblem duplicate(PathEntry entry, String id, String message) {
    return new PluginProblem(entry.path(), id, ErrorCode.PLUGIN_DUPLICATE, message);
  }

  private JarLoader.Loaded load(Part part, ProviderOffer offer) {
    PluginManifest manifest = part.manifest();
    List<Algorithm> found = new ArrayList<>();
    List<PluginProblem> own = new ArrayList<>();
    for (PathEntry entry : part.entries()) {
      ProviderScan scan = ProviderScan.ofPath(loader, limit);
      scan.take(
          offer.of(type -> entry.declared().contains(type.getName()), entry.name()),
          entry.declared(),
          List.of());
      found.addAll(scan.algorithms(reader, manifest));
      for (ProviderScan.Problem each : scan.problems()) {
        own.add(new PluginProblem(entry.path(), manifest.id(), each.code(), each.message()));
      }
    }
    PathEntry first = part.entries().getFirst();
    Path path = first.manifest() == null ? null : first.path();
    found = Duplicates.inPlugin(found, path, manifest.id(), own);
    return JarLoader.Loaded.embedded(new Plugin(manifest, path, found, own));
  }
}
