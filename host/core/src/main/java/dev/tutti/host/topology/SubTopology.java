package dev.tutti.host.topology;

import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** Makes the topology of a sub-group. */
public final class SubTopology {

  private SubTopology() {}

  /**
   * The nodes and pods of some ranks, in the order given. Ranks that are adjacent in that order and
   * share a node also share a node of the result; the same holds for pods. If the order leaves a
   * node and comes back to it, the result has two nodes for it.
   *
   * @param parent the topology of all ranks
   * @param ranks the ranks that take part, at least one
   */
  public static Topology of(Topology parent, int[] ranks) {
    List<List<Integer>> pods = new ArrayList<>();
    for (int i = 0; i < ranks.length; i++) {
      boolean isNewPod = i == 0 || parent.podOf(ranks[i]) != parent.podOf(ranks[i - 1]);
      boolean isNewNode = isNewPod || parent.nodeOf(ranks[i]) != parent.nodeOf(ranks[i - 1]);
      if (isNewPod) {
        pods.add(new ArrayList<>());
      }
      List<Integer> nodes = pods.getLast();
      if (isNewNode) {
        nodes.add(1);
      } else {
        nodes.set(nodes.size() - 1, nodes.getLast() + 1);
      }
    }
    return Topology.pods(
        pods.stream().map(pod -> pod.stream().mapToInt(Integer::intValue).toArray()).toList());
  }
}
