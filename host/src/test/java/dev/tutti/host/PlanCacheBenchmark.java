package dev.tutti.host;

import dev.tutti.host.engine.Engine;
import dev.tutti.host.engine.EngineConfig;
import dev.tutti.host.live.Catalogues;
import dev.tutti.host.plugin.PluginSet;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.topology.Topology;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * What the choice costs once a shape is known: the time from a call and its options, both made
 * anew, to the plan; among as many other plans as a group keeps.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PlanCacheBenchmark {

  private static final int PLANS = 256;

  private final PlanCache cache = new PlanCache();
  private final Engine engine = new Engine(EngineConfig.defaults().withWorkers(1));
  private long count = 1;
  private long catalogue;

  @Setup
  public void setUp() {
    PluginSet plugins = PluginSet.builder().algorithm(new SampleAlgorithms.PullAllReduce()).load();
    Duration limit = Duration.ofSeconds(10);
    Planner planner =
        new Planner(
            Topology.flat(4),
            HostSettings.DEFAULTS,
            Catalogues.fixed(plugins, limit),
            engine,
            false);
    for (int i = 1; i <= PLANS; i++) {
      cache.add(planner.plan(key(i)));
    }
    catalogue = planner.catalogueNumber();
  }

  private static PlanKey key(long count) {
    CollectiveCall call = CollectiveCall.allReduce(DataType.FLOAT32, ReduceOp.SUM, count);
    return HostSettings.DEFAULTS.key(call, CallOptions.defaults(), false);
  }

  /** The same shape again and again. */
  @Benchmark
  public @Nullable Object same() {
    return cache.find(key(7), catalogue);
  }

  /** One shape after the other. */
  @Benchmark
  public @Nullable Object inTurns() {
    count = count % PLANS + 1;
    return cache.find(key(count), catalogue);
  }

  @TearDown
  public void tearDown() {
    engine.close();
  }
}
