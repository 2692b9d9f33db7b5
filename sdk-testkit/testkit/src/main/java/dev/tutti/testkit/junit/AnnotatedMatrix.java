package dev.tutti.testkit.junit;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import dev.tutti.verifier.matrix.Traits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes the cases of an annotation. */
final class AnnotatedMatrix {

  private AnnotatedMatrix() {}

  /**
   * The cases.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there are none
   */
  static List<CollectiveCase> cases(CollectiveTest test, Subject subject) {
    Operation operation = subject.operation();
    Matrix matrix = Matrix.standard(subject.executors());
    if (test.cclBufferSize() > 0) {
      matrix = matrix.withCclBufferSize(test.cclBufferSize());
    }
    if (test.ranks().length + test.topologies().length > 0) {
      matrix = matrix.withTopologies(topologies(test));
    }
    if (test.counts().length > 0) {
      matrix = matrix.withCounts(Arrays.stream(test.counts()).mapToObj(Matrix.Count::of).toList());
    }
    if (test.types().length + test.reductions().length > 0) {
      matrix = matrix.withReductions(reductions(test, operation));
    }
    if (test.roots().length > 0) {
      matrix =
          matrix.withRoots(Arrays.stream(test.roots()).mapToObj(AnnotatedMatrix::root).toList());
    }
    if (test.protocols().length > 0) {
      matrix = matrix.withProtocols(List.of(test.protocols()));
    }
    if (test.modes().length > 0) {
      matrix = matrix.withModes(List.of(test.modes()));
    }
    List<CollectiveCase> cases =
        test.full() ? MatrixCases.all(matrix) : MatrixCases.covering(matrix);
    return cases.stream().map(c -> c.withSeed(test.seed())).toList();
  }

  private static List<Topology> topologies(CollectiveTest test) {
    List<Topology> topologies = new ArrayList<>();
    Arrays.stream(test.ranks()).mapToObj(Topology::flat).forEach(topologies::add);
    Arrays.stream(test.topologies()).map(Topology::parse).forEach(topologies::add);
    return topologies;
  }

  private static Matrix.Root root(int root) {
    return comm -> Math.min(root, comm.rankSize() - 1);
  }

  private static List<Matrix.Reduction> reductions(CollectiveTest test, Operation operation) {
    DataType[] types = test.types().length > 0 ? test.types() : DataType.values();
    ReduceOp[] ops = {ReduceOp.SUM};
    if (Traits.reduces(operation)) {
      ops = test.reductions().length > 0 ? test.reductions() : ReduceOp.values();
    }
    List<Matrix.Reduction> reductions = new ArrayList<>();
    for (DataType type : types) {
      for (ReduceOp op : ops) {
        if (op.supports(type)) {
          reductions.add(new Matrix.Reduction(type, op));
        }
      }
    }
    if (reductions.isEmpty()) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT,
          "none of the reductions %s takes one of the types %s; name others in @CollectiveTest",
          Arrays.toString(ops),
          Arrays.toString(types));
    }
    return reductions;
  }
}
