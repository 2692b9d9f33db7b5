package dev.tutti.plugins.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps in which the edges of two {@link DoubleTree}s carry segments, so that no place ever
 * sends or receives two at once.
 *
 * <p>Each edge has one of two colours. The edges from a place to its parents in the two trees have
 * different colours, and so have the edges to its children, of which there are two at most. Even
 * steps are for edges of one colour, odd steps for those of the other. Each edge carries a segment
 * every second step, from the first step in which the upper place has one. Up the trees, the
 * schedule runs in reverse. A place without work in a step does not wait for it.
 */
final class TwoTreeSchedule {

  static final int TREES = 2;

  private static final int NONE = -1;

  private final List<DoubleTree> trees;

  /** The colour of the edge above each place but the top, tree after tree. */
  private final int[] colours;

  private final int last;

  /** The schedule for a number of places. */
  TwoTreeSchedule(int size) {
    this.trees = List.of(new DoubleTree(size, false), new DoubleTree(size, true));
    this.colours = new int[TREES * size];
    Arrays.fill(colours, NONE);
    for (int edge = 0; edge < colours.length; edge++) {
      if (place(edge) != 0 && colours[edge] == NONE) {
        paint(edge);
      }
    }
    this.last =
        IntStream.range(0, colours.length)
            .map(edge -> first(edge / size, place(edge)))
            .max()
            .orElse(0);
  }

  private int size() {
    return trees.getFirst().size();
  }

  private int place(int edge) {
    return edge % size();
  }

  /**
   * Colours the edges that are connected to one. Each edge has at most one neighbour at each end,
   * so they form a chain or a cycle. A cycle is even, because it passes upper and lower ends in
   * turn.
   */
  private void paint(int start) {
    List<Integer> painted = new ArrayList<>(List.of(start));
    colours[start] = 0;
    for (int i = 0; i < painted.size(); i++) {
      int colour = 1 - colours[painted.get(i)];
      neighbours(painted.get(i))
          .filter(edge -> colours[edge] == NONE)
          .forEach(
              edge -> {
                colours[edge] = colour;
                painted.add(edge);
              });
    }
  }

  /**
   * The neighbours of an edge: the other edge from its lower place to a parent, and the other edge
   * from its upper place to a child.
   */
  private IntStream neighbours(int edge) {
    int parent = trees.get(edge / size()).parent(place(edge));
    IntStream siblings =
        IntStream.range(0, TREES)
            .flatMap(
                tree ->
                    trees.get(tree).children(parent).stream()
                        .mapToInt(child -> tree * size() + child))
            .filter(other -> other != edge);
    return IntStream.concat(siblings, IntStream.of((edge + size()) % colours.length));
  }

  /** One of the two trees. */
  DoubleTree tree(int tree) {
    return trees.get(tree);
  }

  /** The step in which a place gets its first segment from above, counted from 0; -1 at the top. */
  private int first(int tree, int place) {
    if (place == 0) {
      return NONE;
    }
    int next = first(tree, trees.get(tree).parent(place)) + 1;
    return next + (next + colours[tree * size() + place]) % 2;
  }

  /**
   * The step of the first segment between a place and its parent; each further segment takes two
   * more.
   *
   * @param place not the top
   * @param isUp whether segments go up
   */
  int start(int tree, int place, boolean isUp) {
    return isUp ? last - first(tree, place) : first(tree, place);
  }

  /** The step in which the last place gets its first segment from above, or sends it up. */
  int last() {
    return last;
  }

  /**
   * The number of hops of a pipeline that takes as long to fill. Segments pass in pairs, one in
   * each tree, so a step is half a pair.
   */
  int hops() {
    return Math.max(1, (last + 1) / 2);
  }
}
