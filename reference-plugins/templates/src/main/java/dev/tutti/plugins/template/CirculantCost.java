package dev.tutti.plugins.template;

import dev.tutti.plugins.template.LongestChain.Unit;
import java.util.List;

/**
 * What the steps of a {@link CirculantSchedule} cost for blocks of any sizes.
 *
 * @param schedule the steps
 * @param unit what is added up
 * @param bytes of the block of each rank
 */
public record CirculantCost(CirculantSchedule schedule, Unit unit, List<Long> bytes) {

  /** Takes an immutable copy. */
  public CirculantCost {
    bytes = List.copyOf(bytes);
  }

  /** Of an all-gather. */
  public long ofAllGather() {
    LongestChain chain = new LongestChain(unit, bytes.size());
    allGather(chain);
    return chain.length();
  }

  /** Of a reduce-scatter. */
  public long ofReduceScatter() {
    LongestChain chain = new LongestChain(unit, bytes.size());
    reduceScatter(chain);
    return chain.length();
  }

  /** Of both, one after the other; the all-gather combines nothing. */
  public long ofAllReduce() {
    LongestChain chain = new LongestChain(unit, bytes.size());
    reduceScatter(chain);
    if (unit != Unit.COMBINED) {
      allGather(chain);
    }
    return chain.length();
  }

  private void allGather(LongestChain chain) {
    for (CirculantStep step : schedule.steps()) {
      chain.step(
          rank -> around(rank + step.distance()), rank -> bytes(rank, step.to(), step.blocks()));
    }
  }

  private void reduceScatter(LongestChain chain) {
    for (CirculantStep step : schedule.steps().reversed()) {
      chain.step(
          rank -> around(rank - step.distance()), rank -> bytes(rank, step.from(), step.blocks()));
    }
  }

  /** The bytes of some positions of a rank. */
  private long bytes(int rank, int position, int blocks) {
    long sum = 0;
    for (int i = position; i < position + blocks; i++) {
      sum += bytes.get(around(rank + schedule.numbers().get(i)));
    }
    return sum;
  }

  private int around(int rank) {
    return Math.floorMod(rank, bytes.size());
  }
}
