package dev.tutti.verifier.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CollectiveCaseTest {

  @Test
  void aTokenHoldsEverything() {
    CollectiveCase plain =
        CollectiveCase.of(Operation.REDUCE, Topology.parse("8+4|3"))
            .withReduction(DataType.INT16, ReduceOp.BXOR)
            .withCount(7)
            .withRoot(14)
            .withInPlace(true)
            .withMode(WorkflowMode.OP_BASE)
            .withProtocol(Protocol.RDMA)
            .withCclBufferSize(300)
            .withOptions(AlgOptions.none().with("radix", 4))
            .withSeed(-5);
    CollectiveCase c =
        plain.withComm(
            plain
                .comm()
                .withProtocol(CommPlane.LEVEL0, Protocol.DIRECT)
                .withDeterminism(Determinism.SAME_RANKS));

    assertThat(c.token())
        .isEqualTo(
            "reduce;ranks=8+4|3;count=7;type=int16;op=bxor;root=14;in-place=true;mode=op-base;"
                + "protocol=rdma;protocol.level0=direct;determinism=same-ranks;ccl=300;"
                + "param.radix=4;seed=-5");
    assertThat(CollectiveCase.parse(c.token())).isEqualTo(c);
    assertThat(c)
        .hasToString(
            "reduce ranks=8+4|3 count=7 int16 bxor root=14 in-place op-base rdma"
                + " protocol.level0=direct determinism=same-ranks ccl=300 param.radix=4 seed=-5");
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyCaseOfTheStandardMatrixIsReadBackAndGivesRequests(Operation operation) {
    for (CollectiveCase c : MatrixCases.covering(Matrix.standard(operation))) {
      assertThat(CollectiveCase.parse(c.token())).isEqualTo(c);
      assertThat(c.params()).hasSize(c.comm().rankSize());
      c.params().stream()
          .filter(Objects::nonNull)
          .forEach(param -> assertThat(param.comm().topology()).isEqualTo(c.topology()));
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void countsAreAcceptedAsFarAsAProcessCanAddress(Operation operation) {
    for (int ranks = 2; ranks <= 1024; ranks = 2 * ranks + 1) {
      CollectiveCase small =
          CollectiveCase.of(operation, Topology.flat(ranks)).withDataType(DataType.INT64);
      long longest = operation.name().endsWith("_V") ? 2 : 1;
      long blocks = Traits.hasBlocks(operation) ? ranks : 1;
      long most = (1L << 48) / (Long.BYTES * longest * blocks);

      CollectiveCase largest = small.withCount(most);
      assertThat(largest.params()).hasSize(ranks);
      Stream.of(
              Staging.oneRound(),
              Staging.oneRoundLessOne(),
              Staging.oneRoundMore(),
              Staging.oneFullRound(),
              Staging.severalRounds())
          .forEach(staging -> assertThat(staging.bytes(largest)).isPositive());
      if (Traits.hasData(operation)) {
        assertThatThrownBy(() -> small.withCount(most + 1))
            .isInstanceOfSatisfying(
                TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_COUNT))
            .hasMessageContaining(
                "group of " + ranks + " takes at most " + most + " elements. Actual: ");
        assertThatThrownBy(() -> small.withCount(Long.MAX_VALUE))
            .isInstanceOf(TuttiException.class);
      }
    }
  }

  @Test
  void theRequestOfARankLeadsBackToItsCase() {
    CollectiveCase c = CollectiveCase.of(Operation.SCATTER, Topology.flat(5)).withRoot(3);

    OpParam param = c.params().get(4);

    assertThat(param).isNotNull();
    assertThat(CollectiveCase.of(Objects.requireNonNull(param), 1)).isEqualTo(c);
  }

  @Test
  void whatOneRankSendsIsWhatTheOtherExpects() {
    CollectiveCase c = CollectiveCase.of(Operation.ALL_TO_ALL_V, Topology.flat(5)).withCount(3);

    for (int src = 0; src < 5; src++) {
      for (int dst = 0; dst < 5; dst++) {
        assertThat(at(c, src).sendCounts().get(dst)).isEqualTo(at(c, dst).recvCounts().get(src));
      }
    }
    assertThat(at(c, 0).sendCounts()).containsExactly(3L, 6L, 0L, 3L, 6L);
  }

  private static AllToAllVParam at(CollectiveCase c, int rank) {
    return (AllToAllVParam) Objects.requireNonNull(c.params().get(rank));
  }

  @Test
  void aTransferNeedsTwoRanks() {
    assertThat(CollectiveCase.of(Operation.SEND, Topology.flat(1)).params())
        .containsExactly((OpParam) null);
    assertThat(CollectiveCase.of(Operation.SEND, Topology.flat(3)).withRoot(2).params().get(0))
        .isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "alreduce ~ unknown operation 'alreduce'; did you mean 'allreduce'?",
        "allreduce;cout=3 ~ unknown field of a case 'cout'; did you mean 'count'?",
        "allreduce;protcol.level1=rdma ~ unknown field of a case 'protcol.level1'; did you mean"
            + " 'protocol.level1'? (known: ranks, count, type, op, root, in-place, mode, protocol,"
            + " determinism, ccl, seed, protocol.level0, protocol.level1, protocol.level2,"
            + " protocol.combined, param.level1)",
        "allreduce;prm.radix=2 ~ unknown field of a case 'prm.radix'; did you mean 'param.radix'?",
        "allreduce;chunk=2 ~ unknown field of a case 'chunk'; did you mean 'count'? (known: ranks,"
            + " count, type, op, root, in-place, mode, protocol, determinism, ccl, seed,"
            + " protocol.level0, protocol.level1, protocol.level2, protocol.combined,"
            + " param.<name>)",
        "allreduce;count ~ each field of a case must be given once as name=value. Actual: 'count'"
            + " in 'allreduce;count'",
        "allreduce;count=x ~ count must be a whole number. Actual: 'x'",
        "allreduce;in-place=yes ~ in-place must be true or false. Actual: 'yes'",
        "reduce;root=9;ranks=4 ~ the root of a case must be 0 to 3. Actual: 9",
      })
  void aTokenThatIsNoneIsRefused(String token, String message) {
    assertThatThrownBy(() -> CollectiveCase.parse(token))
        .isInstanceOf(TuttiException.class)
        .hasMessageStartingWith(message);
  }
}
