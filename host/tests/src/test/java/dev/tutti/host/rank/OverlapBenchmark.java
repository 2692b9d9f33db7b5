package dev.tutti.host.rank;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.kernel.Kernels;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.HostAccess;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * A training step of two ranks on platform threads: a backward pass of 5 ms makes 25 buckets of 1
 * MiB, one after another. Each is reduced as soon as it is ready, and all are awaited.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class OverlapBenchmark {

  private static final int RANKS = 2;
  private static final int BUCKETS = 25;
  private static final int BUCKET_BYTES = 1 << 20;
  private static final long BUCKET_NANOS = 200_000;
  private static final long TOKENS = 100;

  /**
   * none: only communication; sleeps: another device computes; computes: the rank's thread does;
   * beside: only communication, while two other threads sleep as the rank's threads do with sleeps.
   */
  @Param({"none", "sleeps", "computes", "beside"})
  private String pass;

  private final Clock clock = Clock.system();
  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);
  private final List<List<RankRequest>> buckets = new ArrayList<>();

  @Setup
  public void setUp() {
    Kernels.warm(DataType.FLOAT32, ReduceOp.SUM, Duration.ofSeconds(30));
    for (int rank = 0; rank < RANKS; rank++) {
      buckets.add(bucketsOf(group.rank(rank)));
    }
    Thread.ofPlatform().daemon().start(this::takePart);
    for (int i = 0; "beside".equals(pass) && i < RANKS; i++) {
      Thread.ofPlatform().daemon().start(this::sleepForever);
    }
  }

  private void sleepForever() {
    long until = clock.nanoTime();
    while (!group.isPoisoned()) {
      until += BUCKET_NANOS;
      sleepUntil(until);
    }
  }

  private List<RankRequest> bucketsOf(RankHandle rank) {
    List<RankRequest> own = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      MemorySegment bucket = context.allocate(BUCKET_BYTES).segment();
      own.add(rank.requests().allReduce(bucket, bucket, DataType.FLOAT32, ReduceOp.SUM));
    }
    return own;
  }

  private void takePart() {
    try {
      while (!group.isPoisoned()) {
        step(buckets.get(1));
      }
    } catch (TuttiException e) {
      // The end of the benchmark came while this rank waited for the other.
    }
  }

  private void step(List<RankRequest> own) {
    long start = clock.nanoTime();
    for (int i = 0; i < BUCKETS; i++) {
      switch (pass) {
        case "none", "beside" -> {}
        case "sleeps" -> sleepUntil(start + (i + 1) * BUCKET_NANOS);
        case "computes" -> compute();
        default -> throw new IllegalArgumentException(pass);
      }
      own.get(i).start();
    }
    own.forEach(RankRequest::await);
  }

  private void sleepUntil(long nanos) {
    while (clock.nanoTime() - nanos < 0) {
      clock.parkUntil(this, nanos);
    }
  }

  private void compute() {
    long end = clock.nanoTime() + BUCKET_NANOS;
    while (clock.nanoTime() - end < 0) {
      Blackhole.consumeCPU(TOKENS);
    }
  }

  @Benchmark
  public void step() {
    step(buckets.getFirst());
  }

  @TearDown
  public void tearDown() {
    HostAccess.poison(group, "the benchmark is over");
  }
}
