package dev.tutti.host.topology;

import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a group are called in messages: by their number in the group, and in a
 * sub-group also by their number in the group that all others were made from. Immutable.
 */
public final class RankNames {

  private final int @Nullable [] worldRanks;

  private RankNames(int @Nullable [] worldRanks) {
    this.worldRanks = worldRanks;
  }

  /** The names of a group that was made from no other. */
  public static RankNames ofWorld() {
    return new RankNames(null);
  }

  /**
   * The names of a sub-group.
   *
   * @param ranks for each of its ranks the number that it has here
   */
  public RankNames of(int[] ranks) {
    int[] world = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      world[i] = worldRank(ranks[i]);
    }
    return new RankNames(world);
  }

  /** The number of a rank in the group that all others were made from. */
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
