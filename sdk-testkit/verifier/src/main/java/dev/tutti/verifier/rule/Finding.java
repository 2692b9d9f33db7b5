package dev.tutti.verifier.rule;

import dev.tutti.plan.ActionRef;
import java.util.List;

/**
 * An error, a warning or a note about an executor or a plan. Immutable.
 *
 * @param rule the broken rule
 * @param message what was found and where, in one line
 * @param actions the actions that the finding is about, the most important first; may be empty
 * @param explanation how the error happens, in lines; empty if the message is enough
 */
public record Finding(Rule rule, String message, List<ActionRef> actions, String explanation) {

  /** Takes an immutable copy. */
  public Finding {
    actions = List.copyOf(actions);
  }

  /** A finding without actions and without an explanation. */
  public Finding(Rule rule, String message) {
    this(rule, message, List.of(), "");
  }

  /** The same finding with another explanation. */
  public Finding withExplanation(String newExplanation) {
    return new Finding(rule, message, actions, newExplanation);
  }

  @Override
  public String toString() {
    return rule.id() + " " + rule.title() + ": " + message;
  }
}
