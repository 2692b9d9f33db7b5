package dev.tutti.testkit.rules;

import dev.tutti.testkit.rule.Finding;
import dev.tutti.testkit.rule.Rule;
import java.util.List;

/**
 * A broken executor that trips one rule and no other, and a correct near-twin that trips none.
 *
 * <p>An implementation is called {@code Syn2Example} for rule SYN-2 and marks three regions of its
 * source, {@code broken}, {@code correct} and {@code check}, which the rule's page shows.
 */
interface RuleExample {

  /** The rule that the broken executor trips. */
  Rule rule();

  /** The number of ranks of the group that the page is about. */
  int ranks();

  /** What a check of the broken executor finds in that group. */
  List<Finding> broken();

  /** What the same check of the correct executor finds in a group of some ranks. */
  List<Finding> correct(int ranks);
}
