package dev.tutti.verifier.matrix;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The possible cases of one operation: ranks × counts × types and reductions × roots × protocols ×
 * modes × sizes of the staging buffers × values of the algorithm's parameters. Immutable; the
 * {@code with…} methods give changed copies. There is no axis for in place and out of place,
 * because every check runs both.
 *
 * <p>{@link MatrixCases} chooses cases, and {@link Coverage} counts what they visit.
 *
 * @param operation the operation
 * @param topologies the groups
 * @param counts the numbers of elements, given the group
 * @param reductions element types with their reductions; for an operation that does not reduce,
 *     only the types matter
 * @param roots the roots, given the group
 * @param protocols how bytes cross the links
 * @param modes how the caller's memory is reached
 * @param stagings the sizes of the staging buffers, which decide the rounds of OP_BASE; GRAPH uses
 *     the first size, and in the small set also the last
 * @param parameters for each parameter of the algorithm, its values; most cases have the first
 *     value; an empty value means the default
 */
public record Matrix(
    Operation operation,
    List<Topology> topologies,
    List<Count> counts,
    List<Reduction> reductions,
    List<Root> roots,
    List<Protocol> protocols,
    List<WorkflowMode> modes,
    List<Staging> stagings,
    List<List<AlgOptions>> parameters) {

  /** The staging buffers of a standard case that does not need larger ones, in bytes. */
  public static final long SMALL_CCL_BUFFER_SIZE = 1024;

  private static final ReduceOp[] SUM_ONLY = {ReduceOp.SUM};

  private static final List<Count> COUNTS =
      List.of(
          Count.of(0),
          Count.of(1),
          (comm, type) -> Math.max(1, comm.rankSize() - 1),
          (comm, type) -> 32L * comm.rankSize(),
          Count.of(127),
          Count.of(257),
          Count.of(773));

  private static final List<Count> NO_COUNT = List.of(Count.of(0));

  private static final List<Root> ROOTS =
      List.of(
          comm -> 0,
          comm -> Math.min(1, comm.rankSize() - 1),
          comm -> comm.rankSize() / 2,
          comm -> comm.rankSize() - 1,
          comm -> Integer.highestOneBit(comm.rankSize() - 1));

  private static final List<Root> FIRST_ROOT = List.of(comm -> 0);

  private static final List<Staging> STAGINGS =
      List.of(
          Staging.oneRound(),
          Staging.oneRoundLessOne(),
          Staging.oneFullRound(),
          Staging.oneRoundMore(),
          Staging.severalRounds());

  private static final List<Staging> NO_STAGING = List.of(Staging.oneRound());

  /** Takes immutable copies. */
  public Matrix {
    topologies = List.copyOf(topologies);
    counts = List.copyOf(counts);
    reductions = List.copyOf(reductions);
    roots = List.copyOf(roots);
    protocols = List.copyOf(protocols);
    modes = List.copyOf(modes);
    stagings = List.copyOf(stagings);
    parameters = parameters.stream().map(List::copyOf).toList();
  }

  /** A number of elements that may depend on the group. */
  @FunctionalInterface
  public interface Count {

    /** The number of elements of a type in a group. */
    long in(CommInfo comm, DataType type);

    /** A fixed number. */
    static Count of(long elements) {
      return (comm, type) -> elements;
    }
  }

  /** A root that may depend on the group. */
  @FunctionalInterface
  public interface Root {

    /** The root in a group. */
    int in(CommInfo comm);
  }

  /**
   * An element type and a reduction that it supports.
   *
   * @param type the element type
   * @param op the reduction
   */
  public record Reduction(DataType type, ReduceOp op) {}

  /**
   * The standard matrix of an operation: 1 to 9, 12 and 16 ranks of one node, the ragged nodes 2+1
   * and 8+4, and the ragged pods 3+2|1; counts 0, 1, one less than the ranks, 32 for each rank, and
   * three primes, and in the V forms blocks of which some or none are empty; every type and every
   * reduction; the first, the second, a middle and the last root, and the first root beyond a power
   * of two; both protocols and both modes. The sizes of the staging buffers give one round with
   * much room, one round with room for one more element, one full round, one element more than a
   * round, and up to four rounds. The matrix has no parameters; see {@link #withParameters(List)}.
   * The standard matrices of one operation are equal.
   */
  public static Matrix standard(Operation operation) {
    List<Topology> groups = new ArrayList<>();
    for (String text :
        List.of("1", "2", "3", "4", "5", "6", "7", "8", "9", "12", "16", "2+1", "8+4", "3+2|1")) {
      groups.add(Topology.parse(text));
    }
    if (Traits.isTransfer(operation)) {
      groups.removeFirst();
    }
    return new Matrix(
        operation,
        groups,
        Traits.hasData(operation) ? COUNTS : NO_COUNT,
        standardReductions(operation),
        Traits.hasRoot(operation) || Traits.isTransfer(operation) ? ROOTS : FIRST_ROOT,
        List.of(Protocol.DIRECT, Protocol.RDMA),
        List.of(WorkflowMode.GRAPH, WorkflowMode.OP_BASE),
        Traits.hasData(operation) ? STAGINGS : NO_STAGING,
        List.of());
  }

  /**
   * The standard matrix for the operation of some executors, with the parameters of all of them.
   *
   * @param executors one executor, or the sender and the receiver of a transfer
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if an executor fails to name its
   *     parameters
   */
  public static Matrix standard(List<? extends CollExecutorBase<?>> executors) {
    List<AlgParameter<?>> parameters = new ArrayList<>();
    for (CollExecutorBase<?> executor : executors) {
      try {
        parameters.addAll(executor.parameters());
      } catch (RuntimeException e) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            e,
            "%s must say which parameters it has. Actual: %s",
            executor.getClass().getName(),
            e);
      }
    }
    return standard(Operation.ofExecutor(executors.getFirst().getClass()))
        .withParameters(parameters);
  }

  private static List<Reduction> standardReductions(Operation operation) {
    List<Reduction> reductions = new ArrayList<>();
    if (!Traits.hasData(operation)) {
      return List.of(new Reduction(DataType.UINT8, ReduceOp.SUM));
    }
    for (ReduceOp op : Traits.reduces(operation) ? ReduceOp.values() : SUM_ONLY) {
      for (DataType type : DataType.values()) {
        if (op.supports(type)) {
          reductions.add(new Reduction(type, op));
        }
      }
    }
    return reductions;
  }

  /** The same matrix on other groups. */
  public Matrix withTopologies(List<Topology> newTopologies) {
    return new Matrix(
        operation,
        newTopologies,
        counts,
        reductions,
        roots,
        protocols,
        modes,
        stagings,
        parameters);
  }

  /** The same matrix with other counts. */
  public Matrix withCounts(List<Count> newCounts) {
    return new Matrix(
        operation,
        topologies,
        newCounts,
        reductions,
        roots,
        protocols,
        modes,
        stagings,
        parameters);
  }

  /** The same matrix with other element types and reductions. */
  public Matrix withReductions(List<Reduction> newReductions) {
    return new Matrix(
        operation,
        topologies,
        counts,
        newReductions,
        roots,
        protocols,
        modes,
        stagings,
        parameters);
  }

  /** The same matrix with other roots. */
  public Matrix withRoots(List<Root> newRoots) {
    return new Matrix(
        operation,
        topologies,
        counts,
        reductions,
        newRoots,
        protocols,
        modes,
        stagings,
        parameters);
  }

  /** The same matrix over other protocols. */
  public Matrix withProtocols(List<Protocol> newProtocols) {
    return new Matrix(
        operation,
        topologies,
        counts,
        reductions,
        roots,
        newProtocols,
        modes,
        stagings,
        parameters);
  }

  /** The same matrix in other workflow modes. */
  public Matrix withModes(List<WorkflowMode> newModes) {
    return new Matrix(
        operation,
        topologies,
        counts,
        reductions,
        roots,
        protocols,
        newModes,
        stagings,
        parameters);
  }

  /**
   * The same matrix with CCL buffers of one size in bytes, no matter how many rounds that gives.
   */
  public Matrix withCclBufferSize(long bytes) {
    return withStagings(List.of(Staging.of(bytes)));
  }

  /** The same matrix with other sizes of the staging buffers. */
  public Matrix withStagings(List<Staging> newStagings) {
    return new Matrix(
        operation,
        topologies,
        counts,
        reductions,
        roots,
        protocols,
        modes,
        newStagings,
        parameters);
  }

  /**
   * The same matrix for an algorithm with parameters: each parameter has its {@linkplain
   * AlgParameter#samples() samples} as values. Its default value is left out of the options.
   */
  public Matrix withParameters(List<AlgParameter<?>> newParameters) {
    return withParameters(newParameters, AlgOptions.none());
  }

  /**
   * The same matrix for an algorithm with parameters, some of which are fixed.
   *
   * @param fixed the fixed values, which every case has
   */
  public Matrix withParameters(List<AlgParameter<?>> newParameters, AlgOptions fixed) {
    List<List<AlgOptions>> values = new ArrayList<>();
    if (!fixed.equals(AlgOptions.none())) {
      values.add(List.of(fixed));
    }
    Set<String> known = new HashSet<>(fixed.values().keySet());
    for (AlgParameter<?> parameter : newParameters) {
      if (known.add(parameter.name())) {
        values.add(values(parameter));
      }
    }
    return new Matrix(
        operation, topologies, counts, reductions, roots, protocols, modes, stagings, values);
  }

  private static List<AlgOptions> values(AlgParameter<?> parameter) {
    List<AlgOptions> values = new ArrayList<>(List.of(AlgOptions.none()));
    for (Object value : parameter.samples()) {
      if (!value.equals(parameter.defaultValue())) {
        values.add(AlgOptions.none().with(parameter.name(), value));
      }
    }
    return values;
  }
}
