package dev.tutti.plugins.tree;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The position of one rank in one of two trees. Places are counted from the root, which is the top
 * of both.
 *
 * @param tree the tree
 * @param rank this rank
 * @param root the rank at place 0
 */
record TreeSeat(DoubleTree tree, int rank, int root) {

  static TreeSeat of(CommInfo comm, int root, boolean isSecond) {
    return new TreeSeat(new DoubleTree(comm.rankSize(), isSecond), comm.rank(), root);
  }

  boolean isTop() {
    return rank == root;
  }

  boolean isLeaf() {
    return tree.children(place(rank)).isEmpty();
  }

  /** The rank of the parent; none at the top. */
  List<Integer> parents() {
    return isTop() ? List.of() : List.of(rankAt(tree.parent(place(rank))));
  }

  List<Integer> children() {
    return tree.children(place(rank)).stream().map(this::rankAt).toList();
  }

  TreeSeat at(int otherRank) {
    return new TreeSeat(tree, otherRank, root);
  }

  private int place(int ofRank) {
    return Math.floorMod(ofRank - root, tree.size());
  }

  private int rankAt(int place) {
    return (place + root) % tree.size();
  }

  /**
   * Requests links to the parent and the children.
   *
   * @param flow the number of the data flow, and of the sub-communicator with its links; each flow
   *     has its own links, so that signals of different flows do not mix
   */
  void requestLinks(
      OpCommTransport.Builder links,
      CommInfo comm,
      int flow,
      TransportMemType input,
      TransportMemType output) {
    RankList members = comm.topology().plane(CommPlane.COMBINED, rank);
    int[] peers =
        Stream.of(parents(), children())
            .flatMap(List::stream)
            .mapToInt(Integer::intValue)
            .toArray();
    if (flow == 0) {
      links.pairs(CommPlane.COMBINED, input, output, peers);
    } else {
      links.subComm(CommPlane.COMBINED, flow, members, input, output, peers);
    }
  }

  static List<Link> links(SubCommInfo comm, List<Integer> ranks) {
    return ranks.stream().map(comm::link).toList();
  }
}
