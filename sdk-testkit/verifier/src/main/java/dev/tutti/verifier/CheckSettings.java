package dev.tutti.verifier;

import dev.tutti.verifier.purity.RemotePlans;
import dev.tutti.verifier.rule.Rule;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How thoroughly a cluster checks.
 *
 * @param schedules runs on real data, each with its own order and data
 * @param seed chooses orders and data
 * @param hasSpecials whether inputs hold NaN, infinities and zeros of both signs
 * @param stressRuns runs on real threads
 * @param faults injected faults, each in a run of its own
 * @param bothWays whether an operation that can run in place is checked in place and out of place
 * @param atomicReductions whether concurrent reductions into one place are declared atomic
 * @param planningLimit how long planning may take
 * @param allocationLimit how many bytes planning may allocate
 * @param maxActions how many actions one rank may emit
 * @param workers threads that record and judge
 * @param rules the rules that are reported
 * @param shrinks whether to search for the smallest failing case
 * @param remotePlans plans of other processes to compare with; null for none
 */
record CheckSettings(
    int schedules,
    long seed,
    boolean hasSpecials,
    int stressRuns,
    int faults,
    boolean bothWays,
    boolean atomicReductions,
    Duration planningLimit,
    long allocationLimit,
    int maxActions,
    int workers,
    Set<Rule> rules,
    boolean shrinks,
    @Nullable RemotePlans remotePlans) {

  /** The same settings for a quick check of whether one rule is still broken, without shrinking. */
  CheckSettings only(Rule rule) {
    boolean isDynamic = rule.family().equals("VAL");
    boolean isFault = rule.family().equals("FLT");
    return new CheckSettings(
        isDynamic ? schedules : 0,
        seed,
        hasSpecials,
        isDynamic ? stressRuns : 0,
        isFault ? faults : 0,
        bothWays,
        atomicReductions,
        planningLimit,
        allocationLimit,
        maxActions,
        1,
        Set.of(rule),
        false,
        rule == Rule.NOT_PURE ? remotePlans : null);
  }

  /** Whether every rule is reported, so that a plan without findings is right. */
  boolean hasAllRules() {
    return rules.size() == Rule.values().length;
  }

  CheckSettings withSeed(long newSeed) {
    return new CheckSettings(
        schedules,
        newSeed,
        hasSpecials,
        stressRuns,
        faults,
        bothWays,
        atomicReductions,
        planningLimit,
        allocationLimit,
        maxActions,
        workers,
        rules,
        shrinks,
        remotePlans);
  }
}
