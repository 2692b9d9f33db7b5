package dev.tutti.plugins.doubling;

import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * With whom one rank exchanges. If the number of ranks is no power of two, each of the first even
 * ranks hands its operand to the odd rank after it, sits out, and gets the result from there. The
 * ranks that stay are numbered by places, a power of two in all.
 *
 * @param place this rank's place, or that of the rank it hands its operand to
 * @param folded the other rank of this rank's fold, or {@link #NONE}
 * @param sitsOut whether this rank hands its operand over
 * @param exchanges the partner of each step, if this rank does not sit out
 */
record Partners(int place, int folded, boolean sitsOut, List<Integer> exchanges) {

  static final int NONE = -1;

  Partners {
    exchanges = List.copyOf(exchanges);
  }

  static Partners of(int rank, int ranks) {
    int foldedPlaces = foldedPlaces(ranks);
    boolean isFolded = isFolded(rank, ranks);
    boolean sitsOut = isFolded && rank % 2 == 0;
    int place = isFolded ? rank / 2 : rank - foldedPlaces;
    List<Integer> exchanges = new ArrayList<>();
    for (int bit = 1; bit < places(ranks) && !sitsOut; bit <<= 1) {
      exchanges.add(lastRank(place ^ bit, foldedPlaces));
    }
    return new Partners(place, isFolded ? rank ^ 1 : NONE, sitsOut, exchanges);
  }

  /** The greatest power of two that is no more than the number of ranks. */
  static int places(int ranks) {
    return Integer.highestOneBit(ranks);
  }

  /** The steps in which a place meets all others. */
  static int steps(int ranks) {
    return Integer.numberOfTrailingZeros(places(ranks));
  }

  /** How many places, the first ones, stand for two ranks: 2i and 2i + 1 for place i. */
  static int foldedPlaces(int ranks) {
    return ranks - places(ranks);
  }

  /** Whether a rank hands its operand over, or gets one before the first step. */
  static boolean isFolded(int rank, int ranks) {
    return rank < 2 * foldedPlaces(ranks);
  }

  /** The rank at a place; before it in rank order comes the one that it stands for, if any. */
  private static int lastRank(int place, int foldedPlaces) {
    return place < foldedPlaces ? 2 * place + 1 : place + foldedPlaces;
  }

  /** One slice for each place, made of one slice for each rank. */
  static List<Slice> ofPlaces(List<Slice> slices) {
    int foldedPlaces = foldedPlaces(slices.size());
    List<Slice> merged = new ArrayList<>();
    for (int place = 0; place < places(slices.size()); place++) {
      Slice last = slices.get(lastRank(place, foldedPlaces));
      Slice first = place < foldedPlaces ? slices.get(2 * place) : last;
      merged.add(new Slice(first.offset(), last.offset() + last.size() - first.offset()));
    }
    return merged;
  }

  boolean isFolded() {
    return folded != NONE;
  }

  /** All of them. */
  int[] all() {
    List<Integer> all = new ArrayList<>(exchanges);
    if (isFolded()) {
      all.add(folded);
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }
}
