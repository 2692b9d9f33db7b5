package dev.tutti.host;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;

/** The groups that were made from a group. Thread-safe. */
final class SubGroups {

  private final Group parent;
  private final Context context;

  /** Which ranks of the parent each of them has, in the order of its own ranks. */
  private final Map<Group, RankList> members = new ConcurrentHashMap<>();

  SubGroups(Group parent, Context context) {
    this.parent = parent;
    this.context = context;
  }

  /** A group of some ranks, in the order given. */
  Group create(RankList ranks) {
    parent.requireUsable();
    int[] numbers = new int[ranks.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = ranks.rank(i);
      checkExists(numbers[i]);
    }
    Group made =
        context.createSubGroup(
            SubTopology.of(parent.topology(), numbers), parent.names().of(numbers), this);
    members.put(made, ranks);
    try {
      // The parent may have been closed meanwhile, without this one.
      parent.requireUsable();
    } catch (TuttiException e) {
      made.close();
      throw e;
    }
    return made;
  }

  private void checkExists(int rank) {
    if (rank >= parent.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a sub-group takes ranks 0 to %d of its parent. Actual: %d",
          parent.rankSize() - 1,
          rank);
    }
  }

  /** A group for each colour; see {@link Group#split}. */
  SortedMap<Integer, Group> split(int[] colours, int[] keys) {
    checkLength("colours", colours);
    checkLength("keys", keys);
    SortedMap<Integer, List<Integer>> ranksOf = new TreeMap<>();
    for (int rank = 0; rank < colours.length; rank++) {
      checkColour(colours[rank], rank);
      if (colours[rank] != Group.NO_COLOUR) {
        ranksOf.computeIfAbsent(colours[rank], colour -> new ArrayList<>()).add(rank);
      }
    }
    SortedMap<Integer, Group> groups = new TreeMap<>();
    try {
      ranksOf.forEach((colour, ranks) -> groups.put(colour, create(ordered(ranks, keys))));
    } catch (Throwable t) {
      groups.values().forEach(Group::close);
      throw t;
    }
    return groups;
  }

  private static RankList ordered(List<Integer> ranks, int[] keys) {
    // The sort is stable, and the ranks come in rising order.
    ranks.sort(Comparator.comparingInt(rank -> keys[rank]));
    return RankList.of(ranks.stream().mapToInt(Integer::intValue).toArray());
  }

  private void checkLength(String what, int[] values) {
    if (values.length != parent.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s must have one entry per rank. Actual: %d entries, %d ranks",
          what,
          values.length,
          parent.rankSize());
    }
  }

  private void checkColour(int colour, int rank) {
    if (colour < 0 && colour != Group.NO_COLOUR) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the colour of %s must be 0 or more, or Group.NO_COLOUR to take no part. Actual: %d",
          parent.names().name(rank),
          colour);
    }
  }

  /** Does something for each sub-group that has a rank, with the rank's number in it. */
  void forEachWith(int rank, ObjIntConsumer<Group> action) {
    members.forEach(
        (group, ranks) -> {
          int own = ranks.indexOf(rank);
          if (own >= 0) {
            action.accept(group, own);
          }
        });
  }

  /** The ranks of the parent that an open sub-group has. */
  RankList membersOf(Group group) {
    return Objects.requireNonNull(members.get(group), "a sub-group of this one");
  }

  /** All that are open, in no order. */
  List<Group> all() {
    return List.copyOf(members.keySet());
  }

  void closed(Group group) {
    members.remove(group);
  }
}
