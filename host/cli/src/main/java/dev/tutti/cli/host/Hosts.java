package dev.tutti.cli.host;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Rte;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes hosts, or gives the one that serves.
 *
 * @param plugins the plugins directories used when a command names none
 * @param builders gives a new configuration
 * @param opener opens hosts that watch their plugins
 * @param session the session if the command runs in the host that serves; null in a separate
 *     process
 * @param jobs gives the directories of this user's jobs whose ranks are processes
 */
public record Hosts(
    List<Path> plugins,
    Supplier<ContextBuilder> builders,
    LiveContext.Opener opener,
    @Nullable Session session,
    Supplier<List<Path>> jobs) {

  /** The environment variable with the process number of a job's launcher. */
  public static final String LAUNCHER = "TUTTI_LAUNCHER";

  private static final Duration LAUNCHED_JOIN = Duration.ofMinutes(10);

  private static final String PLUGINS_PROPERTY = "tutti.plugins.dir";

  public Hosts(List<Path> plugins, Supplier<ContextBuilder> builders) {
    this(plugins, builders, LiveContext::open);
  }

  /** Hosts without jobs. */
  public Hosts(List<Path> plugins, Supplier<ContextBuilder> builders, LiveContext.Opener opener) {
    this(plugins, builders, opener, null, List::of);
  }

  /**
   * Hosts that load the plugins directory that the launcher names.
   *
   * @param jobs finds this user's jobs
   */
  public static Hosts ofProcess(Supplier<List<Path>> jobs) {
    String directory = System.getProperty(PLUGINS_PROPERTY, "");
    return new Hosts(
        directory.isEmpty() ? List.of() : List.of(Path.of(directory)),
        Context::builder,
        LiveContext::open,
        null,
        jobs);
  }

  /** These hosts for a command within the host that serves. */
  public Hosts within(Session command) {
    return new Hosts(plugins, builders, opener, command, jobs);
  }

  /** The plugins directory of a host that watches its plugins; null if none is known. */
  @Nullable Path usualPlugins() {
    return plugins.isEmpty() ? null : plugins.getFirst();
  }

  /**
   * The configuration of a host with the given plugins directories, or the usual ones; all ranks
   * are in this process.
   */
  public ContextBuilder builder(List<Path> chosen) {
    List<Path> directories = chosen.isEmpty() ? plugins : chosen;
    if (directories.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_UNREADABLE,
          "no plugins directory is known; name one with --plugins, or start with the script tutti");
    }
    ContextBuilder builder = builders.get().rte(Rte.embedded());
    directories.forEach(builder::pluginsDirectory);
    return builder;
  }

  /**
   * The same builder, for ranks in the given place. Ranks with a launcher may wait long for a rank
   * that starts slowly, because the launcher ends them when one of them ends.
   */
  public static ContextBuilder in(Rte rte, ContextBuilder builder) {
    boolean hasLauncher = rte.jobDirectory().isEmpty() || System.getenv(LAUNCHER) != null;
    return (hasLauncher ? builder.joinDeadline(LAUNCHED_JOIN) : builder).rte(rte);
  }
}
