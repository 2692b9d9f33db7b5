package dev.tutti.plugins.tree;

import dev.tutti.plugins.tree.TwoTreeStep.Hop;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.Slice;
import java.util.List;

/**
 * The position of one rank in two trees at once. Places are counted from the root, which is the top
 * of both.
 *
 * @param schedule the schedule of the trees
 * @param comm the group, and this rank in it
 * @param root the rank at place 0
 */
record TwoTreeSeat(TwoTreeSchedule schedule, CommInfo comm, int root) {

  static TwoTreeSeat of(CommInfo comm, int root) {
    return new TwoTreeSeat(new TwoTreeSchedule(comm.rankSize()), comm, root);
  }

  private int place() {
    return Math.floorMod(comm.rank() - root, comm.rankSize());
  }

  /** The rank at the other end of a message. */
  int peer(Hop hop) {
    return (hop.peer() + root) % comm.rankSize();
  }

  /** The steps of this rank, in order. */
  List<TwoTreeStep> steps(List<List<Slice>> segments, boolean isUp) {
    return TwoTreeStep.of(schedule, place(), segments.stream().map(List::size).toList(), isUp);
  }

  /**
   * Whether a rank has no children in a tree, so that it only receives segments or only sends them.
   */
  boolean isLeaf(int tree, int rank) {
    int place = Math.floorMod(rank - root, comm.rankSize());
    return schedule.tree(tree).children(place).isEmpty();
  }
}
