package dev.tutti.host.status;

/**
 * What a group's plan cache holds and did.
 *
 * @param plans plans it holds
 * @param actions actions of those plans together
 * @param hits requests that found their plan
 * @param misses requests that had to record and compile
 * @param evictions plans that were dropped to stay within the bounds
 */
public record PlanCacheStats(int plans, long actions, long hits, long misses, long evictions) {}
