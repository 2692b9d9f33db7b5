package dev.tutti.plugins.hierarchical;

import dev.tutti.plugins.hierarchical.LevelTimetable.Shape;
import dev.tutti.plugins.template.PipelineCost;
import dev.tutti.plugins.template.PipelineCost.Round;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.param.AllReduceParam;
import java.util.List;
import java.util.Optional;

/**
 * What the three stages cost if segments overlap, or nodes are of different sizes.
 *
 * <p>Where all ranks are too many to add up, one stands for those that do the same. Its messages
 * and combined bytes are those of all, but its messages do not meet those of others at ports. How
 * much longer bytes take because of that shows in fewer nodes. If lanes are pulled it is the same
 * for all numbers of nodes; if they are pushed it grows with them, here in a straight line. Nodes
 * so large that not even few of them can be added up are slowed down little.
 *
 * @param param the request
 * @param isPulled whether the links inside nodes are direct
 */
record OverlapCost(AllReduceParam param, boolean isPulled) {

  /** Fewer nodes do not show how the time grows with them. */
  private static final int FEWEST_NODES = 4;

  /** Enough for the line over segments, where many more would be added up for several shapes. */
  private static final int FEW_SEGMENTS = 16;

  /** What all rounds cost; empty if even one node is too much to add up. */
  Optional<Cost> ofRounds(long perRound) {
    Shape shape = Shape.of(param);
    return ofAll(shape)
        .of(param.count(), perRound)
        .or(() -> ofMost(shape, perRound))
        .or(() -> few(ofOne(shape)).of(param.count(), perRound));
  }

  private Optional<Cost> ofMost(Shape shape, long perRound) {
    int nodes = shape.nodeSizes().size();
    for (int most = nodes / 2; most >= FEWEST_NODES; most /= 2) {
      Optional<Cost> cost = continued(shape, most, perRound);
      if (cost.isPresent()) {
        return cost;
      }
    }
    return Optional.empty();
  }

  /**
   * What the slowdown of some nodes means for all.
   *
   * @param most how many can be added up, at least 2
   */
  Optional<Cost> continued(Shape shape, int most, long perRound) {
    int further = shape.nodeSizes().size() - most;
    return slowdown(shape.sample(most), perRound)
        .flatMap(far -> growth(shape, most, far, perRound).map(each -> far + each * further))
        .flatMap(
            slowdown ->
                few(ofOne(shape))
                    .of(param.count(), perRound)
                    .map(
                        one ->
                            new Cost(one.alphas(), one.betaBytes() * slowdown, one.gammaBytes())));
  }

  /** By how much each further node slows bytes down. */
  private Optional<Double> growth(Shape shape, int most, double far, long perRound) {
    if (param.comm().protocol(Lanes.plane()) == Protocol.DIRECT) {
      return Optional.of(0.0);
    }
    int fewer = most / 2;
    return slowdown(shape.sample(fewer), perRound)
        .map(near -> Math.max(0, far - near) / (most - fewer));
  }

  /** How many times as long bytes take because messages meet. */
  private Optional<Double> slowdown(Shape shape, long perRound) {
    Optional<Cost> all = few(ofAll(shape)).of(param.count(), perRound);
    Optional<Cost> one = all.flatMap(cost -> few(ofOne(shape)).of(param.count(), perRound));
    return one.map(cost -> all.orElseThrow().betaBytes() / cost.betaBytes());
  }

  /** As far as the line over segments needs. */
  static PipelineCost few(PipelineCost all) {
    return new PipelineCost(all.cut(), all.schedule(), FEW_SEGMENTS);
  }

  /** All ranks of some nodes. */
  PipelineCost ofAll(Shape shape) {
    return new PipelineCost(
        this::cut, rounds -> LevelTimetable.ofAll(param, isPulled, shape, rounds));
  }

  private PipelineCost ofOne(Shape shape) {
    return new PipelineCost(
        this::cut, rounds -> LevelTimetable.ofOne(param, isPulled, shape, rounds));
  }

  private Round cut(long count) {
    return new Round(List.of(Segments.of(param, count)));
  }
}
