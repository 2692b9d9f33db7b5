package dev.tutti.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.samples.Algorithms;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorpusCheckTest {

  private static final CorpusCheck STANDARD = CorpusCheck.of(new Algorithms.RingAllGather());

  private static Matrix matrix() {
    return Matrix.standard(Operation.ALL_GATHER);
  }

  @Test
  void whatIsAlwaysWrongIsFoundOutByAnyMatrixOfSeveralRanks() {
    CorpusScore score =
        STANDARD
            .withCases(MatrixCases.covering(matrix().withTopologies(List.of(Topology.flat(3)))))
            .run(100, 1);

    assertThat(score.counts().get(ConditionKind.ALWAYS))
        .satisfies(
            count -> {
              assertThat(count.caught()).isPositive();
              assertThat(count.survivors()).isZero();
            });
  }

  @Test
  void aMatrixThatLeavesAModeOutMissesWhatIsWrongOnlyThere() {
    CorpusScore score =
        STANDARD
            .withCases(MatrixCases.covering(matrix().withModes(List.of(WorkflowMode.GRAPH))))
            .run(60, 2);

    assertThat(score.counts().get(ConditionKind.MODE).survivors()).isPositive();
    assertThat(score.counts().get(ConditionKind.ROUNDS).caught()).isZero();
    assertThat(score.survivors())
        .anyMatch(
            survivor ->
                survivor.contains("mode op-base")
                    && survivor.contains(
                        "not wrong in any case of the matrix, but in allgather;ranks="));
  }

  @Test
  void aMatrixThatLeavesAProtocolOutMissesWhatIsWrongOnlyThere() {
    CorpusScore score =
        STANDARD
            .withCases(MatrixCases.covering(matrix().withProtocols(List.of(Protocol.RDMA))))
            .run(60, 3);

    assertThat(score.counts().get(ConditionKind.PROTOCOL).survivors()).isPositive();
    assertThat(score.survivors()).anyMatch(survivor -> survivor.contains("protocol direct"));
  }

  @Test
  void oneCaseFindsNextToNothingOut() {
    CollectiveCase one = CollectiveCase.of(Operation.ALL_GATHER, Topology.flat(1));
    CorpusScore score = STANDARD.withCases(List.of(one)).run(40, 4);

    assertThat(score.total().score()).isLessThan(0.3);
    assertThatThrownBy(() -> score.requireAtLeast(0.99))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("the score must be 0.99 or more. Actual: 40 algorithms", "more");
  }

  @Test
  void equalSeedsMakeEqualAlgorithms() {
    assertThat(STANDARD.run(15, 5)).isEqualTo(STANDARD.run(15, 5));
    assertThat(STANDARD.run(15, 5).counts()).isNotEqualTo(STANDARD.run(15, 6).counts());
  }

  @Test
  void withoutAWrongAlgorithmNothingIsChecked() {
    assertThatThrownBy(() -> CorpusScore.none().requireAtLeast(0))
        .isInstanceOf(AssertionError.class)
        .hasMessage("there are no wrong algorithms: nothing was checked");
  }

  @Test
  void scoresAddUp() {
    CorpusScore one = STANDARD.run(10, 7);
    CorpusScore two = STANDARD.run(10, 8);

    assertThat(one.plus(two).total().mutants()).isEqualTo(20);
    assertThat(one.plus(two).total().caught())
        .isEqualTo(one.total().caught() + two.total().caught());
    assertThat(CorpusScore.none().plus(one)).isEqualTo(one);
  }
}
