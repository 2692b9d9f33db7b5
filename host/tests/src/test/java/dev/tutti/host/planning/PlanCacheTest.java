package dev.tutti.host.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void eachCallFindsItsOwnPlan() {
    List<CollectiveCall> calls = new ArrayList<>();
    for (long count = 0; count < 300; count++) {
      calls.add(call(DataType.INT32, count * count));
      calls.add(call(DataType.INT64, count));
    }
    try (Context context =
            Context.builder().algorithm(new SampleAlgorithms.PullAllReduce()).open();
        Group group = context.createGroup(2)) {
      List<GroupPlan> plans = calls.stream().map(each -> group.request(each).plan()).toList();
      assertThat(group.planCache().misses()).isEqualTo(calls.size());
      for (int i = 0; i < plans.size(); i++) {
        assertThat(group.request(calls.get(i)).plan())
            .as("%s", calls.get(i))
            .isSameAs(plans.get(i));
      }
      assertThat(group.planCache().hits()).isEqualTo(calls.size());
      assertThat(group.planCache().plans()).isEqualTo(calls.size());
    }
  }

  @Test
  void callsWithACountForEachRankHaveTheirOwnPlans() {
    CollectiveCall one =
        CollectiveCall.allToAllV(DataType.INT8, List.of(List.of(1L, 2L), List.of(3L, 4L)));
    CollectiveCall two =
        CollectiveCall.allToAllV(DataType.INT8, List.of(List.of(1L, 3L), List.of(2L, 4L)));
    try (Context context =
            Context.builder().algorithm("v", new SampleAlgorithms.PullAllToAllV()).open();
        Group group = context.createGroup(2)) {
      GroupPlan first = group.request(one).plan();
      assertThat(group.request(two).plan().digest()).isNotEqualTo(first.digest());
      assertThat(group.request(one).plan()).isSameAs(first);
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
