package dev.tutti.verifier.matrix;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.Topology;
import dev.tutti.verifier.matrix.Matrix.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The numbered values of a matrix, and the cases that they form. */
final class Axes {

  static final int GROUP = 0;
  static final int COUNT = 1;
  static final int REDUCTION = 2;
  static final int ROOT = 3;
  static final int PROTOCOL = 4;
  static final int WORKFLOW = 5;
  static final int BLOCKS = 6;
  static final int FIRST_PARAMETER = 7;

  private final Matrix matrix;
  private final List<Workflow> workflows = new ArrayList<>();
  private final List<List<CommInfo>> comms = new ArrayList<>();
  private final int[] sizes;
  private final int[] firstOfType;

  /** A mode with the size of the staging buffers, which matters in OP_BASE mode only. */
  private record Workflow(WorkflowMode mode, Staging staging) {}

  Axes(Matrix matrix) {
    this.matrix = matrix;
    this.firstOfType = firstsOfTypes();
    for (WorkflowMode mode : matrix.modes()) {
      for (Staging staging : mode == WorkflowMode.GRAPH ? ends(matrix) : matrix.stagings()) {
        workflows.add(new Workflow(mode, staging));
      }
    }
    for (Topology topology : matrix.topologies()) {
      List<CommInfo> ofGroup = new ArrayList<>();
      for (Protocol protocol : matrix.protocols()) {
        ofGroup.add(CommInfo.of(0, topology).withProtocol(protocol));
      }
      comms.add(ofGroup);
    }
    List<List<AlgOptions>> parameters = matrix.parameters();
    this.sizes = new int[FIRST_PARAMETER + parameters.size()];
    sizes[GROUP] = matrix.topologies().size();
    sizes[COUNT] = matrix.counts().size();
    sizes[REDUCTION] = matrix.reductions().size();
    sizes[ROOT] = matrix.roots().size();
    sizes[PROTOCOL] = matrix.protocols().size();
    sizes[WORKFLOW] = workflows.size();
    sizes[BLOCKS] = Traits.isVForm(matrix.operation()) ? 2 : 1;
    for (int i = 0; i < parameters.size(); i++) {
      sizes[FIRST_PARAMETER + i] = parameters.get(i).size();
    }
  }

  /** The number of values of each axis. */
  int[] sizes() {
    return sizes;
  }

  /** The values of each parameter. */
  List<List<AlgOptions>> parameters() {
    return matrix.parameters();
  }

  /** Whether some axis has no values, so that there is no case. */
  boolean isEmpty() {
    return Arrays.stream(sizes).anyMatch(size -> size == 0);
  }

  /**
   * The smallest set of sizes for GRAPH mode, which does not use the buffers: the result must not
   * depend on whether they could hold the vector.
   */
  private static Set<Staging> ends(Matrix matrix) {
    List<Staging> all = matrix.stagings();
    return all.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(all.getFirst(), all.getLast()));
  }

  private int[] firstsOfTypes() {
    List<DataType> types = matrix.reductions().stream().map(Reduction::type).toList();
    return types.stream().mapToInt(types::indexOf).toArray();
  }

  /** The first reduction of the same element type. */
  int firstOfType(int reduction) {
    return firstOfType[reduction];
  }

  /** The case with the values that a row numbers. */
  CollectiveCase caseAt(int... row) {
    Reduction reduction = matrix.reductions().get(row[REDUCTION]);
    Workflow workflow = workflows.get(row[WORKFLOW]);
    CommInfo comm = comms.get(row[GROUP]).get(row[PROTOCOL]).withMode(workflow.mode());
    AlgOptions options = AlgOptions.none();
    for (int i = 0; i < matrix.parameters().size(); i++) {
      AlgOptions values = matrix.parameters().get(i).get(row[FIRST_PARAMETER + i]);
      for (String name : values.values().keySet()) {
        options = options.with(name, values.values().get(name));
      }
    }
    CollectiveCase c =
        new CollectiveCase(
            matrix.operation(),
            comm,
            matrix.counts().get(row[COUNT]).in(comm, reduction.type()),
            reduction.type(),
            reduction.op(),
            matrix.roots().get(row[ROOT]).in(comm),
            false,
            options,
            1 + row[BLOCKS]);
    return c.withCclBufferSize(workflow.staging().bytes(c));
  }

  /**
   * Visits each combination of the values. GRAPH mode gets only one buffer size. At most one
   * parameter at a time has another value than its first.
   *
   * @param action receives the row; the same array is reused for each call
   */
  void forEachRow(Consumer<int[]> action) {
    if (isEmpty()) {
      return;
    }
    int[] row = new int[sizes.length];
    int axis = 0;
    while (axis >= 0) {
      if (isSpare(workflows.get(row[WORKFLOW]))) {
        axis = next(row);
        continue;
      }
      action.accept(row);
      for (int parameter = FIRST_PARAMETER; parameter < sizes.length; parameter++) {
        for (row[parameter] = 1; row[parameter] < sizes[parameter]; row[parameter]++) {
          action.accept(row);
        }
        row[parameter] = 0;
      }
      axis = next(row);
    }
  }

  /**
   * Changes the row to the next one with the first values of all parameters; negative after the
   * last row.
   */
  private int next(int[] row) {
    int axis = FIRST_PARAMETER - 1;
    while (axis >= 0 && ++row[axis] == sizes[axis]) {
      row[axis--] = 0;
    }
    return axis;
  }

  private boolean isSpare(Workflow workflow) {
    return workflow.mode() == WorkflowMode.GRAPH
        && !workflow.staging().equals(matrix.stagings().getFirst());
  }
}
