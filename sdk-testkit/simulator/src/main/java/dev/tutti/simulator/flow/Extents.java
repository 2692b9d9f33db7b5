package dev.tutti.simulator.flow;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.TransportMemType;

/**
 * How far the actions of some ranks reach into each memory, and which memories they write. Not
 * thread-safe.
 */
final class Extents implements RankPlan.AccessVisitor {

  private static final TransportMemType[] TYPES = TransportMemType.values();

  private final GroupPlan group;

  /** By rank and kind. */
  private final long[] sizes;

  private final long[] ends;
  private final boolean[] written;

  private RankPlan plan;

  Extents(GroupPlan group) {
    this.group = group;
    this.plan = group.rank(0);
    this.sizes = new long[group.rankSize() * TYPES.length];
    this.ends = new long[sizes.length];
    this.written = new boolean[sizes.length];
    for (int rank = 0; rank < group.rankSize(); rank++) {
      for (TransportMemType type : TYPES) {
        sizes[index(rank, type)] = group.rank(rank).memSize(type);
      }
    }
  }

  private static int index(int rank, TransportMemType type) {
    return rank * TYPES.length + type.ordinal();
  }

  /**
   * Adds the accesses of a plan, nested plans included.
   *
   * @throws TuttiException with {@link ErrorCode#OUT_OF_BOUNDS} if it reaches beyond a memory
   */
  void add(RankPlan added) {
    plan = added;
    added.forEachAccess(this);
    if (added.hasNested()) {
      for (int form = 0; form < added.formCount(); form++) {
        int action = added.firstOfForm(form);
        if (added.kind(action) == ActionKind.NESTED) {
          add(added.nested(action));
        }
      }
    }
  }

  @Override
  public void access(
      int action, int owner, TransportMemType type, long offset, long bytes, boolean isWrite) {
    int memory = owner < group.rankSize() ? index(owner, type) : -1;
    if (memory < 0 || offset < 0 || bytes > sizes[memory] - offset) {
      throw new TuttiException(
          ErrorCode.OUT_OF_BOUNDS,
          "rank %d does '%s', but rank %d has %d bytes of %s memory%s",
          plan.rank(),
          plan.describe(action),
          owner,
          memory < 0 ? 0 : sizes[memory],
          type.label(),
          type.askedIn().map(method -> "; ask for more in " + method).orElse(""));
    }
    ends[memory] = Math.max(ends[memory], offset + bytes);
    written[memory] |= isWrite;
  }

  /**
   * Merges these results into others.
   *
   * @param allEnds by rank and kind
   * @param allWritten by memory number
   * @param inPlace whether a rank's output is its input
   */
  void mergeInto(long[] allEnds, boolean[] allWritten, boolean inPlace) {
    for (int memory = 0; memory < ends.length; memory++) {
      allEnds[memory] = Math.max(allEnds[memory], ends[memory]);
      if (written[memory]) {
        boolean isOutput = TYPES[memory % TYPES.length] == TransportMemType.PARAM_OUTPUT;
        int rank = memory / TYPES.length;
        allWritten[inPlace && isOutput ? index(rank, TransportMemType.PARAM_INPUT) : memory] = true;
      }
    }
  }
}
