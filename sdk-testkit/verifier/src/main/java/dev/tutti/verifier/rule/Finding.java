package dev.tutti.verifier.rule;

import dev.tutti.plan.ActionRef;
import java.util.List;

/**
 * Something that is wrong with an executor or a plan. Immutable.
 *
 * @param rule the broken rule
 * @param message what was found and where, in one line
 * @param actions the actions it is about, the most important first; empty if it is not about some
 * @param explanation how it comes about, in lines; empty if the message says it all
 */
public record Finding(Rule rule, String message, List<ActionRef> actions, String explanation) {

  /** Takes an immutable copy. */
  public Finding {
    actions = List.copyOf(actions);
  }

  /** A finding that its message explains. */
  public Finding(Rule rule, String message) {
    this(rule, message, List.of(), "");
  }

  /** The same with a longer explanation. */
  public Finding withExplanation(String newExplanation) {
    return new Finding(rule, message, actions, newExplanation);
  }

  @Override
  public String toString() {
    return rule.id() + " " + rule.title() + ": " + message;
  }
}
