package dev.tutti.plugins.hierarchical;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.RankList;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The division of work among the ranks of a group. There are as many lanes as the smallest node has
 * ranks. A lane consists of the ranks with the same local index, one in each node, and owns one
 * slice of the vector. In larger nodes, the ranks behind the last lane own nothing: they give their
 * operands to the owners in their node, and get the result from them. So each lane has a rank in
 * every node, whatever the sizes of the nodes.
 *
 * @param topology where the ranks are
 * @param rank this rank
 */
record Lanes(Topology topology, int rank) {

  static Lanes of(CommInfo comm) {
    return new Lanes(comm.topology(), comm.rank());
  }

  int number() {
    return IntStream.range(0, topology.nodeCount()).map(topology::nodeSize).min().orElse(1);
  }

  /** Whether every rank is in a lane. */
  boolean haveAllRanks() {
    return number() * topology.nodeCount() == topology.rankSize();
  }

  /** This rank's position in its node, and the number of its lane if it is in one. */
  int local() {
    return topology.localIndex(rank);
  }

  boolean isInLane() {
    return local() < number();
  }

  int nodeSize() {
    return topology.nodeSize(topology.nodeOf(rank));
  }

  /** The positions in this node of the ranks with which this one exchanges data. */
  int[] peersInNode() {
    return IntStream.range(0, isInLane() ? nodeSize() : number()).toArray();
  }

  /** The ranks of this rank's lane, node by node. */
  RankList members() {
    List<Integer> members = new ArrayList<>();
    int start = 0;
    for (int node = 0; node < topology.nodeCount(); node++) {
      members.add(start + local());
      start += topology.nodeSize(node);
    }
    return RankList.of(members.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The plane of a lane's sub-communicator. */
  static CommPlane plane() {
    return CommPlane.LEVEL1;
  }

  /** The number of this rank's node in its pod. */
  int nodeInPod() {
    int node = topology.nodeOf(rank);
    int first = 0;
    for (int pod = 0; pod < topology.podOf(rank); pod++) {
      first += topology.podSize(pod);
    }
    return node - first;
  }

  int nodesOfSmallestPod() {
    return IntStream.range(0, topology.podCount()).map(topology::podSize).min().orElse(1);
  }

  /** One slice for each node of this pod; those behind the smallest pod's size have empty ones. */
  List<Slice> slicesInPod(long count, int elementSize) {
    int owners = nodesOfSmallestPod();
    List<Slice> slices = new ArrayList<>(Slice.partition(count, owners, elementSize));
    int nodes = topology.podSize(topology.podOf(rank));
    slices.addAll(Collections.nCopies(nodes - owners, new Slice(0, 0)));
    return slices;
  }

  /** One slice for each rank of this node; those behind the last lane have empty ones. */
  List<Slice> slices(long count, int elementSize) {
    List<Slice> slices = new ArrayList<>(Slice.partition(count, number(), elementSize));
    slices.addAll(Collections.nCopies(nodeSize() - number(), new Slice(0, 0)));
    return slices;
  }
}
