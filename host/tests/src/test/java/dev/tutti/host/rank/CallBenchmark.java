package dev.tutti.host.rank;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.topology.RankNames;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The overhead of an all-reduce on two ranks: {@code run} is a whole cached request of 8 bytes, and
 * {@code agree} is the part of the ranks' calls in which these are compared.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallBenchmark {

  private static final int RANKS = 2;
  private static final int SMALL = 8;

  private final Context context = SampleAlgorithms.context();
  private final Group group = context.createGroup(RANKS);
  private final MemorySegment[] inputs = buffers();
  private final MemorySegment[] outputs = buffers();
  private final Request small =
      group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM).build();
  private final Agreement agreement = new Agreement(RankNames.ofWorld());
  private final List<RankCall> calls = calls();

  private MemorySegment[] buffers() {
    MemorySegment[] segments = new MemorySegment[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
      segments[rank] = context.allocate(SMALL).segment();
    }
    return segments;
  }

  /** Two calls as two threads make them, which share no object. */
  private static List<RankCall> calls() {
    List<RankCall> made = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, 2);
      made.add(RankCall.of(rank, call, CallOptions.defaults(), null, null));
    }
    return made;
  }

  @Benchmark
  public void run() {
    small.run();
  }

  @Benchmark
  public void agree() {
    agreement.check(calls, 1);
  }
}
