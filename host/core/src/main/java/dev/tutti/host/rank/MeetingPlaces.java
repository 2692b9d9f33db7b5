package dev.tutti.host.rank;

import dev.tutti.host.job.GroupProcesses;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a meeting, and their processes. The place of a rank is its index in the meeting. The
 * first place of each process represents the process. Immutable.
 */
final class MeetingPlaces {

  private final int[] ranks;
  private final boolean isEverybody;

  /** The processes of the group's ranks; null if all ranks that meet are in this process. */
  private final @Nullable GroupProcesses ofGroup;

  private final int[] own;
  private final int[] speakers;

  /**
   * Makes the places of some ranks.
   *
   * @param ranks the ranks that meet, by place
   * @param groupSize the number of ranks of the group
   * @param ofGroup the processes of the group's ranks; null if all ranks that meet are in this
   *     process
   */
  MeetingPlaces(int[] ranks, int groupSize, @Nullable GroupProcesses ofGroup) {
    this.ranks = ranks;
    this.isEverybody = ranks.length == groupSize;
    this.ofGroup = ofGroup;
    this.own = ofGroup == null ? all() : ofGroup.of(ranks).ownRanks();
    this.speakers = ofGroup == null ? new int[] {0} : ofGroup.of(ranks).firsts();
  }

  int[] all() {
    return IntStream.range(0, ranks.length).toArray();
  }

  /** The places of the ranks of this process; the caller must not change the array. */
  int[] own() {
    return own;
  }

  /** Whether the rank at a place is in this process. */
  boolean isOwn(int place) {
    return IntStream.of(own).anyMatch(each -> each == place);
  }

  /** For each process, the place that represents it; the caller must not change the array. */
  int[] speakers() {
    return speakers;
  }

  int size() {
    return ranks.length;
  }

  int rank(int place) {
    return ranks[place];
  }

  /** The place of a rank; −1 if it is not in the meeting. */
  int of(int rank) {
    if (isEverybody && rank >= 0 && rank < ranks.length && ranks[rank] == rank) {
      return rank;
    }
    for (int place = 0; place < ranks.length; place++) {
      if (ranks[place] == rank) {
        return place;
      }
    }
    return -1;
  }

  /** The place that represents the process of a rank of the group here. */
  int speakerOf(int rank) {
    for (int place : speakers) {
      if (ofGroup == null || ofGroup.number(ranks[place]) == ofGroup.number(rank)) {
        return place;
      }
    }
    throw new IllegalStateException("no rank of the process of rank " + rank + " meets here");
  }

  /** The places of all ranks of the process of a rank of the group. */
  int[] beside(int rank) {
    int speaker = speakerOf(rank);
    return IntStream.of(all()).filter(place -> speakerOf(ranks[place]) == speaker).toArray();
  }
}
