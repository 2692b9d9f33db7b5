package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of all ranks: in rank order in the root's memory, and packed, in the order of places
 * behind the root, in the memory of a subtree.
 *
 * @param slices one for each rank, without gaps
 * @param root the rank at the root
 */
record TreeBlocks(List<Slice> slices, int root) {

  /**
   * The spans of some places' blocks at the root: one span, or two if the places wrap around behind
   * the last rank.
   *
   * @param from the first place
   * @param to the place behind the last one
   */
  List<Slice> spans(int from, int to) {
    int last = slices.size() - root;
    List<Slice> spans = new ArrayList<>();
    addSpan(spans, root + from, root + Math.min(to, last));
    addSpan(spans, root + Math.max(from, last) - slices.size(), root + to - slices.size());
    return spans;
  }

  private void addSpan(List<Slice> spans, int firstRank, int endRank) {
    if (firstRank < endRank) {
      Slice first = slices.get(firstRank);
      Slice last = slices.get(endRank - 1);
      spans.add(new Slice(first.offset(), last.offset() + last.size() - first.offset()));
    }
  }

  /** The parts of the root's memory with the blocks of a subtree, in the order of places. */
  List<DeviceMem> atRoot(DeviceMem rootMem, BinomialTree subtree) {
    return spans(subtree.place(), subtree.end()).stream().map(rootMem::slice).toList();
  }

  /** The parts of packed memory that pair with {@link #atRoot}. */
  List<DeviceMem> packed(DeviceMem packed, BinomialTree subtree) {
    List<DeviceMem> parts = new ArrayList<>();
    long offset = 0;
    for (Slice span : spans(subtree.place(), subtree.end())) {
      parts.add(packed.slice(offset, span.size()));
      offset += span.size();
    }
    return parts;
  }

  /** The part of a rank's packed memory with the blocks of a subtree below it. */
  DeviceMem within(DeviceMem packed, BinomialTree above, BinomialTree subtree) {
    return packed.slice(
        bytes(above.place(), subtree.place()), bytes(subtree.place(), subtree.end()));
  }

  /** The bytes of the blocks of some places. */
  long bytes(int from, int to) {
    return spans(from, to).stream().mapToLong(Slice::size).sum();
  }

  /**
   * The bytes of scratch memory for the packed blocks of a rank's subtree; 0 at the root and at
   * leaves.
   */
  static long scratchBytes(BinomialTree tree, List<Slice> slices) {
    return tree.isRoot() || tree.isLeaf()
        ? 0
        : new TreeBlocks(slices, tree.root()).bytes(tree.place(), tree.end());
  }
}
