package dev.tutti.plugins.doubling;

import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * The partners of one rank. If the number of ranks is not a power of two, each of the first even
 * ranks hands its operand to the odd rank after it, sits out, and gets the result from that rank (a
 * fold). The other ranks have places with consecutive numbers; the number of places is a power of
 * two.
 *
 * @param place this rank's place, or that of the rank to which it hands its operand
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

  /** The number of places: the largest power of two up to the number of ranks. */
  static int places(int ranks) {
    return Integer.highestOneBit(ranks);
  }

  /** The number of exchange steps: log₂ of the number of places. */
  static int steps(int ranks) {
    return Integer.numberOfTrailingZeros(places(ranks));
  }

  /**
   * The number of places that represent two ranks. They are the first places; place i represents
   * ranks 2i and 2i + 1.
   */
  static int foldedPlaces(int ranks) {
    return ranks - places(ranks);
  }

  /** Whether a rank hands its operand to another, or gets one, before the first step. */
  static boolean isFolded(int rank, int ranks) {
    return rank < 2 * foldedPlaces(ranks);
  }

  /** The rank at a place. If it also represents another rank, that is the one before it. */
  private static int lastRank(int place, int foldedPlaces) {
    return place < foldedPlaces ? 2 * place + 1 : place + foldedPlaces;
  }

  /** One slice for each place, merged from one slice for each rank. */
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

  /** All partners of this rank. */
  int[] all() {
    List<Integer> all = new ArrayList<>(exchanges);
    if (isFolded()) {
      all.add(folded);
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }
}
