package dev.tutti.host.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.engine.TestExecutors;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.status.PlanCacheStats;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Calls of ever new counts, by one caller and by ranks: results are right, and nothing grows beyond
 * its bounds. {@code tutti.soak.seconds} and {@code tutti.soak.seed} say how long and which counts.
 */
class RandomCountsTest {

  private static final int SECONDS = Integer.getInteger("tutti.soak.seconds", 4);
  private static final long SEED = Long.getLong("tutti.soak.seed", 20);
  private static final int RANKS = 4;
  private static final int MOST = 200_000;
  private static final long MOST_CACHED_BYTES = (128 + 64) << 20;
  private static final long NOISE_BYTES = 24 << 20;

  private final Random random = new Random(SEED);
  private int calls;

  @Test
  void leakNothing() {
    try (Context context =
            SampleAlgorithms.addTo(Context.builder())
                .algorithm("two-stage", new TestExecutors.TwoStage())
                .open();
        Group group = context.createGroup(RANKS);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] inputs = memory(arena);
      MemorySegment[] outputs = memory(arena);
      run(group, inputs, outputs);
      long before = usedHeap();
      long cached = group.planCache().bytes();
      run(group, inputs, outputs);
      PlanCacheStats stats = group.planCache();
      long grown = usedHeap() - before;
      long ofPlans = Math.max(0, stats.bytes() - cached);
      System.out.printf(
          "%d calls; in the second half, heap %d KiB more, plans %d KiB more; %s%n",
          calls, grown / 1024, ofPlans / 1024, stats);
      assertThat(stats.bytes()).isLessThan(MOST_CACHED_BYTES);
      assertThat(grown)
          .as("bytes of heap in the second half, of %s", stats)
          .isLessThan(NOISE_BYTES + 2 * ofPlans);
    }
  }

  private static MemorySegment[] memory(Arena arena) {
    MemorySegment[] memory = new MemorySegment[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      memory[rank] = arena.allocate(ValueLayout.JAVA_INT, MOST);
    }
    return memory;
  }

  private void run(Group group, MemorySegment[] inputs, MemorySegment[] outputs) {
    long end = System.nanoTime() + SECONDS * 500_000_000L;
    while (System.nanoTime() - end < 0) {
      call(group, inputs, outputs);
    }
  }

  private void call(Group group, MemorySegment[] inputs, MemorySegment[] outputs) {
    int count = 1 + random.nextInt(calls % 50 == 0 ? MOST : 5_000);
    MemorySegment[] in = new MemorySegment[RANKS];
    MemorySegment[] out = new MemorySegment[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      in[rank] = inputs[rank].asSlice(0, 4L * count);
      out[rank] = outputs[rank].asSlice(0, 4L * count);
      in[rank].setAtIndex(ValueLayout.JAVA_INT, 0, calls);
      in[rank].setAtIndex(ValueLayout.JAVA_INT, count - 1, rank + count);
    }
    if (calls % 2 == 0) {
      group
          .request(CollectiveCall.allReduce(DataType.INT32, ReduceOp.MAX, count))
          .buffers(in, out)
          .run();
    } else {
      group.run(
          rank -> rank.allReduce(in[rank.rank()], out[rank.rank()], DataType.INT32, ReduceOp.MAX));
    }
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(out[rank].getAtIndex(ValueLayout.JAVA_INT, count - 1))
          .isEqualTo(RANKS - 1 + count);
    }
    calls++;
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
