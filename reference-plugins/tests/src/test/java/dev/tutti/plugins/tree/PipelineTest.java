package dev.tutti.plugins.tree;

import dev.tutti.mutation.MutationCheck;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.Operation;
import dev.tutti.verifier.VirtualCluster;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Algorithms that cut vectors into segments, with segments so short that there are many. */
class PipelineTest {

  private static final List<AlgOptions> OPTIONS =
      Stream.of(20, 250)
          .map(bytes -> AlgOptions.none().with(Segments.SEGMENT_BYTES.name(), bytes))
          .toList();

  static Stream<CollExecutorBase<?>> executors() {
    return Stream.of(
        new ChainBroadcast(),
        new ChainReduce(),
        new DoubleTreeAllReduce(),
        new DoubleTreeBroadcast());
  }

  @ParameterizedTest
  @MethodSource("executors")
  void areRightInManySegments(CollExecutorBase<?> executor) {
    Operation operation = Operation.ofExecutor(executor.getClass());
    List<CollectiveCase> cases = MatrixCases.covering(Matrix.standard(operation));
    for (int i = 0; i < cases.size(); i += 23) {
      CollectiveCase c = cases.get(i).withOptions(OPTIONS.get(i % OPTIONS.size()));
      VirtualCluster.builder(c).build().check(c, List.of(executor)).requireClean();
    }
  }

  /** The last round has one element, which leaves the second tree none. */
  @Test
  void aTreeWithoutAnElementOpensNoMemory() {
    CollectiveCase c =
        CollectiveCase.parse("broadcast;ranks=2;count=129;type=uint64;mode=op-base;ccl=1024");

    VirtualCluster.builder(c)
        .staticOnly()
        .build()
        .check(c, List.of(new DoubleTreeBroadcast()))
        .requireClean();
  }

  @ParameterizedTest
  @MethodSource("executors")
  void everyWrongActionIsNoticed(CollExecutorBase<?> executor) {
    MutationCheck.of(executor).withOptions(OPTIONS).withOneIn(40000, 1).run().requireAtLeast(1);
  }

  @ParameterizedTest
  @MethodSource("executors")
  void theDeclaredCostIsThatOfThePlan(CollExecutorBase<?> executor) {
    Costs.check(executor, AlgOptions.none().with(Segments.SEGMENT_BYTES.name(), 1500));
  }
}
