package dev.tutti.testkit.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PairwiseTest {

  @Test
  void everyValueMeetsEveryValueOfTheOtherAxesInFewRows() {
    int[] sizes = {11, 8, 24, 3, 2, 2};

    List<int[]> rows = Pairwise.rows(sizes);

    Set<List<Integer>> met = new HashSet<>();
    for (int[] row : rows) {
      for (int a = 0; a < sizes.length; a++) {
        for (int b = a + 1; b < sizes.length; b++) {
          met.add(List.of(a, row[a], b, row[b]));
        }
      }
    }
    int pairs = 0;
    for (int a = 0; a < sizes.length; a++) {
      for (int b = a + 1; b < sizes.length; b++) {
        pairs += sizes[a] * sizes[b];
      }
    }
    assertThat(met).hasSize(pairs);
    assertThat(rows).hasSizeLessThan(11 * 24 + 30);
  }

  @Test
  void oneAxisGivesItsValues() {
    assertThat(Pairwise.rows(3)).containsExactly(new int[] {0}, new int[] {1}, new int[] {2});
  }
}
