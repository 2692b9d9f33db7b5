package dev.tutti.simulator.flow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Groups of ranks that a drawing shows as one rank: ranks that do the same on the same streams,
 * with any peers and any offsets. Immutable.
 */
public final class FoldedRanks {

  /** Beyond this number of groups, all ranks that were not requested share one group. */
  private static final int MAX_GROUPS = 40;

  private static final long PRIME = 0x100000001b3L;

  private final List<List<Integer>> groups;
  private final int[] groupOf;

  private FoldedRanks(List<List<Integer>> groups, int[] groupOf) {
    this.groups = groups;
    this.groupOf = groupOf;
  }

  /**
   * Folds the ranks of a plan.
   *
   * @param alone up to this number of ranks, each rank has its own group
   * @param shown ranks that have their own group in larger plans, too
   */
  public static FoldedRanks of(FlatPlan plan, int alone, Set<Integer> shown) {
    int ranks = plan.plan().rankSize();
    Map<Long, List<Integer>> equal = new LinkedHashMap<>();
    for (int rank = 0; rank < ranks; rank++) {
      boolean isAlone = ranks <= alone || shown.contains(rank);
      // Different programs have equal hashes by chance once in 2^63.
      long key = isAlone ? -1L - rank : program(plan, rank) & Long.MAX_VALUE;
      equal.computeIfAbsent(key, each -> new ArrayList<>()).add(rank);
    }
    List<List<Integer>> groups = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (List<Integer> group : equal.values()) {
      boolean isAsked = ranks <= alone || shown.contains(group.getFirst());
      if (isAsked || groups.size() < MAX_GROUPS) {
        groups.add(group);
      } else {
        others.addAll(group);
      }
    }
    if (!others.isEmpty()) {
      groups.add(others);
    }
    int[] groupOf = new int[ranks];
    for (int group = 0; group < groups.size(); group++) {
      for (int rank : groups.get(group)) {
        groupOf[rank] = group;
      }
    }
    return new FoldedRanks(groups, groupOf);
  }

  /** The number of groups. */
  public int count() {
    return groups.size();
  }

  /** The ranks of a group in their order; the first one is drawn. */
  public List<Integer> group(int group) {
    return groups.get(group);
  }

  /** The group of a rank. */
  public int groupOf(int rank) {
    return groupOf[rank];
  }

  /** A 64-bit hash of what the streams of a rank do. */
  private static long program(FlatPlan plan, int rank) {
    long hash = 0xcbf29ce484222325L;
    for (int stream = plan.mainStream(rank); stream < plan.endOfRank(rank); stream++) {
      FlatStream code = plan.streams().get(stream);
      hash = (hash ^ code.number()) * PRIME;
      for (int event = 0; event < code.size(); event++) {
        hash = (hash ^ form(code, event)) * PRIME;
        hash ^= hash >>> 29;
      }
    }
    return hash;
  }

  private static int form(FlatStream code, int event) {
    if (!code.isAction(event)) {
      return Math.min(code.sync(event), 1);
    }
    int kind = 4 + 2 * code.plan(event).kind(code.action(event)).ordinal();
    boolean isSync = code.sync(event) >= 0;
    return isSync ? kind + (code.plan(event).notify(code.action(event)) << 8) : kind + 1;
  }

  /** The ranks of a group as ranges, each a first and a last rank. */
  public List<int[]> ranges(int group) {
    List<int[]> ranges = new ArrayList<>();
    for (int rank : groups.get(group)) {
      int[] last = ranges.isEmpty() ? null : ranges.getLast();
      if (last != null && last[1] == rank - 1) {
        last[1] = rank;
      } else {
        ranges.add(new int[] {rank, rank});
      }
    }
    return ranges;
  }

  /** The ranks of a group as text, for example {@code "ranks 1–3 (3)"}. */
  public String label(int group) {
    List<Integer> ranks = groups.get(group);
    if (ranks.size() == 1) {
      return "rank " + ranks.getFirst();
    }
    List<int[]> ranges = ranges(group);
    StringBuilder text = new StringBuilder("ranks ");
    for (int[] range : ranges.subList(0, Math.min(3, ranges.size()))) {
      text.append(text.length() > 6 ? ", " : "").append(range[0]);
      text.append(range[0] == range[1] ? "" : "–" + range[1]);
    }
    return text + (ranges.size() > 3 ? ", …" : "") + " (" + ranks.size() + ")";
  }
}
