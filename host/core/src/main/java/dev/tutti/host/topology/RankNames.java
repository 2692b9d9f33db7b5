package dev.tutti.host.topology;

import org.jspecify.annotations.Nullable;

/**
 * The names of a group's ranks in messages. A name has the number of the rank in the group. In a
 * sub-group, it also has the world rank: the number in the group that all sub-groups come from.
 * Immutable.
 */
public final class RankNames {

  private final int @Nullable [] worldRanks;

  private RankNames(int @Nullable [] worldRanks) {
    this.worldRanks = worldRanks;
  }

  /** The names of a group without a parent. */
  public static RankNames ofWorld() {
    return new RankNames(null);
  }

  /**
   * The names of a sub-group.
   *
   * @param ranks for each rank of the sub-group, its number in this group
   */
  public RankNames of(int[] ranks) {
    int[] world = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      world[i] = worldRank(ranks[i]);
    }
    return new RankNames(world);
  }

  /** The number of a rank in the group that all sub-groups come from. */
  public int worldRank(int rank) {
    return worldRanks == null ? rank : worldRanks[rank];
  }

  /** For example {@code "rank 1"}, or {@code "rank 1 (world rank 5)"} in a sub-group. */
  public String name(int rank) {
    return worldRanks == null || rank < 0 || rank >= worldRanks.length
        ? "rank " + rank
        : "rank " + rank + " (world rank " + worldRanks[rank] + ")";
  }
}
