package dev.tutti.host.rank;

import dev.tutti.engine.kernel.Kernels;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankHandle;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A blocking all-reduce of ranks that call it back to back, each on its own platform thread: the
 * time of the first rank's call. For comparison, a program without Tutti, with copies and sums
 * between two waits at a barrier.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RankCallBenchmark {

  @Param({"2", "4"})
  private int ranks;

  @Param({"8", "4096", "2097152"})
  private int bytes;

  /** The calls of Tutti, or the yardstick. */
  @Param({"tutti"})
  private String way;

  private final Context context = SampleAlgorithms.context();
  private final List<Runnable> calls = new ArrayList<>();
  private Group group = context.createGroup(1);
  private CyclicBarrier barrier = new CyclicBarrier(1);

  @Setup
  public void setUp() {
    Kernels.warm(DataType.FLOAT32, ReduceOp.SUM, Duration.ofSeconds(30));
    group = context.createGroup(ranks);
    barrier = new CyclicBarrier(ranks);
    float[][] shared = new float[ranks][bytes / Float.BYTES];
    for (int rank = 0; rank < ranks; rank++) {
      calls.add(
          switch (way) {
            case "tutti" -> call(group.rank(rank));
            case "barrier" -> step(shared, rank);
            default -> throw new IllegalArgumentException(way);
          });
    }
    for (Runnable partner : calls.subList(1, ranks)) {
      Thread.ofPlatform().daemon().start(() -> takePart(partner));
    }
  }

  private Runnable call(RankHandle rank) {
    MemorySegment input = context.allocate(bytes).segment();
    MemorySegment output = context.allocate(bytes).segment();
    return () -> rank.allReduce(input, output, DataType.FLOAT32, ReduceOp.SUM);
  }

  private Runnable step(float[][] shared, int rank) {
    float[] input = new float[bytes / Float.BYTES];
    float[] output = new float[input.length];
    return () -> {
      System.arraycopy(input, 0, shared[rank], 0, input.length);
      meet();
      for (int i = 0; i < output.length; i++) {
        float sum = shared[0][i];
        for (int other = 1; other < shared.length; other++) {
          sum += shared[other][i];
        }
        output[i] = sum;
      }
      meet();
    };
  }

  private void meet() {
    try {
      barrier.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private void takePart(Runnable call) {
    try {
      while (!group.isPoisoned()) {
        call.run();
      }
    } catch (TuttiException | IllegalStateException e) {
      // The end of the benchmark came while this rank waited for the others.
    }
  }

  @Benchmark
  public void rankCall() {
    calls.getFirst().run();
  }

  @TearDown
  public void tearDown() {
    HostAccess.poison(group, "the benchmark is over");
    barrier.reset();
  }
}
