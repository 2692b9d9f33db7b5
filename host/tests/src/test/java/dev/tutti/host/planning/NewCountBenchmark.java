package dev.tutti.host.planning;

import dev.tutti.host.Context;
import dev.tutti.host.ContextBuilder;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;
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
 * The cost of a call with a count that was not seen before, from the call to its end; and calls
 * with random counts compared to calls with one count of the same mean.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 4, time = 1)
public class NewCountBenchmark {

  /** Elements of the longest vector of random counts. */
  private static final int MOST = 4096;

  /** Elements of the longest vector. */
  private static final int MOST_OF_ALL = 1 << 16;

  @Param("4")
  private int ranks;

  /** A directory of plugins; empty for the sample algorithm of the tests. */
  @Param("")
  private String plugins;

  private final Random random = new Random(1);
  private Context context;
  private Group group;
  private MemorySegment[] inputs;
  private MemorySegment[] outputs;
  private int next;

  @Setup
  public void setUp() {
    ContextBuilder builder = Context.builder();
    context =
        plugins.isEmpty()
            ? builder.algorithm(new SampleAlgorithms.PullAllReduce()).open()
            : builder.pluginsDirectory(Path.of(plugins)).open();
    group = context.createGroup(ranks);
    inputs = memory();
    outputs = memory();
  }

  private MemorySegment[] memory() {
    MemorySegment[] memory = new MemorySegment[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      memory[rank] = context.allocate((long) Float.BYTES * MOST_OF_ALL).segment();
    }
    return memory;
  }

  private void allReduce(int count) {
    MemorySegment[] in = new MemorySegment[ranks];
    MemorySegment[] out = new MemorySegment[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      in[rank] = inputs[rank].asSlice(0, (long) Float.BYTES * count);
      out[rank] = outputs[rank].asSlice(0, (long) Float.BYTES * count);
    }
    CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, count);
    group.request(call).buffers(in, out).run();
  }

  /**
   * A count that is new until all counts have been called, in an order without neighbours; then
   * another group starts without counts.
   */
  @Benchmark
  public void newCount() {
    if (next == MOST) {
      next = 0;
      group.close();
      group = context.createGroup(ranks);
    }
    // An odd step goes through all counts.
    allReduce(1 + next++ * 1021 % MOST);
  }

  @Benchmark
  public void randomCounts() {
    allReduce(1 + random.nextInt(MOST));
  }

  @Benchmark
  public void oneCount() {
    allReduce((1 + MOST) / 2);
  }

  @TearDown
  public void tearDown() {
    group.close();
    context.close();
  }
}
