package dev.tutti.plugins.tree;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One of two binary trees over the same places. Place 0 is on top of both and has one child; every
 * other place has up to two children in one tree and, with one exception, none in the other.
 *
 * <p>The first tree has the places in order: a place v whose lowest set bit is 2^j has children
 * 2^(j-1) to its left and right, so the odd places are leaves. In the second tree, the places
 * except 0 are mirrored if their number is even, and otherwise shifted by one, so that odd and even
 * places swap.
 *
 * @param size the number of places
 * @param isSecond which of the two trees
 */
record DoubleTree(int size, boolean isSecond) {

  /** The parent of a place; the top has none. */
  int parent(int place) {
    int node = node(place);
    int bit = Integer.lowestOneBit(node);
    int above = (node ^ bit) | (bit << 1);
    return place(above < size ? above : node ^ bit);
  }

  /** The children of a place. */
  List<Integer> children(int place) {
    int node = node(place);
    if (node == 0) {
      return size == 1 ? List.of() : List.of(place(Integer.highestOneBit(size - 1)));
    }
    int half = Integer.lowestOneBit(node) / 2;
    IntStream right =
        IntStream.iterate(half, step -> step > 0, step -> step / 2)
            .map(step -> node + step)
            .filter(child -> child < size)
            .limit(1);
    IntStream left = half == 0 ? IntStream.empty() : IntStream.of(node - half);
    return IntStream.concat(left, right).map(this::place).boxed().toList();
  }

  /** The length of the longest path from the top. */
  int depth() {
    return 32 - Integer.numberOfLeadingZeros(size - 1);
  }

  private int node(int place) {
    if (!isSecond || place == 0) {
      return place;
    }
    int others = size - 1;
    return others % 2 == 0 ? size - place : place % others + 1;
  }

  private int place(int node) {
    if (!isSecond || node == 0) {
      return node;
    }
    int others = size - 1;
    return others % 2 == 0 ? size - node : (node + others - 2) % others + 1;
  }
}
