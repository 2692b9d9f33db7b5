package dev.tutti.engine;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * How far a plan reaches into the memories that the group provides. A plan has the staging buffers
 * of its group, but may use them in part or not at all; a thousand ranks then need little memory.
 */
public final class MemoryUse {

  private static final int TYPES = TransportMemType.values().length;

  private final long[] ends;

  private MemoryUse(long[] ends) {
    this.ends = ends;
  }

  /** What a plan and everything nested in it touches. */
  public static MemoryUse of(GroupPlan plan) {
    MemoryUse use = new MemoryUse(new long[plan.rankSize() * TYPES]);
    for (RankPlan rankPlan : plan.ranks()) {
      use.add(rankPlan);
    }
    return use;
  }

  /** What a plan touches, from its marks. */
  public static MemoryUse of(PlanClone plan) {
    MemoryUse use = new MemoryUse(new long[plan.plan().rankSize() * TYPES]);
    for (int rank = 0; rank < plan.plan().rankSize(); rank++) {
      for (TransportMemType type : TransportMemType.values()) {
        int last = plan.structure().lastUsed(rank, type);
        use.ends[rank * TYPES + type.ordinal()] = last < 0 ? 0 : plan.position(last);
      }
    }
    return use;
  }

  private void add(RankPlan plan) {
    for (int action = 0; action < plan.actionCount(); action++) {
      ActionKind kind = plan.kind(action);
      if (kind == ActionKind.NESTED) {
        add(plan.nested(action));
      } else if (kind.isData()) {
        long bytes = plan.bytes(action);
        reach(plan.dstRank(action), plan.dstType(action), plan.dstOffset(action) + bytes);
        for (int source = 0; source < plan.sourceCount(action); source++) {
          reach(
              plan.srcRank(action, source),
              plan.srcType(action, source),
              plan.srcOffset(action, source) + bytes);
        }
      }
    }
  }

  private void reach(int rank, TransportMemType type, long end) {
    int slot = rank * TYPES + type.ordinal();
    ends[slot] = Math.max(ends[slot], end);
  }

  /** The end of the last byte that is touched; 0 if the memory is not used. */
  public long end(int rank, TransportMemType type) {
    return ends[rank * TYPES + type.ordinal()];
  }
}
