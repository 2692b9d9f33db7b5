package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import org.junit.jupiter.api.Test;

/** Plans are kept within a number of bytes, those that were used last. */
class PlanCacheTest {

  private static final long MOST_BYTES = (128 + 64) << 20;

  /** Ranks of whose plans some thousand fit. */
  private static final int RANKS = 128;

  @Test
  void largePlansAreDropped() {
    try (Context context =
            Context.builder().algorithm(new SampleAlgorithms.PullAllReduce()).open();
        Group group = context.createGroup(RANKS)) {
      DataType[] types = {DataType.INT32, DataType.FLOAT32, DataType.INT64, DataType.FLOAT64};
      CollectiveCall used = call(DataType.INT8, 1000);
      group.request(used).plan();
      for (int i = 1; i <= 1700; i++) {
        group.request(call(types[i % types.length], RANKS + i)).plan();
        if (i % 20 == 0) {
          long misses = group.planCache().misses();
          group.request(used).plan();
          assertThat(group.planCache().misses()).as("what is used is kept").isEqualTo(misses);
        }
      }
      PlanCacheStats stats = group.planCache();
      assertThat(stats.bytes()).isLessThan(MOST_BYTES);
      assertThat(stats.evictions()).isPositive();
      assertThat(stats.plans() + stats.evictions()).isEqualTo(1701);
      assertThat(stats.clones()).isBetween(1, stats.plans());
    }
  }

  private static CollectiveCall call(DataType type, long count) {
    return CollectiveCall.allReduce(type, ReduceOp.MAX, count);
  }

  @Test
  void statisticsOfGroupsAddUp() {
    PlanCacheStats one = new PlanCacheStats(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(one.plus(one).plus(PlanCacheStats.NONE))
        .isEqualTo(new PlanCacheStats(2, 4, 6, 8, 10, 12, 14, 16));
  }
}
