package dev.tutti.plugin;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The plugins of a context, their algorithms, and every problem that was found. Thread-safe. */
public final class PluginSet implements AutoCloseable {

  /** The id under which algorithms of this process are listed. */
  public static final String EMBEDDED = "embedded";

  /**
   * The id under which algorithms on the class path or module path of the application are listed if
   * they have no manifest.
   */
  public static final String CLASS_PATH = "class-path";

  private final List<JarLoader.Loaded> loaded;
  private final List<Plugin> plugins;
  private final List<Algorithm> algorithms;
  private final List<PluginProblem> problems;
  private final List<String> notes;

  PluginSet(List<JarLoader.Loaded> loaded, List<PluginProblem> problems, List<String> notes) {
    this(loaded, loaded.stream().map(JarLoader.Loaded::plugin).toList(), problems, notes);
  }

  private PluginSet(
      List<JarLoader.Loaded> loaded,
      List<Plugin> plugins,
      List<PluginProblem> problems,
      List<String> notes) {
    this.loaded = List.copyOf(loaded);
    this.plugins = plugins.stream().sorted(Comparator.comparing(Plugin::id)).toList();
    this.algorithms =
        this.plugins.stream()
            .flatMap(plugin -> plugin.algorithms().stream())
            .sorted(Algorithm.ORDER)
            .toList();
    this.problems = List.copyOf(problems);
    this.notes = List.copyOf(notes);
  }

  /**
   * A set of plugins that other code loads and closes. Algorithm names that several of them use
   * become problems.
   *
   * @param plugins plugins with different ids
   * @param problems other problems
   */
  public static PluginSet of(List<Plugin> plugins, List<PluginProblem> problems) {
    Arguments.require(plugins, "plugins");
    Arguments.require(problems, "problems");

    List<PluginProblem> all = new ArrayList<>(problems);
    plugins.forEach(plugin -> all.addAll(plugin.problems()));
    all.addAll(Duplicates.acrossPlugins(plugins));
    return new PluginSet(List.of(), plugins, all, List.of());
  }

  /** Starts a set without any plugins. */
  public static Builder builder() {
    return new Builder();
  }

  /** The loaded plugins, sorted by id; some may have no working algorithm. */
  public List<Plugin> plugins() {
    return plugins;
  }

  /** The algorithms of all plugins, sorted by operation, name and plugin. */
  public List<Algorithm> algorithms() {
    return algorithms;
  }

  /** All problems, in the order of the jars; a loaded plugin has its problems, too. */
  public List<PluginProblem> problems() {
    return problems;
  }

  /** Notes for the user that are not problems, a sentence each; often none. */
  public List<String> notes() {
    return notes;
  }

  /**
   * Refuses a set with problems.
   *
   * @throws TuttiException with the code of the first problem and the text of all
   */
  public void requireNoProblems() {
    if (!problems.isEmpty()) {
      throw new TuttiException(
          problems.getFirst().code(),
          "%d plugin problems: %s",
          problems.size(),
          problems.stream().map(PluginProblem::toString).collect(Collectors.joining("; ")));
    }
  }

  /**
   * Closes the class loaders of plugins that this set has loaded; no more of their classes can be
   * loaded.
   */
  @Override
  public void close() {
    loaded.forEach(JarLoader.Loaded::close);
  }

  /** Collects what to load. Not thread-safe. */
  public static final class Builder {

    private final PluginSources sources = new PluginSources();
    private Duration limit = Duration.ofSeconds(10);

    private Builder() {}

    /** Loads every {@code *.jar} of a directory, or one {@code .jar} file. */
    public Builder directory(Path directory) {
      Arguments.require(directory, "directory");

      sources.addDirectory(directory);
      return this;
    }

    /** Loads one jar, whatever its name; its error becomes one of the problems. */
    public Builder jar(Path jar) {
      Arguments.require(jar, "jar");

      sources.addJar(jar);
      return this;
    }

    /**
     * Adds the plugins on the application's own class path or module path. Their classes belong to
     * the application: they are neither guarded nor unloaded. A second call replaces the first.
     *
     * @param loader the class loader of these plugins
     */
    public Builder classPath(ClassLoader loader) {
      Arguments.require(loader, "loader");

      sources.setApplication(loader);
      return this;
    }

    /** Adds an algorithm of this process; its class must have {@code @CollAlgorithm}. */
    public Builder algorithm(CollExecutorBase<?> executor) {
      Arguments.require(executor, "executor");

      sources.addExecutor(null, executor);
      return this;
    }

    /** Adds an algorithm of this process under a name. */
    public Builder algorithm(String name, CollExecutorBase<?> executor) {
      Arguments.require(name, "name");
      Arguments.require(executor, "executor");

      sources.addExecutor(name, executor);
      return this;
    }

    /**
     * Loads only the algorithms of some operations from jars, which takes less time. The providers
     * of other operations are neither checked nor created, so their problems are not found.
     *
     * @param only the operations
     * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there is none
     */
    public Builder operations(Set<Operation> only) {
      Arguments.require(only, "only");

      sources.setOperations(only);
      return this;
    }

    /** The longest time for the constructor of a provider; 10 s unless set. */
    public Builder limit(Duration longest) {
      Arguments.require(longest, "longest");

      this.limit = longest;
      return this;
    }

    /**
     * Loads everything that can be loaded.
     *
     * @throws TuttiException with {@link ErrorCode#PLUGIN_UNREADABLE} if a directory is missing or
     *     cannot be read, or if the given class path has no plugin; {@link
     *     ErrorCode#PLUGIN_PROVIDER} or {@link ErrorCode#PLUGIN_DUPLICATE} if an algorithm of this
     *     process cannot be used
     */
    public PluginSet load() {
      return sources.load(limit);
    }
  }
}
