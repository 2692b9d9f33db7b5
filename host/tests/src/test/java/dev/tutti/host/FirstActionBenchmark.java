package dev.tutti.host;

import dev.tutti.engine.Cancellation;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * The time of a cached operation of two ranks from its call to its first action, at a size with
 * which other threads help. Each iteration prints the median and the 90th percentile. The score is
 * the time of a whole run.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class FirstActionBenchmark {

  private static final int RANKS = 2;

  /** Looks at the clock when the first task of a run is about to begin. */
  private static final class FirstAction implements Cancellation {
    private volatile long nanos;

    @Override
    public boolean isRequested() {
      if (nanos == 0) {
        nanos = System.nanoTime();
      }
      return false;
    }
  }

  /** A request, and the times to its first actions. */
  @State(Scope.Thread)
  public static class Cached {

    /** A broadcast's work is uneven, so it runs as a graph of tasklets. */
    @Param({"allreduce", "broadcast"})
    private String operation;

    @Param("2097152")
    private long bytes;

    private final Context context = SampleAlgorithms.context();
    private final Group group = context.createGroup(RANKS);
    private final FirstAction first = new FirstAction();
    private final long[] samples = new long[1 << 20];
    private int count;
    private Request request;

    @Setup
    public void build() {
      request = builder().build();
      request.operation().run(first);
    }

    private RequestBuilder builder() {
      return switch (operation) {
        case "allreduce" -> group.allReduce(buffers(), buffers(), DataType.FLOAT32, ReduceOp.SUM);
        case "broadcast" -> group.broadcast(buffers(), buffers(), DataType.FLOAT32, 0);
        default -> throw new IllegalArgumentException(operation);
      };
    }

    private MemorySegment[] buffers() {
      MemorySegment[] segments = new MemorySegment[RANKS];
      for (int rank = 0; rank < RANKS; rank++) {
        segments[rank] = context.allocate(bytes).segment();
      }
      return segments;
    }

    @Setup(Level.Iteration)
    public void forget() {
      count = 0;
    }

    @TearDown(Level.Iteration)
    public void print() {
      System.out.printf(
          Locale.ROOT, "first action after %d ns (90 %%: %d ns); ", nanos(50), nanos(90));
    }

    private long nanos(int percent) {
      long[] sorted = Arrays.copyOf(samples, Math.min(count, samples.length));
      Arrays.sort(sorted);
      return sorted[sorted.length * percent / 100];
    }

    private void ran(long start) {
      samples[count++ % samples.length] = first.nanos - start;
      first.nanos = 0;
    }

    @TearDown
    public void close() {
      context.close();
    }
  }

  @Benchmark
  public void start(Cached cached) {
    long start = System.nanoTime();
    cached.request.start();
    cached.request.await();
    cached.ran(start);
  }

  @Benchmark
  public void run(Cached cached) {
    long start = System.nanoTime();
    cached.request.run();
    cached.ran(start);
  }
}
