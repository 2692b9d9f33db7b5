package dev.tutti.plugin;

import dev.tutti.plan.work.Work;
import dev.tutti.plugin.limit.TimeLimit;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.gate.PluginFailure;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sources of plugins, and the loading of all of them. Not thread-safe. */
final class PluginSources {

  private static final String JAR = ".jar";
  private static final Set<Operation> ALL = EnumSet.allOf(Operation.class);

  private final List<Path> directories = new ArrayList<>();
  private final List<Path> jars = new ArrayList<>();
  private final List<Embedded> embedded = new ArrayList<>();
  private @Nullable ClassLoader application;
  private Set<Operation> operations = ALL;

  /** An algorithm of this process. */
  private record Embedded(@Nullable String name, CollExecutorBase<?> executor) {}

  /** The result for a jar: one of the two. */
  private record Attempt(JarLoader.@Nullable Loaded loaded, @Nullable PluginProblem problem) {}

  void addDirectory(Path directory) {
    directories.add(directory);
  }

  void addJar(Path jar) {
    jars.add(jar);
  }

  void setApplication(ClassLoader loader) {
    application = loader;
  }

  void setOperations(Set<Operation> wanted) {
    if (wanted.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "name at least one operation, or leave out operations to load all");
    }
    operations = Set.copyOf(wanted);
  }

  void addExecutor(@Nullable String name, CollExecutorBase<?> executor) {
    embedded.add(new Embedded(name, executor));
  }

  PluginSet load(Duration longest) {
    TimeLimit limit = TimeLimit.ofShortCalls(longest);
    List<PluginProblem> problems = new ArrayList<>();
    List<JarLoader.Loaded> loaded = new ArrayList<>();
    Plugin own = embedded.isEmpty() ? null : embeddedPlugin(limit);
    if (application != null) {
      loaded.addAll(new ApplicationPlugins(application, limit, problems).load());
    }
    // Reading and checking class files takes most of a start, and jars do not depend on each other.
    for (Attempt attempt : completed(longest, attempts(longest, jarFiles()), loaded)) {
      if (attempt.loaded() != null) {
        loaded.add(attempt.loaded());
      }
      if (attempt.problem() != null) {
        problems.add(attempt.problem());
      }
    }
    if (own != null) {
      loaded.add(JarLoader.Loaded.embedded(own));
    }
    List<String> notes = new ArrayList<>();
    loaded = NewestVersions.resolve(loaded, problems, notes);
    List<Plugin> plugins = loaded.stream().map(JarLoader.Loaded::plugin).toList();
    plugins.forEach(plugin -> problems.addAll(plugin.problems()));
    problems.addAll(Duplicates.acrossPlugins(plugins));
    problems.sort(Comparator.comparing(problem -> String.valueOf(problem.jar())));
    return new PluginSet(loaded, problems, notes);
  }

  private List<Attempt> attempts(Duration longest, List<Path> files) {
    try (Work work = Work.begin("loading plugins", files.size())) {
      return files.parallelStream()
          .map(
              jar -> {
                Attempt attempt = attempt(longest, jar, operations);
                work.step();
                return attempt;
              })
          .toList();
    }
  }

  /**
   * Loads jars whose id is not the only one again, with all their algorithms: the problems of any
   * of them count when one plugin of the id is chosen.
   *
   * @param others plugins that are no jars
   */
  private List<Attempt> completed(
      Duration longest, List<Attempt> attempts, List<JarLoader.Loaded> others) {
    if (operations.containsAll(ALL)) {
      return attempts;
    }
    Map<String, Long> jars =
        Stream.concat(
                others.stream(),
                attempts.stream().flatMap(each -> Stream.ofNullable(each.loaded())))
            .collect(Collectors.groupingBy(each -> each.plugin().id(), Collectors.counting()));
    return attempts.stream()
        .map(
            each -> {
              JarLoader.Loaded part = each.loaded();
              if (part == null || jars.getOrDefault(part.plugin().id(), 0L) == 1) {
                return each;
              }
              part.close();
              Path jar = Objects.requireNonNull(part.plugin().jar(), "of a jar");
              return attempt(longest, jar, ALL);
            })
        .toList();
  }

  private static Attempt attempt(Duration longest, Path jar, Set<Operation> operations) {
    try {
      // Threads of its own, because plugin code may leave thread-locals behind.
      JarLoader loader = new JarLoader(TimeLimit.ofShortCalls(longest), operations);
      return new Attempt(loader.load(jar), null);
    } catch (TuttiException e) {
      String message = String.valueOf(e.getMessage());
      return new Attempt(null, new PluginProblem(jar, "", e.code(), message));
    } catch (RuntimeException | Error e) {
      // No error of a jar may affect other jars.
      String message = "it could not be loaded: " + PluginFailure.of(e);
      return new Attempt(null, new PluginProblem(jar, "", ErrorCode.PLUGIN_UNREADABLE, message));
    }
  }

  /** Algorithms of this process are the caller's own code, so their errors are thrown. */
  private Plugin embeddedPlugin(TimeLimit limit) {
    AlgorithmReader reader = new AlgorithmReader(limit);
    List<Algorithm> algorithms = new ArrayList<>();
    for (Embedded each : embedded) {
      algorithms.add(
          each.name() == null
              ? reader.read(each.executor(), PluginSet.EMBEDDED, SpiVersion.CURRENT)
              : reader.read(
                  each.executor(),
                  PluginSet.EMBEDDED,
                  SpiVersion.CURRENT,
                  each.name(),
                  Algorithm.Description.NONE));
    }
    List<PluginProblem> problems = new ArrayList<>();
    algorithms = Duplicates.inPlugin(algorithms, null, PluginSet.EMBEDDED, problems);
    if (!problems.isEmpty()) {
      throw new TuttiException(ErrorCode.PLUGIN_DUPLICATE, "%s", problems.getFirst().message());
    }
    PluginManifest manifest =
        PluginManifest.ofProcess(PluginSet.EMBEDDED, "Algorithms of this process");
    return new Plugin(manifest, null, algorithms, List.of());
  }

  /**
   * The single jars, and the jars of all directories; a directory may be a single jar, too. Each
   * directory is sorted by name, so that the order is total.
   */
  private List<Path> jarFiles() {
    List<Path> files = new ArrayList<>(jars);
    for (Path directory : directories) {
      if (directory.toString().endsWith(JAR) && Files.isRegularFile(directory)) {
        files.add(directory);
        continue;
      }
      if (directory.toString().endsWith(JAR) && !Files.exists(directory)) {
        throw new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE,
            "the plugin jar %s does not exist; name another one",
            directory);
      }
      if (!Files.isDirectory(directory)) {
        throw new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE,
            "the plugins directory %s %s; create it, or name another one",
            directory,
            Files.exists(directory) ? "is neither a directory nor a jar" : "does not exist");
      }
      List<Path> inDirectory = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, "*" + JAR)) {
        stream.forEach(inDirectory::add);
      } catch (IOException | DirectoryIteratorException e) {
        throw new TuttiException(
            ErrorCode.PLUGIN_UNREADABLE,
            e,
            "the plugins directory %s cannot be listed (%s)",
            directory,
            e.getMessage());
      }
      inDirectory.sort(Comparator.comparing(path -> path.getFileName().toString()));
      files.addAll(inDirectory);
    }
    return files;
  }
}
