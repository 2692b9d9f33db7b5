package dev.tutti.host.live;

import dev.tutti.host.plugin.Algorithm;
import dev.tutti.host.plugin.PluginSet;
import dev.tutti.host.pool.PlanPool;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All that is served at one moment. Immutable but for the count of those who plan with it.
 * Thread-safe.
 */
public final class Catalogue {

  private final long number;
  private final PluginSet plugins;
  private final PlanPool pool;
  private final Map<String, Generation> generations;
  private final AtomicInteger planners = new AtomicInteger();

  private Catalogue(
      long number, PluginSet plugins, Map<String, Generation> generations, Duration limit) {
    this.number = number;
    this.plugins = plugins;
    this.pool = new PlanPool(plugins.algorithms(), limit);
    this.generations = Map.copyOf(generations);
  }

  /** A catalogue that never changes. */
  static Catalogue fixed(PluginSet plugins, Duration limit) {
    return new Catalogue(0, plugins, Map.of(), limit);
  }

  /**
   * The next catalogue.
   *
   * @param number greater than that of the one before
   * @param generations what serves, by plugin id
   */
  static Catalogue of(
      long number, PluginSet plugins, Map<String, Generation> generations, Duration limit) {
    return new Catalogue(number, plugins, generations, limit);
  }

  /** Greater than that of every catalogue before. */
  public long number() {
    return number;
  }

  /** The plugins. */
  public PluginSet plugins() {
    return plugins;
  }

  /** Their algorithms, and the choice among them. */
  public PlanPool pool() {
    return pool;
  }

  /** The generation that an algorithm of this catalogue belongs to. */
  public Generation generationOf(Algorithm algorithm) {
    return generations.getOrDefault(algorithm.plugin(), Generation.PERMANENT);
  }

  /** All generations that serve, without the permanent one. */
  Collection<Generation> generations() {
    return List.copyOf(generations.values());
  }

  Map<String, Generation> generationsByPlugin() {
    return generations;
  }

  void enter() {
    planners.incrementAndGet();
  }

  void leave() {
    planners.decrementAndGet();
  }

  boolean isInUse() {
    return planners.get() > 0;
  }
}
