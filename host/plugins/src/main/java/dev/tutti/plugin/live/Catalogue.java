package dev.tutti.plugin.live;

import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.PluginSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All served plugins at one moment. Immutable except for the count of threads that plan with it.
 * Thread-safe.
 */
public final class Catalogue {

  private final long number;
  private final PluginSet plugins;
  private final Map<String, Generation> generations;
  private final AtomicInteger planners = new AtomicInteger();

  private Catalogue(long number, PluginSet plugins, Map<String, Generation> generations) {
    this.number = number;
    this.plugins = plugins;
    this.generations = Map.copyOf(generations);
  }

  /** A catalogue that never changes. */
  static Catalogue fixed(PluginSet plugins) {
    return new Catalogue(0, plugins, Map.of());
  }

  /**
   * The next catalogue.
   *
   * @param number its number, greater than that of the previous one
   * @param generations the serving generations, by plugin id
   */
  static Catalogue of(long number, PluginSet plugins, Map<String, Generation> generations) {
    return new Catalogue(number, plugins, generations);
  }

  /** Its number, greater than those of all earlier catalogues. */
  public long number() {
    return number;
  }

  /** The plugins. */
  public PluginSet plugins() {
    return plugins;
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
