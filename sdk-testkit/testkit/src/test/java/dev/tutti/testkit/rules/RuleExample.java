package dev.tutti.testkit.rules;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;
import java.util.function.Supplier;

/**
 * A correct executor that trips no rule, and a broken one that overrides a little of it and trips
 * one rule and no other.
 *
 * <p>An example is called {@code Syn2Example} for rule SYN-2. The rule's page shows the region
 * {@code check} of its source, and the regions {@code correct} and {@code broken} of the sources
 * that declare the executors.
 */
abstract class RuleExample<P extends OpParam> {

  private final Rule rule;
  private final int ranks;
  private final Supplier<CollExecutorBase<P>> broken;
  private final Supplier<CollExecutorBase<P>> correct;

  RuleExample(
      Rule rule,
      int ranks,
      Supplier<CollExecutorBase<P>> broken,
      Supplier<CollExecutorBase<P>> correct) {
    this.rule = rule;
    this.ranks = ranks;
    this.broken = broken;
    this.correct = correct;
  }

  /** The rule that the broken executor trips. */
  final Rule rule() {
    return rule;
  }

  /** The number of ranks of the group that the page is about. */
  final int ranks() {
    return ranks;
  }

  final CollExecutorBase<P> broken() {
    return broken.get();
  }

  final CollExecutorBase<P> correct() {
    return correct.get();
  }

  /** What a check of an executor finds in a group of some ranks. */
  abstract List<Finding> check(CollExecutorBase<P> executor, int ranks);

  /** What a check of the broken executor finds in the group of the page. */
  final List<Finding> checkBroken() {
    return check(broken(), ranks);
  }

  /** What the same check of the correct executor finds in a group of some ranks. */
  List<Finding> checkCorrect(int groupRanks) {
    return check(correct(), groupRanks);
  }
}
