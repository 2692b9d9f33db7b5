package dev.tutti.host.config;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.plugin.PluginSet;
import dev.tutti.plugin.live.Catalogues;
import dev.tutti.plugin.live.FollowedPlugins;
import dev.tutti.plugin.live.LivePlugins;
import dev.tutti.plugin.live.LiveSettings;
import dev.tutti.plugin.store.Steps;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The source of a context's plugins, which are loaded once or watched. Not thread-safe. */
public final class PluginSource {

  private final PluginSet.Builder loadedOnce = PluginSet.builder();
  private boolean hasDirectory;
  private boolean hasClassPath;
  private boolean isPartial;
  private @Nullable LiveSettings watched;
  private @Nullable Path trust;
  private Steps steps = Steps.NONE;
  private Consumer<String> news = text -> {};

  public void directory(Path directory) {
    hasDirectory = true;
    loadedOnce.directory(directory);
  }

  public void classPath(ClassLoader loader) {
    hasClassPath = true;
    loadedOnce.classPath(loader);
  }

  /** Loads only the algorithms of some operations from jars. */
  public void operations(Set<Operation> only) {
    isPartial = true;
    loadedOnce.operations(only);
  }

  public void algorithm(CollExecutorBase<?> executor) {
    loadedOnce.algorithm(executor);
  }

  public void algorithm(String name, CollExecutorBase<?> executor) {
    loadedOnce.algorithm(name, executor);
  }

  public void watch(Path directory, Path state) {
    watched = LiveSettings.of(directory, state);
  }

  /** Whether plugins are watched. */
  public boolean areWatched() {
    return watched != null;
  }

  public void trust(Path file) {
    trust = file;
  }

  public void steps(Steps listener) {
    steps = listener;
  }

  public void news(Consumer<String> listener) {
    news = listener;
  }

  /**
   * Loads the plugins to serve.
   *
   * @param planningLimit the longest time for an executor to answer
   * @param clock the clock that the watch of a directory uses
   * @param isFollower if plugins are watched, whether another process watches them
   * @param rules the rules that choose algorithms
   */
  public ServedPlugins open(Duration planningLimit, Clock clock, boolean isFollower, Rules rules) {
    if (watched == null) {
      if (isPartial && !rules.rules().isEmpty()) {
        loadedOnce.operations(EnumSet.allOf(Operation.class));
      }
      PluginSet loaded = loadedOnce.limit(planningLimit).load();
      return new ServedPlugins(Catalogues.fixed(loaded), loaded::close, null, null);
    }
    if (hasDirectory) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "plugins are either watched or loaded once; leave out pluginsDirectory or watchPlugins");
    }
    if (isPartial) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "watched plugins serve all of their operations; leave out operations or watchPlugins");
    }
    if (hasClassPath) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "watched plugins can change, but those of the class path cannot; leave out"
              + " pluginsFromClassPath or watchPlugins");
    }
    LiveSettings complete =
        watched.withPlanningLimit(planningLimit).withNews(news).withSteps(steps).withClock(clock);
    PluginSet own = loadedOnce.limit(planningLimit).load();
    if (isFollower) {
      FollowedPlugins followed = new FollowedPlugins(complete, own.plugins());
      return new ServedPlugins(followed.catalogues(), followed::close, null, followed);
    }
    LivePlugins live =
        LivePlugins.open(trust == null ? complete : complete.withTrust(trust), own.plugins());
    return new ServedPlugins(live.catalogues(), live::close, live, null);
  }
}
