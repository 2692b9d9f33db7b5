package dev.tutti.plugins.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinomialTreeTest {

  @Test
  void parentsAndChildrenAgree() {
    for (int size = 1; size <= 70; size++) {
      for (int rank = 0; rank < size; rank++) {
        BinomialTree tree = new BinomialTree(rank, size, size / 3);
        for (int child : tree.children()) {
          assertThat(tree.at(child).parent()).isEqualTo(rank);
        }
        if (!tree.isRoot()) {
          assertThat(tree.at(tree.parent()).children()).contains(rank);
        }
      }
    }
  }

  @Test
  void aSubtreeIsARunOfPlaces() {
    for (int size = 1; size <= 70; size++) {
      for (int rank = 0; rank < size; rank++) {
        BinomialTree tree = new BinomialTree(rank, size, size - 1);
        List<Integer> places = new ArrayList<>();
        collect(tree, places);
        assertThat(places)
            .hasSize(tree.span())
            .allMatch(place -> place >= tree.place() && place < tree.end())
            .doesNotHaveDuplicates();
      }
    }
  }

  private static void collect(BinomialTree tree, List<Integer> places) {
    places.add(tree.place());
    tree.children().forEach(child -> collect(tree.at(child), places));
  }

  @Test
  void theRootOfFiveHasThreeChildrenTheLongestWayIsTwo() {
    assertThat(new BinomialTree(3, 5, 3).children()).containsExactly(4, 0, 2);
    assertThat(BinomialTree.degree(5)).isEqualTo(3);
    assertThat(BinomialTree.depth(5)).isEqualTo(2);
    assertThat(BinomialTree.degree(1)).isEqualTo(0);
    assertThat(BinomialTree.depth(1)).isEqualTo(0);
  }

  @Test
  void blocksPastTheLastRankLieInTwoSpans() {
    TreeBlocks blocks = new TreeBlocks(Slice.partition(6, 6, 1), 4);

    assertThat(blocks.spans(0, 2)).containsExactly(new Slice(4, 2));
    assertThat(blocks.spans(1, 4)).containsExactly(new Slice(5, 1), new Slice(0, 2));
    assertThat(blocks.spans(2, 6)).containsExactly(new Slice(0, 4));
    assertThat(blocks.bytes(1, 4)).isEqualTo(3);
    assertThat(new BinomialTree(5, 6, 4).isSplit()).isFalse();
    assertThat(new BinomialTree(0, 6, 4).isSplit()).isFalse();
    assertThat(new BinomialTree(4, 6, 2).isSplit()).isFalse();
    assertThat(new BinomialTree(5, 6, 3).isSplit()).isTrue();
  }
}
