package dev.tutti.plugins.hierarchical;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.topology.Topology;

/**
 * The cost of the three stages if nodes have equal sizes and segments do not overlap. The first
 * lane takes longest.
 *
 * @param param the request
 * @param isPulled whether the links inside nodes are direct
 */
record LevelCost(AllReduceParam param, boolean isPulled) {

  Cost ofRounds(long perRound) {
    Cost all = new Cost(0, 0, 0);
    for (long done = 0; done < param.count(); done += perRound) {
      Cost round = ofRound(Math.min(perRound, param.count() - done));
      all =
          new Cost(
              all.alphas() + round.alphas(),
              all.betaBytes() + round.betaBytes(),
              all.gammaBytes() + round.gammaBytes());
    }
    return all;
  }

  private Cost ofRound(long count) {
    Topology topology = param.comm().topology();
    int lanes = Lanes.of(param.comm()).number();
    long others = lanes - 1L;
    long otherNodes = topology.nodeCount() - 1L;
    int elementSize = param.dataType().size();
    long slice = Slice.partition(count, lanes, elementSize).getFirst().size();
    long part =
        Slice.partition(slice / elementSize, topology.nodeCount(), elementSize).getFirst().size();
    return new Cost(
        stepsInNode(others, Math.min(lanes, count)) + 2 * otherNodes,
        2 * others * slice + 2 * otherNodes * part,
        others * slice + otherNodes * part);
  }

  /** The steps inside a node. If there are fewer elements than lanes, some ranks own no slice. */
  private long stepsInNode(long others, long owners) {
    long slicesOfOthers = Math.min(others, owners);
    return isPulled ? Math.min(1, others) + slicesOfOthers : slicesOfOthers + others;
  }
}
