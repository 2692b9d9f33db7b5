package dev.tutti.engine;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.stream.IntStream;

/**
 * How far a plan reaches into the memories that the group provides. A plan has the staging buffers
 * of its group, but may use only a part of them, or none; a thousand ranks then need little memory.
 */
public final class MemoryUse {

  private static final int TYPES = TransportMemType.values().length;

  /**
   * For each rank and kind of memory, two numbers: its size, and the end of the last touched byte.
   */
  private final long[] extents;

  /** The numbers of the touched memories that the group provides. */
  private int[] touched = {};

  private MemoryUse(GroupPlan plan) {
    this.extents = new long[2 * TYPES * plan.rankSize()];
    for (RankPlan rank : plan.ranks()) {
      for (TransportMemType type : TransportMemType.values()) {
        extents[place(rank.rank(), type)] = rank.memSize(type);
      }
    }
  }

  private static int place(int rank, TransportMemType type) {
    return 2 * (rank * TYPES + type.ordinal());
  }

  /** The memory that a plan and everything nested in it touches. */
  public static MemoryUse of(GroupPlan plan) {
    MemoryUse use = new MemoryUse(plan);
    for (RankPlan rankPlan : plan.ranks()) {
      use.add(rankPlan);
    }
    use.findTouched();
    return use;
  }

  /**
   * The memory that a plan touches, from its marks.
   *
   * @param origin the memory that its model touches; if the group provides memory to neither, both
   *     share this object, because the other extents are never read
   */
  public static MemoryUse of(PlanClone plan, MemoryUse origin) {
    MemoryUse use = new MemoryUse(plan.plan());
    for (int rank = 0; rank < plan.plan().rankSize(); rank++) {
      for (TransportMemType type : TransportMemType.values()) {
        int last = plan.structure().lastUsed(rank, type);
        use.extents[place(rank, type) + 1] = last < 0 ? 0 : plan.position(last);
      }
    }
    use.findTouched();
    return use.touched.length + origin.touched.length == 0 ? origin : use;
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

  private void findTouched() {
    TransportMemType[] types = TransportMemType.values();
    touched =
        IntStream.range(0, extents.length / 2)
            .filter(i -> extents[2 * i + 1] > 0 && Composition.isPrivate(types[i % TYPES]))
            .toArray();
  }

  private void reach(int rank, TransportMemType type, long end) {
    int place = place(rank, type) + 1;
    extents[place] = Math.max(extents[place], end);
  }

  /** The end of the last byte that is touched; 0 if the memory is not used. */
  public long end(int rank, TransportMemType type) {
    return extents[place(rank, type) + 1];
  }

  /** The size of a rank's memory. */
  public long size(int rank, TransportMemType type) {
    return extents[place(rank, type)];
  }

  /** The number of memories that the group has to provide, because they are touched. */
  public int providedCount() {
    return touched.length;
  }

  /** The rank of a memory that the group has to provide. */
  public int providedRank(int number) {
    return touched[number] / TYPES;
  }

  /** The kind of a memory that the group has to provide. */
  public TransportMemType providedType(int number) {
    return TransportMemType.values()[touched[number] % TYPES];
  }

  /** The number of ranks. */
  public int rankSize() {
    return extents.length / (2 * TYPES);
  }
}
