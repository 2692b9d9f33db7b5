package dev.tutti.host.status;

import dev.tutti.sdk.Arguments;

/**
 * The contents and the counters of a group's plan cache.
 *
 * @param plans plans it holds
 * @param structures plans from which plans for other counts can be made
 * @param clones plans that were made from them
 * @param actions actions of all plans together
 * @param bytes the approximate heap size of all of this
 * @param hits requests that found their plan
 * @param misses requests whose plan had to be made
 * @param evictions plans that were dropped to stay within the bounds
 */
public record PlanCacheStats(
    int plans,
    int structures,
    int clones,
    long actions,
    long bytes,
    long hits,
    long misses,
    long evictions) {

  /** Empty statistics, with which a sum over groups starts. */
  public static final PlanCacheStats NONE = new PlanCacheStats(0, 0, 0, 0, 0, 0, 0, 0);

  /** The sum of the statistics of two groups. */
  public PlanCacheStats plus(PlanCacheStats other) {
    Arguments.require(other, "other");
    return new PlanCacheStats(
        plans + other.plans,
        structures + other.structures,
        clones + other.clones,
        actions + other.actions,
        bytes + other.bytes,
        hits + other.hits,
        misses + other.misses,
        evictions + other.evictions);
  }
}
