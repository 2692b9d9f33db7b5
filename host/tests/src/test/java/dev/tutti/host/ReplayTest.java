package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

final class ReplayTest {

  private static final int RUNS = 2_000;

  @Test
  void aRunAllocatesNothing() {
    runsAllocateNothing(SampleAlgorithms.context());
  }

  @Test
  void aRunThatIsKeptOnRecordAllocatesNothing() {
    runsAllocateNothing(SampleAlgorithms.addTo(Context.builder()).flight(8).open());
  }

  private static void runsAllocateNothing(Context opened) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Context context = opened;
        Group group = context.createGroup(2);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] buffers = Floats.filled(arena, 2, 16);
      MemorySegment[] arrays = Floats.heap(2, 16);
      Request request = group.allReduce(buffers, buffers, DataType.FLOAT32, ReduceOp.MAX).build();
      Request staged = group.allReduce(arrays, arrays, DataType.FLOAT32, ReduceOp.MAX).build();
      Captured captured =
          group.capture(
              () -> {
                request.run();
                staged.run();
              });
      for (int run = 0; run < RUNS; run++) {
        request.run();
        staged.run();
        captured.run();
      }
      assertThat(leastPerRun(threads, request::run)).isZero();
      assertThat(leastPerRun(threads, staged::run)).isZero();
      assertThat(leastPerRun(threads, captured::run)).isZero();
      new Guard(threads).provesThatTheCounterCounts();
    }
  }

  @Test
  void aCallOfARankThatComesAgainAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Context context = SampleAlgorithms.context();
        Group group = context.createGroup(2);
        Group single = context.createGroup(1);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] buffers = Floats.filled(arena, 2, 16);
      MemorySegment array = Floats.heap(1, 16)[0];
      RankHandle alone = single.rank(0);
      RankRequest first = request(group.rank(0), buffers[0]);
      RankRequest second = request(group.rank(1), buffers[1]);
      assertThat(
              leastPerRun(
                  threads,
                  () -> alone.allReduce(buffers[0], buffers[0], DataType.FLOAT32, ReduceOp.MAX)))
          .isZero();
      CollectiveCall four = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.MAX, 4);
      assertThat(leastPerRun(threads, () -> alone.run(four, buffers[0], buffers[0]))).isZero();
      assertThat(
              leastPerRun(
                  threads, () -> alone.allReduce(array, array, DataType.FLOAT32, ReduceOp.MAX)))
          .isZero();
      assertThat(
              leastPerRun(
                  threads,
                  () -> {
                    first.start();
                    second.start();
                    first.await();
                    second.await();
                  }))
          .isZero();
    }
  }

  private static RankRequest request(RankHandle rank, MemorySegment buffer) {
    return rank.requests().allReduce(buffer, buffer, DataType.FLOAT32, ReduceOp.MAX);
  }

  /**
   * Bytes that a run allocates, once everything is compiled, which may come late on a busy machine.
   */
  private static long leastPerRun(ThreadMXBean threads, Runnable replay) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 100 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long none = threads.getCurrentThreadAllocatedBytes() - before;
      before = threads.getCurrentThreadAllocatedBytes();
      for (int run = 0; run < RUNS; run++) {
        replay.run();
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before - none) / RUNS);
    }
    return least;
  }

  /** A check that cannot fail proves nothing: an allocation must be seen. */
  private record Guard(ThreadMXBean threads) {
    void provesThatTheCounterCounts() {
      long before = threads.getCurrentThreadAllocatedBytes();
      byte[][] kept = new byte[RUNS][];
      for (int run = 0; run < RUNS; run++) {
        kept[run] = new byte[8];
      }
      assertThat((threads.getCurrentThreadAllocatedBytes() - before) / kept.length).isPositive();
    }
  }
}
