package dev.tutti.testkit.matrix;

import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The cases that matter for one operation: ranks × counts × types and reductions × roots ×
 * protocols × modes. Immutable; the {@code with…} methods give changed copies. In place and out of
 * place is no axis: every check does both.
 *
 * <p>{@link #cases()} gives a small set in which every value of every axis meets every value of
 * every other axis; {@link #allCases()} gives the whole product.
 *
 * @param operation the operation
 * @param topologies the groups
 * @param counts the numbers of elements, given the group
 * @param reductions element types with their reductions; of an operation that does not reduce, the
 *     types count
 * @param roots the roots, given the group
 * @param protocols how bytes cross the links
 * @param modes how the caller's memory is reached
 * @param cclBufferSize the size of the staging buffers in bytes; small, so that slices are many
 */
public record Matrix(
    Operation operation,
    List<Topology> topologies,
    List<Count> counts,
    List<Reduction> reductions,
    List<Root> roots,
    List<Protocol> protocols,
    List<WorkflowMode> modes,
    long cclBufferSize) {

  /** The staging buffers of the standard matrix: a few hundred elements. */
  public static final long SMALL_CCL_BUFFER_SIZE = 1024;

  /** Takes immutable copies. */
  public Matrix {
    topologies = List.copyOf(topologies);
    counts = List.copyOf(counts);
    reductions = List.copyOf(reductions);
    roots = List.copyOf(roots);
    protocols = List.copyOf(protocols);
    modes = List.copyOf(modes);
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

    /** As many elements as a CCL buffer holds, and some more or fewer. */
    static Count ofCclBuffer(long more) {
      return (comm, type) -> comm.cclBufferSize() / type.size() + more;
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
   * The standard matrix of an operation: 1, 2, 3, 4, 5, 7, 8, 12 and 16 ranks of one node, the
   * ragged nodes 8+4, and the ragged pods 4+4|3; counts 0, 1, one less than the ranks, odd, around
   * the size of a CCL buffer, and several buffers; every type and every reduction; the first, a
   * middle and the last root; both protocols and both modes.
   */
  public static Matrix standard(Operation operation) {
    List<Topology> groups = new ArrayList<>();
    for (String text : List.of("1", "2", "3", "4", "5", "7", "8", "12", "16", "8+4", "4+4|3")) {
      groups.add(Topology.parse(text));
    }
    if (Traits.isTransfer(operation)) {
      groups.removeFirst();
    }
    return new Matrix(
        operation,
        groups,
        Traits.hasData(operation) ? standardCounts() : List.of(Count.of(0)),
        standardReductions(operation),
        Traits.hasRoot(operation) || Traits.isTransfer(operation)
            ? List.of(comm -> 0, comm -> comm.rankSize() / 2, comm -> comm.rankSize() - 1)
            : List.of(comm -> 0),
        List.of(Protocol.DIRECT, Protocol.RDMA),
        List.of(WorkflowMode.GRAPH, WorkflowMode.OP_BASE),
        SMALL_CCL_BUFFER_SIZE);
  }

  private static List<Count> standardCounts() {
    return List.of(
        Count.of(0),
        Count.of(1),
        (comm, type) -> comm.rankSize() - 1,
        Count.of(97),
        Count.ofCclBuffer(-1),
        Count.ofCclBuffer(0),
        Count.ofCclBuffer(1),
        (comm, type) -> 3 * comm.cclBufferSize() / type.size() + 5);
  }

  private static List<Reduction> standardReductions(Operation operation) {
    List<Reduction> reductions = new ArrayList<>();
    if (!Traits.hasData(operation)) {
      return List.of(new Reduction(DataType.UINT8, ReduceOp.SUM));
    }
    for (DataType type : DataType.values()) {
      reductions.add(new Reduction(type, ReduceOp.SUM));
    }
    if (Traits.reduces(operation)) {
      for (ReduceOp op : ReduceOp.values()) {
        for (DataType type : List.of(DataType.INT32, DataType.FLOAT32, DataType.FLOAT16)) {
          if (op != ReduceOp.SUM && op.supports(type)) {
            reductions.add(new Reduction(type, op));
          }
        }
      }
    }
    return reductions;
  }

  /** The same matrix on other groups. */
  public Matrix withTopologies(List<Topology> newTopologies) {
    return new Matrix(
        operation, newTopologies, counts, reductions, roots, protocols, modes, cclBufferSize);
  }

  /** The same matrix with other counts. */
  public Matrix withCounts(List<Count> newCounts) {
    return new Matrix(
        operation, topologies, newCounts, reductions, roots, protocols, modes, cclBufferSize);
  }

  /** The same matrix with other element types and reductions. */
  public Matrix withReductions(List<Reduction> newReductions) {
    return new Matrix(
        operation, topologies, counts, newReductions, roots, protocols, modes, cclBufferSize);
  }

  /** The same matrix with other roots. */
  public Matrix withRoots(List<Root> newRoots) {
    return new Matrix(
        operation, topologies, counts, reductions, newRoots, protocols, modes, cclBufferSize);
  }

  /** The same matrix over other protocols. */
  public Matrix withProtocols(List<Protocol> newProtocols) {
    return new Matrix(
        operation, topologies, counts, reductions, roots, newProtocols, modes, cclBufferSize);
  }

  /** The same matrix in other workflow modes. */
  public Matrix withModes(List<WorkflowMode> newModes) {
    return new Matrix(
        operation, topologies, counts, reductions, roots, protocols, newModes, cclBufferSize);
  }

  /** The same matrix with CCL buffers of another size in bytes. */
  public Matrix withCclBufferSize(long bytes) {
    return new Matrix(operation, topologies, counts, reductions, roots, protocols, modes, bytes);
  }

  /** A small set of cases in which each value of an axis meets each value of every other axis. */
  public List<CollectiveCase> cases() {
    Set<CollectiveCase> cases = new LinkedHashSet<>();
    for (int[] row : Pairwise.rows(sizes())) {
      cases.add(caseAt(row));
    }
    return List.copyOf(cases);
  }

  /** Every combination of the axes' values. */
  public List<CollectiveCase> allCases() {
    int[] sizes = sizes();
    Set<CollectiveCase> cases = new LinkedHashSet<>();
    int[] row = new int[sizes.length];
    int axis = 0;
    while (axis >= 0) {
      cases.add(caseAt(row));
      axis = sizes.length - 1;
      while (axis >= 0 && ++row[axis] == sizes[axis]) {
        row[axis--] = 0;
      }
    }
    return List.copyOf(cases);
  }

  private int[] sizes() {
    return new int[] {
      topologies.size(),
      counts.size(),
      reductions.size(),
      roots.size(),
      protocols.size(),
      modes.size()
    };
  }

  private CollectiveCase caseAt(int[] row) {
    Reduction reduction = reductions.get(row[2]);
    CommInfo comm =
        CommInfo.of(0, topologies.get(row[0]))
            .withProtocol(protocols.get(row[4]))
            .withMode(modes.get(row[5]))
            .withCclBufferSize(cclBufferSize);
    return CollectiveCase.of(operation, comm.topology())
        .withComm(comm)
        .withReduction(reduction.type(), reduction.op())
        .withCount(counts.get(row[1]).in(comm, reduction.type()))
        .withRoot(roots.get(row[3]).in(comm));
  }
}
