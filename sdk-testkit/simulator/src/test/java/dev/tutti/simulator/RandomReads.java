package dev.tutti.simulator;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Plans in which several streams of a rank read from others, whose ports they share. */
final class RandomReads {

  private static final int STREAMS = 3;
  private static final int NOTIFIES = 40;
  private static final int MEMORY = 1 << 12;

  static RankPlanBuilder rank(int rank) {
    return new RankPlanBuilder(rank)
        .streamCount(STREAMS)
        .notifyCount(NOTIFIES)
        .memSize(TransportMemType.SCRATCH, MEMORY)
        .memSize(TransportMemType.AIV_INPUT, MEMORY);
  }

  static DeviceMem scratch(int rank, long offset, long bytes) {
    return new DeviceMem(rank, TransportMemType.SCRATCH, offset, bytes);
  }

  private RandomReads() {}

  /**
   * Streams of a few ranks that read from one another, in an order that notifies enforce partly.
   */
  static GroupPlan plan(long seed, int ranks) {
    Random random = new Random(seed);
    List<RankPlan> plans = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      RankPlanBuilder plan = rank(rank);
      boolean isBusy = rank == 0 || random.nextInt(3) == 0;
      for (int step = 0; isBusy && step < 1 + random.nextInt(8); step++) {
        int stream = random.nextInt(STREAMS);
        long bytes = 4L * (1 + random.nextInt(8));
        DeviceMem dst = scratch(rank, 256L * step, bytes);
        DeviceMem src = new DeviceMem(random.nextInt(ranks), TransportMemType.AIV_INPUT, 0, bytes);
        if (random.nextBoolean()) {
          plan.copy(stream, dst, src);
        } else {
          plan.reduce(stream, dst, src, DataType.INT32, ReduceOp.SUM);
        }
        if (random.nextInt(3) > 0) {
          plan.post(stream, RankPlan.NO_LINK, step);
          plan.await((stream + 1) % STREAMS, RankPlan.NO_LINK, step);
        }
      }
      plans.add(plan.build());
    }
    return new GroupPlan("random", false, plans);
  }
}
