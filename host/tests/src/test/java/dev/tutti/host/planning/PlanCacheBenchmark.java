package dev.tutti.host.planning;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of the choice once a shape is known: the time from a new call with new options to the
 * plan, with the group's lock, among as many other plans as a group keeps.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PlanCacheBenchmark {

  private static final int PLANS = 256;

  private final Context context =
      Context.builder().algorithm(new SampleAlgorithms.PullAllReduce()).open();
  private final Group group = context.createGroup(4);
  private long count = 1;

  @Setup
  public void setUp() {
    for (int i = 1; i <= PLANS; i++) {
      plan(i);
    }
  }

  private GroupPlan plan(long elements) {
    CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, elements);
    return group.request(call).plan();
  }

  /** The same shape again and again. */
  @Benchmark
  public GroupPlan same() {
    return plan(7);
  }

  /** One shape after the other. */
  @Benchmark
  public GroupPlan inTurns() {
    count = count % PLANS + 1;
    return plan(count);
  }

  @TearDown
  public void tearDown() {
    context.close();
  }
}
