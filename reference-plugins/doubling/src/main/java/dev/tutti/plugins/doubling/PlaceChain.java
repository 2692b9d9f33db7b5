package dev.tutti.plugins.doubling;

import dev.tutti.plugins.template.LongestChain;
import java.util.List;

/** The longest chain of transfers of the steps of {@link Halving}. */
final class PlaceChain {

  private final LongestChain chain;
  private final int places;

  /** The bytes before each place, and in all. */
  private final long[] before;

  /**
   * A chain that has not begun.
   *
   * @param parts the bytes of each place, a power of two of them
   */
  PlaceChain(LongestChain.Unit unit, List<Long> parts) {
    this.chain = new LongestChain(unit, parts.size());
    this.places = parts.size();
    this.before = new long[places + 1];
    for (int place = 0; place < places; place++) {
      before[place + 1] = before[place] + parts.get(place);
    }
  }

  /** A transfer between a place and the rank that it stands for. */
  void fold(int place, long bytes) {
    chain.transfer(place, bytes);
  }

  /** The steps of a reduce-scatter: each place gets its own group of parts. */
  void halve() {
    for (int width = places / 2; width > 0; width >>= 1) {
      int distance = width;
      chain.step(place -> place ^ distance, place -> group(place, distance));
    }
  }

  /** The steps of an all-gather: each place gets the group of its partner. */
  void redouble() {
    for (int width = 1; width < places; width <<= 1) {
      int distance = width;
      chain.step(place -> place ^ distance, place -> group(place ^ distance, distance));
    }
  }

  /** The bytes of the places that differ from one in bits below {@code width} only. */
  private long group(int place, int width) {
    int first = place & -width;
    return before[first + width] - before[first];
  }

  /** What it adds up to. */
  long length() {
    return chain.length();
  }
}
