package dev.tutti.plugins.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DoubleTreeTest {

  private static int depth(DoubleTree tree, int place) {
    int depth = 0;
    for (int at = place; at != 0; at = tree.parent(at)) {
      depth++;
    }
    return depth;
  }

  @Test
  void bothAreTreesOverAllPlacesWithChildrenAndParentsThatAgree() {
    for (int size = 1; size <= 200; size++) {
      for (boolean isSecond : new boolean[] {false, true}) {
        DoubleTree tree = new DoubleTree(size, isSecond);
        int edges = 0;
        for (int place = 0; place < size; place++) {
          for (int child : tree.children(place)) {
            assertThat(tree.parent(child)).isEqualTo(place);
            edges++;
          }
          assertThat(tree.children(place)).hasSizeLessThanOrEqualTo(place == 0 ? 1 : 2);
          assertThat(depth(tree, place)).isLessThanOrEqualTo(tree.depth());
        }
        assertThat(edges).isEqualTo(size - 1);
      }
    }
  }

  @Test
  void whoHasTwoChildrenInOneTreeIsALeafOfTheOther() {
    for (int size = 3; size <= 200; size++) {
      DoubleTree first = new DoubleTree(size, false);
      DoubleTree second = new DoubleTree(size, true);
      assertThat(IntStream.range(1, size))
          .allMatch(place -> first.children(place).size() + second.children(place).size() <= 2);
    }
  }
}
