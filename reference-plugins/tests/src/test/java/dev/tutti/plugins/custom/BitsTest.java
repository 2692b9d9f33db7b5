package dev.tutti.plugins.custom;

import static dev.tutti.testkit.assertions.TestkitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bits of an element depend on the operands alone. */
class BitsTest {

  private static final int RANKS = 8;
  private static final long BYTES = 1200;

  private final CustomAllReduce custom = new CustomAllReduce();

  private List<MemorySegment> results(
      WorkflowMode mode, AlgOptions options, DataType type, List<MemorySegment> payloads) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(RANKS)).mode(mode).build();
    AllReduceParam param =
        Requests.sum(cluster.comm(), options, type, payloads.getFirst().byteSize());
    PlanInterpreter interpreter = new PlanInterpreter(cluster.record(custom, param));
    GroupMemory memory = interpreter.allocate();
    Program program = new Program(param, memory, payloads);
    program.requireRight(interpreter.run(1, memory, program));
    return program.results();
  }

  private static List<MemorySegment> payloads(DataType type) {
    VirtualCluster cluster = VirtualCluster.builder(Topology.flat(RANKS)).build();
    return Program.payloads(Requests.sum(cluster.comm(), AlgOptions.none(), type, BYTES), 1);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT16", "BFLOAT16"})
  void areTheSameInOneStageAndInTwoInBothModesOnAllRanks(DataType type) {
    List<MemorySegment> payloads = payloads(type);
    MemorySegment expected =
        results(WorkflowMode.GRAPH, Requests.ONE_STAGE, type, payloads).getFirst();

    for (WorkflowMode mode : WorkflowMode.values()) {
      for (AlgOptions options : List.of(Requests.ONE_STAGE, Requests.TWO_STAGES)) {
        assertThat(results(mode, options, type, payloads))
            .allMatch(result -> result.mismatch(expected) == -1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 16, 400, 1184})
  void areTheSameForASliceOfTheVector(long offset) {
    List<MemorySegment> payloads = payloads(DataType.FLOAT32);
    MemorySegment whole =
        results(WorkflowMode.GRAPH, Requests.TWO_STAGES, DataType.FLOAT32, payloads).getFirst();

    for (long bytes = 16; offset + bytes <= BYTES; bytes += 272) {
      long size = bytes;
      List<MemorySegment> slices =
          payloads.stream().map(payload -> payload.asSlice(offset, size)).toList();
      assertThat(results(WorkflowMode.GRAPH, Requests.TWO_STAGES, DataType.FLOAT32, slices))
          .allMatch(result -> result.mismatch(whole.asSlice(offset, size)) == -1);
    }
  }

  @Test
  void theOrderOfOperandsIsProvenToBeTheSameOnBothSidesOfTheSwitchPoint() {
    VirtualCluster cluster =
        VirtualCluster.builder(Topology.flat(RANKS)).schedules(1).faults(0).build();
    List<AllReduceParam> sizes =
        LongStream.of(16, 112, 128, 144, 5104, 5120, 5136, 12000)
            .mapToObj(bytes -> Requests.sum(cluster.comm(), AlgOptions.none(), bytes))
            .toList();

    assertThat(cluster.checkSizes(custom, sizes)).isClean();
  }
}
