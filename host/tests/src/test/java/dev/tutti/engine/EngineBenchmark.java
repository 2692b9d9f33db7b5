package dev.tutti.engine;

import dev.tutti.engine.kernel.Kernels;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.time.Duration;
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
 * The time of one replay, and of compiling a plan. The plan is a two-stage all-reduce of one
 * element a rank, so bytes do not matter: time over tasks is the cost of a compiled action,
 * including the kernel call ({@code tasks} is printed at set-up), and time over actions is the cost
 * of compiling one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class EngineBenchmark {

  private static final long MINUTE = 60_000_000_000L;

  @Param({"2", "16", "64"})
  private int ranks;

  @Param({"STATIC", "DYNAMIC"})
  private CompileOptions.Mode mode = CompileOptions.Mode.STATIC;

  private final Engine engine = new Engine(EngineConfig.defaults());
  private GroupPlan plan = AllReduceCase.plan(new TestExecutors.TwoStage(), 1, 1);
  private AllReduceCase work = new AllReduceCase(plan, 1);
  private Binding binding = engine.bind(engine.compile(plan, options()), work.memory());

  @Setup
  public void setUp() {
    Kernels.warm(DataType.INT32, ReduceOp.SUM, Duration.ofSeconds(30));
    plan = AllReduceCase.plan(new TestExecutors.TwoStage(), ranks, ranks);
    work = new AllReduceCase(plan, ranks);
    binding = engine.bind(engine.compile(plan, options()), work.memory());
    System.out.printf("%s from %d actions%n", binding.compiled(), plan.actionCount());
  }

  private CompileOptions options() {
    return CompileOptions.defaults().withMode(mode);
  }

  @Benchmark
  public void replay() {
    binding.run(MINUTE);
  }

  @Benchmark
  public CompiledPlan compile() {
    return engine.compile(plan, options());
  }

  @TearDown
  public void tearDown() {
    engine.close();
    work.close();
  }
}
