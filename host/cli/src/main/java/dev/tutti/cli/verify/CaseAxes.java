package dev.tutti.cli.verify;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.cli.options.OperationName;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.Acceptance;
import dev.tutti.verifier.matrix.CollectiveCase;
import dev.tutti.verifier.matrix.Coverage;
import dev.tutti.verifier.matrix.Matrix;
import dev.tutti.verifier.matrix.MatrixCases;
import dev.tutti.verifier.matrix.Traits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values of each axis of a matrix of cases. An axis without values here has those of the standard
 * matrix.
 *
 * <p>In groups of more than {@value #LARGE} ranks, an axis without values has only one: an uneven
 * count that leaves no rank without data, float32, SUM, a middle root, DIRECT, GRAPH, default
 * parameters. A request for thousands of ranks is about the number of ranks. Plans of millions of
 * actions for each of hundreds of types and sizes would take long and answer another question.
 *
 * @param groups the groups
 * @param counts the numbers of elements
 * @param types the element types
 * @param ops the reductions
 * @param roots the roots
 * @param protocols the protocols
 * @param modes the workflow modes
 * @param cclBufferSize bytes of each staging buffer; null for the default
 * @param options fixed values of the algorithm's parameters, which do not vary
 */
record CaseAxes(
    List<Topology> groups,
    List<Long> counts,
    List<DataType> types,
    List<ReduceOp> ops,
    List<Integer> roots,
    List<Protocol> protocols,
    List<WorkflowMode> modes,
    @Nullable Long cclBufferSize,
    AlgOptions options) {

  /** The largest number of ranks of a group that is checked in all standard forms. */
  static final int LARGE = 64;

  /**
   * The cases.
   *
   * @param isFull whether all values of all axes are combined
   * @param limit the longest time for the subject to report which cases it supports
   */
  Collection<CollectiveCase> cases(AlgorithmWithPeer subject, boolean isFull, Duration limit) {
    Acceptance acceptance = new Acceptance(subject.executors());
    Set<CollectiveCase> cases = new LinkedHashSet<>();
    for (Matrix matrix : matrices(subject)) {
      if (isFull) {
        cases.addAll(MatrixCases.all(matrix));
      } else {
        cases.addAll(
            isUsual() ? acceptance.usualCases(matrix, limit) : acceptance.cases(matrix, limit));
      }
    }
    return cases;
  }

  /** Whether no option narrows the cases. */
  private boolean isUsual() {
    return groups.isEmpty()
        && counts.isEmpty()
        && types.isEmpty()
        && ops.isEmpty()
        && roots.isEmpty()
        && protocols.isEmpty()
        && modes.isEmpty();
  }

  /**
   * The combinations that some cases visit, out of all possible ones in small groups; in large
   * groups if there are no small ones.
   */
  Coverage coverage(AlgorithmWithPeer subject, List<CollectiveCase> cases) {
    return Coverage.of(matrices(subject).getFirst(), cases);
  }

  private List<Matrix> matrices(AlgorithmWithPeer subject) {
    Operation operation = subject.operation();
    Matrix standard = Matrix.standard(operation);
    List<Topology> all =
        (groups.isEmpty() ? standard.topologies() : groups)
            .stream()
                .filter(group -> !Traits.isTransfer(operation) || group.rankSize() > 1)
                .toList();
    List<Matrix> matrices = new ArrayList<>();
    List<Topology> small = all.stream().filter(each -> each.rankSize() <= LARGE).toList();
    if (!small.isEmpty()) {
      matrices.add(
          named(standard, false)
              .withTopologies(small)
              .withParameters(subject.parameters(), options));
    }
    List<Topology> large = all.stream().filter(each -> each.rankSize() > LARGE).toList();
    if (!large.isEmpty()) {
      matrices.add(
          named(single(operation), true).withTopologies(large).withParameters(List.of(), options));
    }
    return matrices;
  }

  /** One value for each axis. */
  private static Matrix single(Operation operation) {
    return Matrix.standard(operation)
        .withCounts(List.of((comm, type) -> uneven(operation, comm)))
        .withReductions(List.of(new Matrix.Reduction(DataType.FLOAT32, ReduceOp.SUM)))
        .withRoots(List.of(comm -> hasRoot(operation) ? comm.rankSize() / 2 : 0))
        .withProtocols(List.of(Protocol.DIRECT))
        .withModes(List.of(WorkflowMode.GRAPH))
        .withCclBufferSize(CommInfo.DEFAULT_CCL_BUFFER_SIZE);
  }

  private static boolean hasRoot(Operation operation) {
    return Traits.hasRoot(operation) || Traits.isTransfer(operation);
  }

  /**
   * A small count; if the operation divides a vector among the ranks, one that does not divide
   * evenly.
   */
  private static long uneven(Operation operation, CommInfo comm) {
    OperationName name = OperationName.of(operation.label());
    return !name.hasData() ? 0 : name.countsWholeVector() ? 2L * comm.rankSize() + 1 : 3;
  }

  private Matrix named(Matrix matrix, boolean isSingle) {
    Matrix named = matrix;
    if (!counts.isEmpty() && Traits.hasData(matrix.operation())) {
      named = named.withCounts(counts.stream().map(Matrix.Count::of).toList());
    }
    if (isReductionNamed(matrix.operation())) {
      named = named.withReductions(reductions(matrix.operation(), isSingle));
    }
    if (!roots.isEmpty() && hasRoot(matrix.operation())) {
      List<Matrix.Root> wanted = new ArrayList<>();
      roots.forEach(root -> wanted.add(comm -> root));
      named = named.withRoots(wanted);
    }
    if (!protocols.isEmpty()) {
      named = named.withProtocols(distinct(protocols));
    }
    if (!modes.isEmpty()) {
      named = named.withModes(distinct(modes));
    }
    return cclBufferSize == null ? named : named.withCclBufferSize(cclBufferSize);
  }

  private boolean isReductionNamed(Operation operation) {
    return (Traits.hasData(operation) && !types.isEmpty())
        || (Traits.reduces(operation) && !ops.isEmpty());
  }

  /**
   * The given types with the given reductions. An axis that is not given has all values that fit,
   * or a single one.
   */
  private List<Matrix.Reduction> reductions(Operation operation, boolean isSingle) {
    boolean isReducing = Traits.reduces(operation);
    Collection<ReduceOp> wanted = ops;
    if (!isReducing || (ops.isEmpty() && isSingle)) {
      wanted = List.of(ReduceOp.SUM);
    } else if (ops.isEmpty()) {
      wanted = EnumSet.allOf(ReduceOp.class);
    }
    Set<Matrix.Reduction> reductions = new LinkedHashSet<>();
    for (ReduceOp op : wanted) {
      for (DataType type : typesFor(op, isSingle)) {
        if (!isReducing || op.supports(type)) {
          reductions.add(new Matrix.Reduction(type, op));
        }
      }
    }
    if (reductions.isEmpty()) {
      ops.getFirst().requireSupports(types.getFirst());
    }
    return List.copyOf(reductions);
  }

  private Collection<DataType> typesFor(ReduceOp op, boolean isSingle) {
    if (!types.isEmpty()) {
      return types;
    }
    return isSingle
        ? List.of(op.supports(DataType.FLOAT32) ? DataType.FLOAT32 : DataType.INT32)
        : EnumSet.allOf(DataType.class);
  }

  private static <T> List<T> distinct(List<T> values) {
    return values.stream().distinct().toList();
  }
}
