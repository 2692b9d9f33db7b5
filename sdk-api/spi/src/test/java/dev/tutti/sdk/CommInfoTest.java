package dev.tutti.sdk;

import static dev.tutti.sdk.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommInfoTest {

  private final CommInfo comm = CommInfo.of(1, Topology.flat(4));

  @Test
  void aGroupIsDirectRegisteredAndNotDeterministicUnlessSaidOtherwise() {
    assertThat(comm.mode()).isEqualTo(WorkflowMode.GRAPH);
    assertThat(comm.protocol()).isEqualTo(Protocol.DIRECT);
    assertThat(comm.determinism()).isEqualTo(Determinism.NONE);
    assertThat(comm.cclBufferSize()).isEqualTo(4 << 20);
    assertThat(comm.rankSize()).isEqualTo(4);
  }

  @Test
  void eachCopyChangesOneThing() {
    CommInfo other =
        comm.withRank(3)
            .withMode(WorkflowMode.OP_BASE)
            .withProtocol(Protocol.RDMA)
            .withDeterminism(Determinism.SAME_SIZES)
            .withCclBufferSize(512);

    assertThat(other)
        .isEqualTo(
            new CommInfo(
                3,
                Topology.flat(4),
                WorkflowMode.OP_BASE,
                Protocol.RDMA,
                Determinism.SAME_SIZES,
                512));
  }

  @Test
  void aPlaneCanHaveAProtocolOfItsOwn() {
    CommInfo mixed = comm.withProtocol(CommPlane.LEVEL1, Protocol.RDMA).withRank(2);

    assertThat(mixed.protocol(CommPlane.LEVEL1)).isEqualTo(Protocol.RDMA);
    assertThat(mixed.protocol(CommPlane.LEVEL0)).isEqualTo(Protocol.DIRECT);
    assertThat(mixed.protocol()).isEqualTo(Protocol.DIRECT);
    assertThat(mixed.withProtocol(CommPlane.LEVEL1, Protocol.DIRECT).protocol(CommPlane.LEVEL1))
        .isEqualTo(Protocol.DIRECT);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4, Integer.MAX_VALUE})
  void aRankOutsideTheGroupIsRefused(int rank) {
    assertRefused(
        () -> comm.withRank(rank), ErrorCode.INVALID_RANK, "rank must be 0 to 3. Actual: " + rank);
  }

  @Test
  void aTinyCclBufferIsRefused() {
    assertRefused(
        () -> comm.withCclBufferSize(255),
        ErrorCode.INVALID_ARGUMENT,
        "CCL buffer size must be at least 256 bytes. Actual: 255");
  }

  @Test
  void aRefusalToSupportMustGiveItsReason() {
    assertRefused(
        () -> Support.no(" "), ErrorCode.INVALID_ARGUMENT, "a refusal must give its reason");
  }

  @Test
  void theFirstRefusalWins() {
    assertThat(Support.yes().and(Support.no("a")).and(Support.no("b")).reason()).isEqualTo("a");
    assertThat(Support.when(true, "").and(Support.yes()).isSupported()).isTrue();
  }

  @Test
  void costCoefficientsAreNotNegativeNumbers() {
    assertThat(new Cost(2, 100, 10).seconds(1e-6, 1e-9, 1e-10)).isEqualTo(2e-6 + 1e-7 + 1e-9);
    assertRefused(
        () -> new Cost(0, Double.NaN, -1),
        ErrorCode.INVALID_ARGUMENT,
        "cost coefficients must be 0 or more. Actual: alphas=0.0, betaBytes=NaN, gammaBytes=-1.0");
  }
}
