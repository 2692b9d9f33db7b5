package dev.tutti.host.capture;

import dev.tutti.engine.kernel.Kernels;
import dev.tutti.host.Captured;
import dev.tutti.host.Context;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.RequestBuilder;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.Arena;
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

/**
 * The time of ten small all-reduces, each with its own buffers: as ten calls, as ten requests that
 * were built before, and as one capture.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class CaptureBenchmark {

  private static final int OPERATIONS = 10;

  @Param({"2", "4"})
  private int ranks;

  @Param({"16", "4096"})
  private int bytes;

  private final Context context = SampleAlgorithms.context();
  private final Arena arena = Arena.ofShared();
  private final List<MemorySegment[]> inputs = new ArrayList<>();
  private final List<MemorySegment[]> outputs = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();
  private Group group = context.createGroup(1);
  private Captured captured = group.capture(() -> group.barrier().run());

  @Setup
  public void setUp() {
    Kernels.warm(DataType.FLOAT32, ReduceOp.SUM, Duration.ofSeconds(30));
    group = context.createGroup(ranks);
    for (int i = 0; i < OPERATIONS; i++) {
      inputs.add(Floats.filled(arena, ranks, bytes / Float.BYTES));
      outputs.add(Floats.zeros(arena, ranks, bytes / Float.BYTES));
      requests.add(call(i).build());
    }
    captured = group.capture(this::calls);
    System.out.println(captured.explain());
  }

  private RequestBuilder call(int i) {
    return group.allReduce(inputs.get(i), outputs.get(i), DataType.FLOAT32, ReduceOp.SUM);
  }

  @Benchmark
  public void calls() {
    for (int i = 0; i < OPERATIONS; i++) {
      call(i).run();
    }
  }

  @Benchmark
  public void requests() {
    for (int i = 0; i < OPERATIONS; i++) {
      requests.get(i).run();
    }
  }

  @Benchmark
  public void replay() {
    captured.run();
  }

  @TearDown
  public void tearDown() {
    context.close();
    arena.close();
  }
}
