package dev.tutti.engine.kernel;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of one reduction of two sources into a third place, and of the loop over arrays that the
 * compiler vectorises by itself. GB/s over all streams is {@code 3 * bytes / time}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class KernelBenchmark {

  private static final int SOURCES = 4;

  @Param({"FLOAT32", "FLOAT64", "INT32", "BFLOAT16", "FLOAT16"})
  private DataType type = DataType.FLOAT32;

  @Param({"8", "16384", "524288", "16777216"})
  private int bytes;

  private ReduceKernel kernel = Kernels.of(DataType.FLOAT32, ReduceOp.SUM);
  private MemorySegment dst = MemorySegment.NULL;
  private final MemorySegment[] sources = new MemorySegment[SOURCES];
  private final long[] offsets = new long[SOURCES];
  private float[] array = {};
  private float[] left = {};
  private float[] right = {};

  @Setup
  public void setUp() {
    dst = Arena.ofAuto().allocate(bytes, 64);
    for (int i = 0; i < SOURCES; i++) {
      sources[i] = Arena.ofAuto().allocate(bytes, 64);
    }
    array = new float[bytes / Float.BYTES];
    left = new float[bytes / Float.BYTES];
    right = new float[bytes / Float.BYTES];
    kernel = Kernels.of(type, ReduceOp.SUM);
    if (!Kernels.warm(type, ReduceOp.SUM, Duration.ofMinutes(1))) {
      throw new IllegalStateException("the kernel is not warm after a minute");
    }
  }

  @Benchmark
  public void twoSources() {
    kernel.reduceFrom(dst, 0, sources, offsets, 0, 2, bytes);
  }

  @Benchmark
  public void fourSources() {
    kernel.reduceFrom(dst, 0, sources, offsets, 0, 4, bytes);
  }

  @Benchmark
  public void reduce() {
    kernel.reduce(dst, 0, sources[0], 0, bytes);
  }

  @Benchmark
  public void copy() {
    Kernels.copy(dst, 0, sources[0], 0, bytes);
  }

  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void arrays() {
    float[] to = array;
    float[] a = left;
    float[] b = right;
    for (int i = 0; i < to.length; i++) {
      to[i] = a[i] + b[i];
    }
  }
}
