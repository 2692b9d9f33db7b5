package dev.tutti.cli.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Writes the numbers of ranks in words. */
public final class RankNumbers {

  private RankNumbers() {}

  /** For example {@code "rank 2"}, or {@code "ranks 0-3, 5"}. */
  public static String of(Collection<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + list(ranks);
  }

  /** The numbers alone, for example {@code "0-3, 5"}. */
  static String list(Collection<Integer> ranks) {
    List<String> parts = new ArrayList<>();
    int first = 0;
    int last = 0;
    boolean isOpen = false;
    for (int rank : new TreeSet<>(ranks)) {
      if (isOpen && rank == last + 1) {
        last = rank;
        continue;
      }
      if (isOpen) {
        parts.add(part(first, last));
      }
      first = rank;
      last = rank;
      isOpen = true;
    }
    parts.add(part(first, last));
    return String.join(", ", parts);
  }

  private static String part(int first, int last) {
    if (first == last) {
      return String.valueOf(first);
    }
    return first + (last == first + 1 ? ", " : "-") + last;
  }
}
