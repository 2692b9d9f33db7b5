package dev.tutti.testkit.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Few rows in which every value of every axis meets every value of every other axis. Greedy: each
 * row starts from the first pair that has not met, and takes for every other axis the value that
 * makes the most pairs meet. Deterministic.
 */
final class Pairwise {

  private final int[] sizes;

  /** For axes a before b, the pairs of their values that have not met. */
  private final BitSet[][] open;

  private Pairwise(int[] sizes) {
    this.sizes = sizes;
    this.open = new BitSet[sizes.length][sizes.length];
    for (int a = 0; a < sizes.length; a++) {
      for (int b = a + 1; b < sizes.length; b++) {
        open[a][b] = new BitSet();
        open[a][b].set(0, sizes[a] * sizes[b]);
      }
    }
  }

  /**
   * The rows.
   *
   * @param sizes the number of values of each axis, each 1 or more
   * @return for each row the index of its value on every axis
   */
  static List<int[]> rows(int... sizes) {
    Pairwise pairwise = new Pairwise(sizes);
    List<int[]> rows = new ArrayList<>();
    if (sizes.length == 1) {
      for (int value = 0; value < sizes[0]; value++) {
        rows.add(new int[] {value});
      }
      return rows;
    }
    for (int a = 0; a < sizes.length; a++) {
      for (int b = a + 1; b < sizes.length; b++) {
        int pair = pairwise.open[a][b].nextSetBit(0);
        while (pair >= 0) {
          rows.add(pairwise.row(a, pair / sizes[b], b, pair % sizes[b]));
          pair = pairwise.open[a][b].nextSetBit(pair);
        }
      }
    }
    return rows;
  }

  private int[] row(int a, int aValue, int b, int bValue) {
    int[] row = new int[sizes.length];
    Arrays.fill(row, -1);
    row[a] = aValue;
    row[b] = bValue;
    for (int axis = 0; axis < sizes.length; axis++) {
      if (row[axis] < 0) {
        row[axis] = best(row, axis);
      }
    }
    for (int i = 0; i < sizes.length; i++) {
      for (int j = i + 1; j < sizes.length; j++) {
        open[i][j].clear(row[i] * sizes[j] + row[j]);
      }
    }
    return row;
  }

  private int best(int[] row, int axis) {
    int best = 0;
    int most = -1;
    for (int value = 0; value < sizes[axis]; value++) {
      int gained = 0;
      for (int other = 0; other < sizes.length; other++) {
        if (other != axis && row[other] >= 0 && isOpen(axis, value, other, row[other])) {
          gained++;
        }
      }
      if (gained > most) {
        most = gained;
        best = value;
      }
    }
    return best;
  }

  private boolean isOpen(int a, int aValue, int b, int bValue) {
    return a < b
        ? open[a][b].get(aValue * sizes[b] + bValue)
        : open[b][a].get(bValue * sizes[a] + aValue);
  }
}
