package dev.tutti.plugins.template;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What {@link TreeGather} and {@link TreeScatter} cost for blocks of any sizes. */
public final class TreeBlocksCost {

  private final int size;
  private final int root;
  private final Timetable table;

  /** Of no rounds so far. */
  public TreeBlocksCost(int size, int root) {
    this.size = size;
    this.root = root;
    this.table = new Timetable(size, 1);
  }

  private BinomialTree at(int place) {
    return new BinomialTree((root + place) % size, size, root);
  }

  private List<Integer> opened() {
    return IntStream.range(0, size).mapToObj(rank -> table.last(rank, 0)).toList();
  }

  /** Adds a gather of blocks: a rank hands on what it has when all below it have. */
  public void gather(List<Slice> slices) {
    TreeBlocks blocks = new TreeBlocks(slices, root);
    List<Integer> opened = opened();
    List<Integer> handedOn = new ArrayList<>(opened);
    for (int place = size - 1; place >= 0; place--) {
      BinomialTree tree = at(place);
      table.join(tree.rank(), 0, tree.children().stream().map(handedOn::get).toList());
      if (!tree.isRoot()) {
        send(tree.rank(), tree.parent(), opened.get(tree.parent()), pieces(blocks, tree));
        handedOn.set(tree.rank(), table.last(tree.rank(), 0));
      }
    }
  }

  /** Adds a scatter of blocks: a rank hands on what it has, one child after another. */
  public void scatter(List<Slice> slices) {
    TreeBlocks blocks = new TreeBlocks(slices, root);
    List<Integer> opened = opened();
    List<Integer> gotten = new ArrayList<>(opened);
    for (int place = 0; place < size; place++) {
      BinomialTree tree = at(place);
      table.join(tree.rank(), 0, List.of(gotten.get(tree.rank())));
      for (int child : tree.children().reversed()) {
        send(tree.rank(), child, opened.get(child), pieces(blocks, tree.at(child)));
        gotten.set(child, table.last(tree.rank(), 0));
      }
    }
  }

  private void send(int from, int to, int opened, List<Long> pieces) {
    table.join(from, 0, List.of(opened));
    for (long bytes : pieces) {
      table.add(from, 0, List.of(from), to, bytes, 0, List.of());
    }
  }

  /**
   * What goes between a rank and the one above it: at the root it may lie in two places, some of
   * them empty.
   */
  private static List<Long> pieces(TreeBlocks blocks, BinomialTree below) {
    List<Long> pieces =
        below.at(below.parent()).isRoot()
            ? blocks.spans(below.place(), below.end()).stream().map(Slice::size).toList()
            : List.of(blocks.bytes(below.place(), below.end()));
    return pieces.stream().filter(bytes -> bytes > 0).toList();
  }

  /** Whether more was added than is added up, so that nothing more needs to be added. */
  public boolean isTooLong() {
    return table.isTooLong();
  }

  /** What all that was added costs; empty if it is too long. */
  public Optional<Cost> cost() {
    return table.cost();
  }
}
