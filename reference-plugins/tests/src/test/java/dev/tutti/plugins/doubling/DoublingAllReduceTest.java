package dev.tutti.plugins.doubling;

import dev.tutti.sdk.Operation;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.Report;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DoublingAllReduceTest {

  private final DoublingAllReduce doubling = new DoublingAllReduce();

  static Stream<CollectiveCase> cases() {
    return MatrixCases.covering(Matrix.standard(Operation.ALL_REDUCE)).stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isRight(CollectiveCase c) {
    check(c).requireClean();
  }

  @Test
  void isRightForEveryNumberOfRanksUpTo70() {
    for (int ranks = 1; ranks <= 70; ranks++) {
      check(CollectiveCase.of(Operation.ALL_REDUCE, Topology.flat(ranks)).withCount(3))
          .requireClean();
    }
  }

  private Report check(CollectiveCase c) {
    return VirtualCluster.builder(c).schedules(1).build().check(c, List.of(doubling));
  }
}
