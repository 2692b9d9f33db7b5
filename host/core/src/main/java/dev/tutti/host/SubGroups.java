package dev.tutti.host;

import dev.tutti.base.idle.Deadlines;
import dev.tutti.host.group.GroupCore;
import dev.tutti.host.job.JobGroup;
import dev.tutti.host.rank.RankCall;
import dev.tutti.host.rank.RankCalls;
import dev.tutti.host.rank.SplitPart;
import dev.tutti.host.topology.RankNames;
import dev.tutti.host.topology.SubTopology;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The groups that were made from a group. Thread-safe. */
final class SubGroups {

  private final GroupCore core;
  private final RankCalls calls;
  private final Maker maker;

  /** For each sub-group, its ranks as numbers of the parent, in the order of the sub-group. */
  private final Map<Group, RankList> members = new ConcurrentHashMap<>();

  /** The handles of ranks in the groups of a split that the ranks have not asked for yet. */
  private final Map<SplitPart, RankHandle> places =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** The groups of a split that ranks of this process have not asked for yet. */
  private final Map<SplitPart, Chosen> chosenParts =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * A group of a split. It is made when the first of its ranks in this process asks for it; the
   * other ranks get the same group.
   */
  private final class Chosen {
    private final RankList ranks;
    private @Nullable Group made;
    private @Nullable TuttiException failure;

    Chosen(RankList ranks) {
      this.ranks = ranks;
    }

    /** The handle of a rank of the parent. */
    synchronized RankHandle handle(int rank) {
      if (failure != null) {
        throw new TuttiException(failure.code(), failure, "%s", failure.getMessage());
      }
      Group group = made;
      if (group == null) {
        try {
          group = create(ranks);
        } catch (TuttiException e) {
          failure = e;
          throw e;
        }
        made = group;
      }
      return group.rank(ranks.indexOf(rank));
    }
  }

  /** Makes a group. */
  @FunctionalInterface
  interface Maker {

    /**
     * Makes a group.
     *
     * @param siblings is notified when the group is closed; null for a group without a parent
     * @param link the way to ranks in other processes; null if all are in this one
     */
    Group make(
        Topology topology, RankNames names, @Nullable SubGroups siblings, @Nullable JobGroup link);
  }

  /**
   * The sub-groups of one parent.
   *
   * @param core the core of the parent
   * @param calls the calls of the parent's ranks
   */
  SubGroups(GroupCore core, RankCalls calls, Maker maker) {
    this.core = core;
    this.calls = calls;
    this.maker = maker;
  }

  /** A group of some ranks, in the order given. */
  Group create(RankList ranks) {
    core.slot().requireUsable();
    int[] numbers = new int[ranks.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = ranks.rank(i);
      checkExists(numbers[i]);
    }
    Topology topology = SubTopology.of(core.topology(), numbers);
    JobGroup link = link(core.job(), topology, numbers);
    Group made = maker.make(topology, core.names().of(numbers), this, link);
    members.put(made, ranks);
    made.joinTo(calls, ranks);
    try {
      // The parent may have been closed meanwhile, without closing this group.
      core.slot().requireUsable();
    } catch (TuttiException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /**
   * The way to the ranks of a group in other processes, which make the group together with this
   * process; null if there are none.
   */
  private @Nullable JobGroup link(@Nullable JobGroup parent, Topology topology, int[] ranks) {
    if (parent == null || (core.areApart() && IntStream.of(ranks).allMatch(core::isLocal))) {
      return null;
    }
    if (IntStream.of(ranks).noneMatch(core::isLocal)) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a group of ranks %s can be made only in the processes of these ranks, but this is %s",
          Arrays.toString(ranks),
          core.names().name(parent.rank()));
    }
    long nanos = Deadlines.nanos(core.settings().deadline());
    return parent.createSubGroup(ranks, topology.toString(), nanos);
  }

  private void checkExists(int rank) {
    if (rank >= core.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "a sub-group takes ranks 0 to %d of its parent. Actual: %d",
          core.rankSize() - 1,
          rank);
    }
  }

  /** A group for each colour that ranks of this process have; see {@link Group#split}. */
  SortedMap<Integer, Group> split(int[] colours, int[] keys) {
    SortedMap<Integer, Group> groups = new TreeMap<>();
    try {
      parts(colours, keys).forEach((colour, ranks) -> groups.put(colour, create(ranks)));
    } catch (Throwable t) {
      groups.values().forEach(Group::close);
      throw t;
    }
    return groups;
  }

  /**
   * The ranks of each colour that ranks of this process have, in the order of their new numbers.
   */
  private SortedMap<Integer, RankList> parts(int[] colours, int[] keys) {
    checkLength("colours", colours);
    checkLength("keys", keys);
    SortedMap<Integer, List<Integer>> ranksOf = new TreeMap<>();
    for (int rank = 0; rank < colours.length; rank++) {
      checkColour(colours[rank], rank);
      if (colours[rank] != Group.NO_COLOUR) {
        ranksOf.computeIfAbsent(colours[rank], colour -> new ArrayList<>()).add(rank);
      }
    }
    ranksOf.values().removeIf(ranks -> ranks.stream().noneMatch(core::isLocal));
    SortedMap<Integer, RankList> parts = new TreeMap<>();
    ranksOf.forEach((colour, ranks) -> parts.put(colour, ordered(ranks, keys)));
    return parts;
  }

  /**
   * Prepares the new group of each rank of this process. If all ranks are in this process, the
   * groups are made now. Otherwise the ranks make them when they ask for them, because the
   * processes have to wait for each other.
   */
  void split(List<RankCall> ranks) {
    int[] colours = new int[ranks.size()];
    int[] keys = new int[ranks.size()];
    for (RankCall each : ranks) {
      SplitPart part = partOf(each);
      colours[each.rank()] = part.colour();
      keys[each.rank()] = part.key();
    }
    if (core.job() != null) {
      for (RankList chosen : parts(colours, keys).values()) {
        Chosen group = new Chosen(chosen);
        for (int i = 0; i < chosen.size(); i++) {
          if (core.isLocal(chosen.rank(i))) {
            chosenParts.put(partOf(ranks.get(chosen.rank(i))), group);
          }
        }
      }
      return;
    }
    for (Group made : split(colours, keys).values()) {
      RankList chosen = Objects.requireNonNull(members.get(made), "a sub-group of this one");
      for (int i = 0; i < chosen.size(); i++) {
        places.put(partOf(ranks.get(chosen.rank(i))), made.rank(i));
      }
    }
  }

  private static SplitPart partOf(RankCall call) {
    return Objects.requireNonNull(call.split(), "all ranks split");
  }

  /** The rank's handle in its new group, which can be taken once; null if it takes no part. */
  @Nullable RankHandle placeOf(SplitPart part, int rank) {
    Chosen chosen = chosenParts.remove(part);
    return chosen == null ? places.remove(part) : chosen.handle(rank);
  }

  private static RankList ordered(List<Integer> ranks, int[] keys) {
    // The sort is stable, and the ranks are in ascending order.
    ranks.sort(Comparator.comparingInt(rank -> keys[rank]));
    return RankList.of(ranks.stream().mapToInt(Integer::intValue).toArray());
  }

  private void checkLength(String what, int[] values) {
    if (values.length != core.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "%s must have one entry per rank. Actual: %d entries, %d ranks",
          what,
          values.length,
          core.rankSize());
    }
  }

  /** Refuses a number that is neither a colour nor {@link Group#NO_COLOUR}. */
  void checkColour(int colour, int rank) {
    if (colour < 0 && colour != Group.NO_COLOUR) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "the colour of %s must be 0 or more, or Group.NO_COLOUR to take no part. Actual: %d",
          core.names().name(rank),
          colour);
    }
  }

  /** All open sub-groups, in no order. */
  List<Group> all() {
    return List.copyOf(members.keySet());
  }

  /** Removes a sub-group that is closed; its ranks make no more calls there. */
  void closed(Group group, RankCalls itsCalls) {
    members.remove(group);
    calls.removePart(itsCalls);
  }
}
