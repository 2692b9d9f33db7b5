package dev.tutti.testkit;

import dev.tutti.sdk.plan.GroupPlan;
import dev.tutti.sdk.plan.RankPlan;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.List;

/** Finds accesses to the inputs and outputs of peers, which OP_BASE mode does not register. */
final class PrivateMemory {

  private PrivateMemory() {}

  static List<Finding> check(GroupPlan plan) {
    Findings findings = new Findings();
    for (RankPlan rank : plan.ranks()) {
      for (int action = 0; action < rank.actionCount(); action++) {
        if (rank.kind(action).isData() && touchesPrivate(rank, action)) {
          findings.add(
              Rules.PRIVATE_MEMORY,
              rank.hasSources() ? rank.source(action) : "",
              "rank %d does '%s' at %s, but in OP_BASE mode inputs and outputs are private: stage"
                      .formatted(rank.rank(), rank.describe(action), rank.source(action))
                  + " the data through CCL memory");
        }
      }
    }
    return findings.toList();
  }

  private static boolean touchesPrivate(RankPlan rank, int action) {
    boolean touches = isPrivate(rank, rank.dst(action));
    for (int i = 0; i < rank.sourceCount(action); i++) {
      touches |= isPrivate(rank, rank.src(action, i));
    }
    return touches;
  }

  private static boolean isPrivate(RankPlan rank, DeviceMem mem) {
    return mem.rank() != rank.rank()
        && (mem.type() == TransportMemType.PARAM_INPUT
            || mem.type() == TransportMemType.PARAM_OUTPUT);
  }
}
