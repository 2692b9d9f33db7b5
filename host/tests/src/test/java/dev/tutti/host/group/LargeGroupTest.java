package dev.tutti.host.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.MemoryUse;
import dev.tutti.engine.memory.FileMappings;
import dev.tutti.host.Context;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.buffers.Reach;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.TransportMemType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
final class LargeGroupTest {

  private static final int RANKS = 1024;

  @Test
  void aThousandRanksAreCreatedAndUsed() {
    try (Context context =
            Context.builder().algorithm(new SampleAlgorithms.TreeAllReduce()).open();
        Group group = context.createGroup(RANKS);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = Floats.filled(arena, RANKS, 3);
      MemorySegment[] outputs = Floats.zeros(arena, RANKS, 3);
      try (Request request =
          group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build()) {
        request.run();
        request.run();
      }
      for (MemorySegment each : outputs) {
        assertThat(Floats.values(each)).isEqualTo(Floats.sums(RANKS, 3));
      }
    }
  }

  @Test
  void aThousandRanksCallEachForItself() {
    try (Context context =
            Context.builder().algorithm(new SampleAlgorithms.TreeAllReduce()).open();
        Group group = context.createGroup(RANKS)) {
      group.run(
          rank -> {
            for (int i = 0; i < 5; i++) {
              int[] data = {rank.rank(), i};
              rank.allReduce(data, data, ReduceOp.SUM);
              assertThat(data).containsExactly(RANKS * (RANKS - 1) / 2, RANKS * i);
            }
          });
    }
  }

  @Test
  void stagingBuffersTakeRoomOnlyWhereAPlanUsesThem() {
    PlanMemory memory = new PlanMemory(RANKS, Reach.ofThreads(new FileMappings()), rank -> true);
    try (Context context =
        Context.builder().algorithm(new SampleAlgorithms.TreeAllReduce()).open()) {
      Group group = context.createGroup(RANKS);
      GroupPlan plan =
          group.request(CollectiveCall.allReduce(DataType.INT8, ReduceOp.MAX, 100)).plan();
      MemorySegment[][] provided = memory.provide(MemoryUse.of(plan));
      int ccl = TransportMemType.CCL_INPUT.ordinal();
      int scratch = TransportMemType.SCRATCH.ordinal();
      assertThat(provided[0][ccl]).isNull();
      assertThat(provided[7][scratch].byteSize()).isEqualTo(100);
      assertThat(provided[7][scratch].asOverlappingSlice(provided[8][scratch])).isEmpty();
    } finally {
      memory.close();
    }
  }
}
