package dev.tutti.plugins.doubling;

import java.util.ArrayList;
import java.util.List;

/**
 * With whom one rank exchanges. If the number of ranks is no power of two, each of the first even
 * ranks hands its operand to the odd rank after it, sits out, and gets the result from there.
 *
 * @param folded the other rank of this rank's fold, or {@link #NONE}
 * @param sitsOut whether this rank hands its operand over
 * @param exchanges the partner of each step, if this rank does not sit out
 */
record Partners(int folded, boolean sitsOut, List<Integer> exchanges) {

  static final int NONE = -1;

  Partners {
    exchanges = List.copyOf(exchanges);
  }

  static Partners of(int rank, int ranks) {
    int steps = 31 - Integer.numberOfLeadingZeros(ranks);
    int power = 1 << steps;
    int foldedRanks = 2 * (ranks - power);
    boolean isFolded = rank < foldedRanks;
    boolean sitsOut = isFolded && rank % 2 == 0;
    List<Integer> exchanges = new ArrayList<>();
    for (int bit = 1; bit < power && !sitsOut; bit <<= 1) {
      int place = (isFolded ? rank / 2 : rank - foldedRanks / 2) ^ bit;
      exchanges.add(place < foldedRanks / 2 ? 2 * place + 1 : place + foldedRanks / 2);
    }
    return new Partners(isFolded ? rank ^ 1 : NONE, sitsOut, exchanges);
  }

  /** All of them. */
  int[] all() {
    List<Integer> all = new ArrayList<>(exchanges);
    if (folded != NONE) {
      all.add(folded);
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }
}
