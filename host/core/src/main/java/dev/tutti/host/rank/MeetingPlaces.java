package dev.tutti.host.rank;

import dev.tutti.host.job.GroupProcesses;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks meet, and which of them are in one process. The first place of each process speaks
 * for the others. Immutable.
 */
final class MeetingPlaces {

  private final int[] ranks;
  private final boolean isEverybody;

  /** The processes of the ranks of the group; null if all that meet are in this one. */
  private final @Nullable GroupProcesses ofGroup;

  private final int[] own;
  private final int[] speakers;

  /**
   * Places of some ranks.
   *
   * @param ranks who meets, by place
   * @param groupSize how many ranks the group has
   * @param ofGroup the processes of the ranks of the group; null if all that meet are in this one
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

  /** The places of the ranks of this process; not to be changed. */
  int[] own() {
    return own;
  }

  /** Whether the rank at a place is in this process. */
  boolean isOwn(int place) {
    return IntStream.of(own).anyMatch(each -> each == place);
  }

  /** The place that speaks for a process, of each process; not to be changed. */
  int[] speakers() {
    return speakers;
  }

  int size() {
    return ranks.length;
  }

  int rank(int place) {
    return ranks[place];
  }

  /** The place of a rank; −1 if it does not meet here. */
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

  /** The place that speaks here for the process of a rank of the group. */
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
