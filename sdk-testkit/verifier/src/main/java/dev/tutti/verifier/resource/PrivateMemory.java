package dev.tutti.verifier.resource;

import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.List;

/** Finds accesses to the inputs and outputs of peers, which OP_BASE mode does not register. */
public final class PrivateMemory {

  private PrivateMemory() {}

  /** Checks a plan: rule LNK-2. */
  public static void check(FlatPlan plan, Findings findings) {
    for (FlatStream stream : plan.streams()) {
      for (int event = 0; event < stream.size(); event++) {
        if (stream.sync(event) == FlatStream.DATA
            && touchesPrivate(stream.plan(event), stream.action(event))) {
          add(stream, event, findings);
        }
      }
    }
  }

  private static void add(FlatStream stream, int event, Findings findings) {
    if (findings.isFull(Rule.PRIVATE_MEMORY)) {
      findings.count(Rule.PRIVATE_MEMORY);
      return;
    }
    findings.add(
        Rule.PRIVATE_MEMORY,
        stream.origin(event),
        () ->
            new Finding(
                Rule.PRIVATE_MEMORY,
                stream.describe(event)
                    + ", but in OP_BASE mode inputs and outputs are private: stage the data"
                    + " through CCL memory",
                List.of(stream.ref(event)),
                ""));
  }

  private static boolean touchesPrivate(RankPlan plan, int action) {
    boolean touches = isPrivate(plan, plan.dstRank(action), plan.dstType(action));
    for (int i = 0; i < plan.sourceCount(action); i++) {
      touches |= isPrivate(plan, plan.srcRank(action, i), plan.srcType(action, i));
    }
    return touches;
  }

  private static boolean isPrivate(RankPlan plan, int owner, TransportMemType type) {
    return owner != plan.rank()
        && (type == TransportMemType.PARAM_INPUT || type == TransportMemType.PARAM_OUTPUT);
  }
}
