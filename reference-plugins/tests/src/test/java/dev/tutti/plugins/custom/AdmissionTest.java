package dev.tutti.plugins.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest {

  private static final int MAX_BYTES = 8 << 20;

  private final CustomAllReduce custom = new CustomAllReduce();

  private static CommInfo comm(String topology) {
    return CommInfo.of(0, Topology.parse(topology));
  }

  private Support ofBytes(CommInfo comm, long bytes) {
    return custom.supports(Requests.sum(comm, AlgOptions.none(), bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 8})
  void takesSmallEvenGroups(int ranks) {
    assertThat(ofBytes(comm("" + ranks), 1024)).isEqualTo(Support.yes());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 7, 9, 10, 16})
  void refusesOtherGroups(int ranks) {
    assertThat(ofBytes(comm("" + ranks), 1024))
        .isEqualTo(Support.no("needs 2, 4, 6 or 8 ranks. Actual: " + ranks));
  }

  @ParameterizedTest
  @CsvSource({"4+4, 2", "2|2, 2", "1+1+1+1, 4"})
  void refusesGroupsOfSeveralNodes(String topology, int nodes) {
    assertThat(ofBytes(comm(topology), 1024))
        .isEqualTo(Support.no("needs all ranks on one node. Actual: %d nodes".formatted(nodes)));
  }

  @Test
  void looksAtTheLinksInsideTheNode() {
    CommInfo rdma = comm("4").withProtocol(Protocol.RDMA);

    assertThat(ofBytes(rdma, 1024))
        .isEqualTo(
            Support.no("needs direct links between all ranks, to load from peers. Actual: rdma"));
    assertThat(ofBytes(rdma.withProtocol(CommPlane.LEVEL0, Protocol.DIRECT), 1024))
        .isEqualTo(Support.yes());
  }

  @ParameterizedTest
  @EnumSource
  void takesTheFloatsThatAccumulateInFloat32(DataType type) {
    boolean isTaken = !type.isInteger() && type != DataType.FLOAT64;

    assertThat(custom.supports(Requests.sum(comm("2"), AlgOptions.none(), type, 64)))
        .isEqualTo(
            isTaken
                ? Support.yes()
                : Support.no("takes float32, float16 and bfloat16. Actual: " + type.label()));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 12, 20, 1020})
  void refusesIncompletePacks(long bytes) {
    assertThat(ofBytes(comm("2"), bytes))
        .isEqualTo(Support.no("needs a multiple of 16 bytes. Actual: " + bytes));
  }

  @Test
  void refusesVectorsOfTheMaximumSize() {
    assertThat(ofBytes(comm("2"), MAX_BYTES - 16)).isEqualTo(Support.yes());
    assertThat(ofBytes(comm("2"), MAX_BYTES))
        .isEqualTo(Support.no("takes fewer than 8388608 bytes. Actual: 8388608"));
  }

  @Test
  void theCallerCanMoveTheMaximum() {
    AlgOptions options = AlgOptions.none().with("max-bytes", "64");

    assertThat(custom.supports(Requests.sum(comm("2"), options, 48))).isEqualTo(Support.yes());
    assertThat(custom.supports(Requests.sum(comm("2"), options, 64)).isSupported()).isFalse();
  }

  @Test
  void refusesOneBufferForInputAndOutput() {
    AllReduceParam param =
        new AllReduceParam(
            comm("2"), "", AlgOptions.none(), DataType.FLOAT32, ReduceOp.SUM, 4, true);

    assertThat(custom.supports(param))
        .isEqualTo(Support.no("needs separate buffers: peers load the input to the end"));
  }
}
