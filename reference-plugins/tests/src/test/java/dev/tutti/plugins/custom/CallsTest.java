package dev.tutti.plugins.custom;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Step;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.run.Fault;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import dev.tutti.verifier.run.Point;
import dev.tutti.verifier.run.StressRunner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls in a row and late ranks, with a payload of its own in every call: data that is read too
 * late would not show if it were always the same.
 */
class CallsTest {

  private static final int RANKS = 4;

  /** Uses the callers' memory whatever the mode, as a captured call among eager ones does. */
  private static final Variant CAPTURED =
      Variant.in(TransportMemType.PARAM_INPUT, TransportMemType.PARAM_OUTPUT);

  private final CustomAllReduce custom = new CustomAllReduce();

  private static VirtualCluster cluster(WorkflowMode mode) {
    return VirtualCluster.builder(Topology.flat(RANKS)).mode(mode).build();
  }

  /** A plan with the memory that all its runs share. */
  private record Captured(AllReduceParam param, GroupPlan plan, GroupMemory memory) {

    void replay(long seed) {
      Program program = new Program(param, memory, seed);
      boolean onPlatformThreads = seed % 2 == 1;
      program.requireRight(
          new StressRunner(plan).withPlatformThreads(onPlatformThreads).run(seed, memory, program));
    }
  }

  private Captured capture(WorkflowMode mode, AlgOptions options, DataType type, long bytes) {
    VirtualCluster cluster = cluster(mode);
    AllReduceParam param = Requests.sum(cluster.comm(), options, type, bytes);
    GroupPlan plan = cluster.record(custom, param);
    return new Captured(param, plan, new PlanInterpreter(plan).allocate());
  }

  @ParameterizedTest
  @EnumSource
  void aPlanCanBeReplayed(WorkflowMode mode) {
    for (AlgOptions options : List.of(Requests.ONE_STAGE, Requests.TWO_STAGES)) {
      Captured captured = capture(mode, options, DataType.FLOAT32, 752);
      for (int seed = 0; seed < 6; seed++) {
        captured.replay(seed);
      }
    }
  }

  @Test
  void shapesAndModesCanAlternate() {
    List<Captured> calls = new ArrayList<>();
    for (WorkflowMode mode : WorkflowMode.values()) {
      calls.add(capture(mode, AlgOptions.none(), DataType.FLOAT16, 16));
      calls.add(capture(mode, AlgOptions.none(), DataType.FLOAT32, 12_000));
      calls.add(capture(mode, AlgOptions.none(), DataType.BFLOAT16, 176));
      calls.add(capture(mode, Requests.TWO_STAGES, DataType.FLOAT32, 48));
    }
    for (int round = 0; round < 40; round++) {
      for (Captured call : calls) {
        call.replay(round);
      }
    }
  }

  /** Any two of these calls in a row, for all schedules, on one staging memory. */
  @Test
  void nothingIsNeededBetweenCalls() {
    VirtualCluster cluster = cluster(WorkflowMode.OP_BASE);
    List<Step<?>> steps = new ArrayList<>();
    for (long bytes : new long[] {16, 176, 752}) {
      for (AlgOptions options : List.of(Requests.ONE_STAGE, Requests.TWO_STAGES)) {
        AllReduceParam param = Requests.sum(cluster.comm(), options, bytes);
        steps.add(new Step<>(custom, param));
        steps.add(new Step<>(CAPTURED, param));
      }
    }

    assertThat(cluster.checkSequence(steps.toArray(Step<?>[]::new))).isClean();
  }

  @ParameterizedTest
  @CsvSource({"GRAPH, 1stage", "GRAPH, 2stage", "OP_BASE, 1stage", "OP_BASE, 2stage"})
  void aRankMayBeLateInEveryPhase(WorkflowMode mode, String algorithm) {
    AlgOptions options = AlgOptions.none().with("algorithm", algorithm);
    Captured captured = capture(mode, options, DataType.FLOAT32, 176);
    PlanInterpreter interpreter = new PlanInterpreter(captured.plan());
    for (int rank = 0; rank < RANKS; rank++) {
      for (int event = 0; event < interpreter.eventCount(rank, 0); event++) {
        Program program = new Program(captured.param(), captured.memory(), event);
        Fault late = new Fault.Delay(new Point(rank, 0, event), 1000);
        program.requireRight(
            interpreter.run(event, captured.memory(), program, List.of(late), Long.MAX_VALUE));
      }
    }
  }
}
