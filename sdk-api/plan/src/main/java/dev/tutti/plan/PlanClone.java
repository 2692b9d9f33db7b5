package dev.tutti.plan;

import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.resource.TransportMemType;
import org.jspecify.annotations.Nullable;

/**
 * A plan of a known structure. Plans of one structure share it, and each adds the positions of its
 * marks. Immutable.
 */
public final class PlanClone {

  private final PlanStructure structure;
  private final GroupPlan plan;
  private final long[] positions;

  /**
   * A plan of a structure.
   *
   * @param positions the position of each mark; the array must not change afterwards
   */
  PlanClone(PlanStructure structure, GroupPlan plan, long[] positions) {
    this.structure = structure;
    this.plan = plan;
    this.positions = positions;
  }

  /**
   * The result of planning an operation in a known structure.
   *
   * @param made the plan, or null if the operation has another structure or cannot be planned
   * @param difference how the operation differs, in words; empty if it does not
   */
  public record Attempt(@Nullable PlanClone made, String difference) {

    /** Refuses null. */
    public Attempt {
      Arguments.require(difference, "difference");
    }
  }

  /** The structure, which it shares with others. */
  public PlanStructure structure() {
    return structure;
  }

  /** The plan; equal to a recorded plan of the same operation. */
  public GroupPlan plan() {
    return plan;
  }

  /** The position of a mark in its memory, in bytes. */
  public long position(int mark) {
    return positions[mark];
  }

  /**
   * The mark at a position of a rank's memory at which a span of this plan begins or ends.
   *
   * @param position in bytes
   * @throws IllegalStateException if there is none
   */
  public int mark(int rank, TransportMemType type, long position) {
    Arguments.require(type, "type");
    return structure.mark(structure.memory(rank, type), position, positions);
  }

  /** Bytes of heap that it takes besides its structure. */
  public long heapBytes() {
    long perRank = 256;
    return (long) Long.BYTES * positions.length + perRank * plan.rankSize();
  }

  @Override
  public String toString() {
    return plan + ", " + positions.length + " marks";
  }
}
