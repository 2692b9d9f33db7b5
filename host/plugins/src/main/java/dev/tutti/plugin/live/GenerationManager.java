package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginInstance;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.PluginSet;
import dev.tutti.plugin.store.Step;
import dev.tutti.plugin.store.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that serve, those that are kept to serve again, and those that are being drained.
 * Holds every loaded plugin and closes it when it is no longer needed. Thread-safe.
 *
 * <p>A change publishes one catalogue and returns. A separate thread drains the retired plugins, in
 * the order of the changes, so that a plugin is closed only after all users that could have found
 * it in an earlier catalogue are gone.
 */
final class GenerationManager implements AutoCloseable {

  /** The listener for drains. Called on the thread that drains, without a lock. */
  interface Listener {

    /** No thread plans with a generation or runs its plans any more. */
    void drained(Generation generation, Duration took);

    /** A thread still uses a generation after the deadline; the drain keeps waiting. */
    void stuck(Generation generation, String who);
  }

  private final List<Plugin> embedded;
  private final Duration drainDeadline;
  private final int trialPlans;
  private final Catalogues catalogues;
  private final UnloadWatch unloading;
  private final Listener listener;
  private final Steps steps;
  private final Clock clock;
  private final ExecutorService drains =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("tutti-drain", 0).factory());

  private final Map<String, PluginInstance> loaded = new HashMap<>();

  /** The contents that no longer serve and are kept to serve again at once. */
  private Set<String> kept = Set.of();

  /** The contents that were taken and wait for the next change. */
  private final Set<String> fresh = new HashSet<>();

  /** The contents that drains have not finished with, and the number of these drains. */
  private final Map<String, Integer> draining = new HashMap<>();

  private long number;

  /**
   * Starts with the plugins of this process only.
   *
   * @param embedded plugins that never change
   * @param trialPlans the number of first plans of each generation that are on trial
   */
  GenerationManager(
      List<Plugin> embedded,
      Duration drainDeadline,
      int trialPlans,
      UnloadWatch unloading,
      Catalogues.Observer observer,
      Listener listener,
      Steps steps,
      Clock clock) {
    this.embedded = List.copyOf(embedded);
    this.drainDeadline = drainDeadline;
    this.trialPlans = trialPlans;
    this.unloading = unloading;
    this.listener = listener;
    this.steps = steps;
    this.clock = clock;
    this.catalogues = new Catalogues(catalogue(Map.of(), List.of()), observer, clock);
  }

  Catalogues catalogues() {
    return catalogues;
  }

  private Catalogue catalogue(Map<String, Generation> serving, List<PluginProblem> problems) {
    List<Plugin> plugins = new ArrayList<>(embedded);
    for (Generation each : serving.values()) {
      PluginInstance instance = each.instance();
      if (instance != null) {
        plugins.add(instance.plugin());
      }
    }
    return Catalogue.of(number++, PluginSet.of(plugins, problems), serving);
  }

  /** The generation that serves a plugin, or null. */
  @Nullable Generation serving(String plugin) {
    return catalogues.current().generationsByPlugin().get(plugin);
  }

  /** Whether a content no longer serves and is loaded to serve again at once. */
  synchronized boolean isKept(String content) {
    return kept.contains(content) && loaded.containsKey(content);
  }

  /** Whether a drain has not finished with a content. */
  synchronized boolean isDraining(String content) {
    return draining.containsKey(content);
  }

  /**
   * Every content that is loaded, that a drain has not finished with, or whose classes are not
   * collected. A content is never missing during a change between these states.
   */
  synchronized Set<String> contents() {
    Set<String> contents = new HashSet<>(loaded.keySet());
    contents.addAll(draining.keySet());
    contents.addAll(unloading.uncollected());
    return contents;
  }

  /** A loaded plugin, or null. */
  synchronized @Nullable PluginInstance loaded(String content) {
    return loaded.get(content);
  }

  /** Takes a loaded plugin, which the next {@link #serve} uses or closes. */
  synchronized void take(String content, PluginInstance instance) {
    loaded.put(content, instance);
    fresh.add(content);
  }

  /**
   * Keeps a plugin for the next {@link #serve}, even if a drain ends before that.
   *
   * @return whether it is loaded
   */
  synchronized boolean reserve(String content) {
    boolean isLoaded = loaded.containsKey(content);
    if (isLoaded) {
      fresh.add(content);
    }
    return isLoaded;
  }

  /** Closes plugins that were taken or reserved and do not serve, unless they are needed. */
  synchronized void giveBack(Collection<String> contents) {
    fresh.removeAll(Set.copyOf(contents));
    closeUnneeded();
  }

  /** The same for everything. */
  synchronized void giveBackAll() {
    giveBack(List.copyOf(fresh));
  }

  /**
   * Serves exactly these plugins from now on.
   *
   * @param contents the SHA-256 of the jar by plugin id; each must have been taken here
   * @param toKeep loaded contents to keep although they do not serve
   * @param problems the problems of other jars
   * @return the generations that begin now
   */
  synchronized List<Generation> serve(
      Map<String, String> contents, Set<String> toKeep, List<PluginProblem> problems) {
    kept = Set.copyOf(toKeep);
    Map<String, Generation> now = catalogues.current().generationsByPlugin();
    Map<String, Generation> next = new TreeMap<>();
    List<Generation> begun = new ArrayList<>();
    contents.forEach(
        (id, content) -> {
          Generation present = now.get(id);
          if (present != null && present.content().equals(content)) {
            next.put(id, present);
            return;
          }
          PluginInstance instance = loaded.get(content);
          if (instance == null) {
            throw new IllegalStateException(id + " " + content + " is not loaded");
          }
          Generation fresh = Generation.of(instance, content, trialPlans);
          next.put(id, fresh);
          begun.add(fresh);
        });
    List<Generation> retired =
        now.values().stream().filter(each -> next.get(each.plugin()) != each).toList();
    for (Generation each : retired) {
      draining.merge(each.content(), 1, Integer::sum);
    }
    fresh.clear();
    Catalogue replaced = catalogues.publish(catalogue(next, problems));
    steps.passed(Step.PUBLISHED);
    drains.execute(() -> drain(replaced, retired));
    return begun;
  }

  private void drain(Catalogue replaced, List<Generation> retired) {
    long start = clock.nanoTime();
    while (!catalogues.drain(replaced, retired, drainDeadline)) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      for (Generation each : retired) {
        listener.stuck(
            each,
            replaced.isInUse()
                ? "a call that is being planned"
                : catalogues.running(each).toString());
      }
    }
    steps.passed(Step.DRAINED);
    for (Generation each : retired) {
      each.release();
      listener.drained(each, Duration.ofNanos(clock.nanoTime() - start));
    }
    synchronized (this) {
      retired.forEach(
          each -> draining.computeIfPresent(each.content(), (k, n) -> n == 1 ? null : n - 1));
      closeUnneeded();
    }
    steps.passed(Step.RETIRED);
  }

  /** Closes plugins that do not serve, are not kept and are not being drained. */
  private void closeUnneeded() {
    Set<String> needed = new HashSet<>(kept);
    catalogues.current().generations().forEach(each -> needed.add(each.content()));
    needed.addAll(draining.keySet());
    needed.addAll(fresh);
    for (String content : List.copyOf(loaded.keySet())) {
      if (!needed.contains(content)) {
        PluginInstance instance = loaded.remove(content);
        if (instance != null) {
          unloading.close(instance, content);
        }
      }
    }
  }

  /** Waits until all retired plugins are drained. */
  boolean awaitDrained(Duration longest) {
    try {
      return drains.submit(() -> true).get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Unloads all plugins. Must be called only when nothing runs any more. */
  @Override
  public void close() {
    drains.shutdownNow();
    synchronized (this) {
      catalogues.publish(catalogue(Map.of(), List.of()));
      kept = Set.of();
      fresh.clear();
      draining.clear();
      closeUnneeded();
    }
  }
}
