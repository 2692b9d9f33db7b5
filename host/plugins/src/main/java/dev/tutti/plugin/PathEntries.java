package dev.tutti.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the entries of the class path and the module path that name executors. Not thread-safe. */
final class PathEntries {

  private final ClassLoader loader;
  private final List<PathEntry> entries = new ArrayList<>();
  private final List<PluginProblem> problems = new ArrayList<>();

  /**
   * Looks for entries.
   *
   * @param loader the class loader of the class path
   * @param modules the modules that name executors
   * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if the class loader cannot be
   *     searched
   */
  PathEntries(ClassLoader loader, Collection<Module> modules) {
    this.loader = loader;
    Map<String, URL> services = files(PluginJar.SERVICES);
    Map<String, URL> manifests = files(PluginManifest.PATH);
    Set<Path> ofModules = new HashSet<>();
    // A class loader looks into modules first.
    for (Module module : modules) {
      Path path = Modules.path(module);
      if (path != null) {
        ofModules.add(path);
      }
      add(module.getName(), path, () -> PathEntry.ofModule(module));
    }
    Map<String, @Nullable URL> all = new LinkedHashMap<>(services);
    manifests.forEach((root, url) -> all.putIfAbsent(root, null));
    for (String root : all.keySet()) {
      Path path = PathEntry.path(root);
      if (path == null || !ofModules.contains(path)) {
        add(root, path, () -> PathEntry.ofClassPath(root, services.get(root), manifests.get(root)));
      }
    }
  }

  /** The readable entries, in the order in which classes are searched. */
  List<PathEntry> entries() {
    return entries;
  }

  /** The problems of the other entries. */
  List<PluginProblem> problems() {
    return problems;
  }

  /** The files with a name, by the address of their class path entry, in the order of entries. */
  private Map<String, URL> files(String name) {
    Map<String, URL> files = new LinkedHashMap<>();
    try {
      for (URL url : Collections.list(loader.getResources(name))) {
        String text = url.toString();
        files.putIfAbsent(text.substring(0, text.length() - name.length()), url);
      }
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          e,
          "the class path cannot be searched for %s (%s)",
          name,
          e.getMessage());
    }
    return files;
  }

  private void add(String name, @Nullable Path path, Supplier<PathEntry> reading) {
    try {
      PathEntry entry = reading.get();
      if (entry.declared().isEmpty()) {
        String message = JarChecks.noProvider(entry.hasServices());
        problems.add(new PluginProblem(path, name, ErrorCode.PLUGIN_PROVIDER, message));
      } else {
        entries.add(entry);
      }
    } catch (TuttiException e) {
      problems.add(new PluginProblem(path, name, e.code(), String.valueOf(e.getMessage())));
    }
  }
}
