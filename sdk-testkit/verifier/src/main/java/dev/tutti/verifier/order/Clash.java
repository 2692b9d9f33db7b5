package dev.tutti.verifier.order;

import dev.tutti.plan.ActionKind;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/**
 * Two accesses to the same bytes that nothing orders. At the border of a call, the caller counts as
 * an access to its buffers.
 *
 * @param one the stream of the access that came first in the walk
 * @param event1 that access
 * @param other the stream of the other access
 * @param event2 the other access
 * @param span the bytes that both use
 */
record Clash(
    Rule rule,
    FlatPlan plan,
    FlatStream one,
    int event1,
    boolean isWrite1,
    FlatStream other,
    int event2,
    boolean isWrite2,
    Span span) {

  /** The key that clashes with the same cause share. */
  static String key(FlatStream one, int event1, FlatStream other, int event2) {
    return one.origin(event1) + "|" + other.origin(event2);
  }

  Finding finding(String explanation) {
    String message =
        "%s and %s use %s[%d, %d)%s: the first %s, the second %s, and nothing orders them"
            .formatted(
                one.describe(event1),
                other.describe(event2),
                plan.memoryName(span.memory()),
                span.from(),
                span.to(),
                rule == Rule.SEQUENCE_RACE ? " in two operations one after the other" : "",
                access(one, event1, isWrite1),
                access(other, event2, isWrite2));
    return new Finding(rule, message, List.of(one.ref(event1), other.ref(event2)), explanation);
  }

  private static String access(FlatStream code, int event, boolean isWrite) {
    if (!code.isAction(event)) {
      return "owns it";
    }
    ActionKind kind = code.plan(event).kind(code.action(event));
    return isWrite ? (kind == ActionKind.REDUCE ? "updates" : "writes") : "reads";
  }
}
