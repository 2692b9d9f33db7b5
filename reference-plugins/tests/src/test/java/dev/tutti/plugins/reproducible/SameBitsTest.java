package dev.tutti.plugins.reproducible;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SameBitsTest {

  private static final int RANKS = 7;

  private static float operand(int rank, int element) {
    return (float) new Random(31L * rank + 1009L * element).nextGaussian();
  }

  @ParameterizedTest
  @CsvSource({"7, 1", "7, 33", "7, 500", "7, 5000", "4+3, 500", "1+2|4, 5000"})
  void anElementIsTheSumOfALoopOverTheRanks(String shape, int count) {
    for (Protocol protocol : new Protocol[] {Protocol.DIRECT, Protocol.RDMA}) {
      for (WorkflowMode mode : WorkflowMode.values()) {
        CommInfo comm =
            CommInfo.of(0, Topology.parse(shape))
                .withMode(mode)
                .withProtocol(protocol)
                .withCclBufferSize(1000);
        assertLoopOverTheRanks(
            new AllReduceParam(comm, DataType.FLOAT32, ReduceOp.SUM, count), count);
      }
    }
  }

  private static void assertLoopOverTheRanks(AllReduceParam param, int count) {
    PlanInterpreter interpreter =
        new PlanInterpreter(
            new PlanRecorder().record("reproducible", new ReproducibleAllReduce(), param));
    GroupMemory memory = interpreter.allocate();
    for (int rank = 0; rank < RANKS; rank++) {
      for (int i = 0; i < count; i++) {
        memory.inputs().get(rank).setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, operand(rank, i));
      }
    }

    interpreter.run(1, memory);

    for (int i = 0; i < count; i++) {
      float sum = operand(0, i);
      for (int rank = 1; rank < RANKS; rank++) {
        sum += operand(rank, i);
      }
      for (int rank = 0; rank < RANKS; rank++) {
        assertThat(memory.output(rank).getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i))
            .as("element %d of rank %d", i, rank)
            .isEqualTo(sum);
      }
    }
  }
}
