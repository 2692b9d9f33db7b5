package dev.tutti.plugins.hierarchical;

import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.Slice;

/**
 * The cost of all stages if nodes have equal sizes and segments do not overlap. The first lane
 * takes longest.
 *
 * @param param the request
 * @param isPulled whether the links inside nodes are direct
 * @param lane the cost of the work between nodes
 */
record LevelCost(AllReduceParam param, boolean isPulled, OfLane lane) {

  /** The cost of the work between nodes. */
  interface OfLane {

    /**
     * The cost of all-reducing a slice.
     *
     * @param slice the bytes of the slice
     */
    Cost of(long slice);
  }

  /** The bytes of the largest of almost equal parts of a slice. */
  static long largestPart(long slice, int parts, int elementSize) {
    return Slice.partition(slice / elementSize, parts, elementSize).getFirst().size();
  }

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
    int lanes = Lanes.of(param.comm()).number();
    long others = lanes - 1L;
    int elementSize = param.dataType().size();
    long slice = Slice.partition(count, lanes, elementSize).getFirst().size();
    Cost between = lane.of(slice);
    return new Cost(
        stepsInNode(others, Math.min(lanes, count)) + between.alphas(),
        2 * others * slice + between.betaBytes(),
        others * slice + between.gammaBytes());
  }

  /** The steps inside a node. If there are fewer elements than lanes, some ranks own no slice. */
  private long stepsInNode(long others, long owners) {
    long slicesOfOthers = Math.min(others, owners);
    return isPulled ? Math.min(1, others) + slicesOfOthers : slicesOfOthers + others;
  }
}
