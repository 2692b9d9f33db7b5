package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tutti.cli.TestAlgorithms;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.host.Request;
import dev.tutti.sdk.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopwatchTest {

  private static final int RUNS = 20_000;

  @Test
  void timingAllocatesNothingButTheCopyOfItsSamples() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Context context = TestAlgorithms.addTo(Context.builder()).workers(1).open();
        Group group = context.createGroup(2);
        RegisteredMemory memory = context.allocate(256);
        Request request = request(group, memory.segment())) {
      Stopwatch stopwatch = new Stopwatch();
      // Code may allocate before it is compiled, which happens late on a busy machine.
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 100 && least >= RUNS * (Long.BYTES + 1L); i++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        Distribution times = stopwatch.micros(request, RUNS, _ -> {});
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        assertThat(times.count()).isEqualTo(RUNS);
      }
      assertThat(least).isLessThan(RUNS * (Long.BYTES + 1L));
    }
  }

  @Test
  void timesCanBeAskedForWhileRunsAreTimed() {
    try (Context context = TestAlgorithms.addTo(Context.builder()).workers(1).open();
        Group group = context.createGroup(2);
        RegisteredMemory memory = context.allocate(256);
        Request request = request(group, memory.segment())) {
      Stopwatch stopwatch = new Stopwatch();
      List<Integer> counts = new ArrayList<>();

      Distribution _ =
          stopwatch.micros(
              request, 3, done -> counts.add(stopwatch.soFar().orElseThrow().count() * 10 + done));

      assertThat(counts).containsExactly(11, 22, 33);
      assertThat(stopwatch.soFar()).isEmpty();
    }
  }

  @Test
  void aBudgetOfTimeStillGivesSomeSamples() {
    try (Context context = TestAlgorithms.addTo(Context.builder()).workers(1).open();
        Group group = context.createGroup(2);
        RegisteredMemory memory = context.allocate(256);
        Request request = request(group, memory.segment())) {
      Stopwatch stopwatch = new Stopwatch();

      Distribution times = stopwatch.micros(request, Duration.ofNanos(1), null);

      assertThat(times.count()).isGreaterThanOrEqualTo(5);
      assertThat(stopwatch.backToBackMicros(request, Duration.ofNanos(1))).isPositive();
    }
  }

  /** Only moves data: reductions are vectors, which allocate until they are compiled. */
  private static Request request(Group group, MemorySegment memory) {
    MemorySegment[] inputs = {memory.asSlice(0, 64), null};
    MemorySegment[] outputs = {memory.asSlice(128, 64), memory.asSlice(192, 64)};
    return group.broadcast(inputs, outputs, DataType.FLOAT32, 0).build();
  }
}
