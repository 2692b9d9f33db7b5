package dev.tutti.mutation;

import dev.tutti.mutation.Condition.Axis;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The kind of a wrong algorithm's conditions: the axes that they are on. */
public enum ConditionKind {
  /** The algorithm is wrong wherever the mistake can be made. */
  ALWAYS("always"),
  /** The workflow mode. */
  MODE("mode"),
  /** The protocol. */
  PROTOCOL("protocol"),
  /** One memory for input and output, or two. */
  PLACE("in place or not"),
  /** The number of rounds of OP_BASE. */
  ROUNDS("rounds"),
  /** The number of ranks, and their nodes and pods. */
  RANKS("ranks"),
  /** The count, and its relation to ranks and CCL buffers. */
  COUNT("count"),
  /** The root. */
  ROOT("root"),
  /** A parameter of the algorithm. */
  PARAMETER("parameter"),
  /** The element type, or its width. */
  TYPE("type"),
  /** The reduction. */
  REDUCTION("reduction"),
  /** Two of mode, protocol, place, rounds, ranks and count. */
  TWO_OF_EXECUTION("two of the first six"),
  /** Two axes, at least one of which is root, parameter, type or reduction. */
  TWO_OF_ALL("two, one of the others"),
  /** Three of mode, protocol, place, rounds, ranks and count. */
  THREE_OF_EXECUTION("three of the first six"),
  /** Three axes, at least one of which is root, parameter, type or reduction. */
  THREE_OF_ALL("three, one of the others");

  /** The axes that algorithms branch on most. */
  static final Set<Axis> EXECUTION =
      EnumSet.of(Axis.MODE, Axis.PROTOCOL, Axis.PLACE, Axis.ROUNDS, Axis.RANKS, Axis.COUNT);

  private final String label;

  ConditionKind(String label) {
    this.label = label;
  }

  /**
   * Whether the standard matrix promises to meet such conditions: it covers all pairs of values,
   * and triples of the first six axes.
   */
  public boolean isPromised() {
    return this != THREE_OF_ALL;
  }

  /** The kind in a few words, for tables. */
  public String label() {
    return label;
  }

  static ConditionKind of(List<Condition> conditions) {
    List<Axis> axes = conditions.stream().map(Condition::axis).toList();
    boolean isExecution = EXECUTION.containsAll(axes);
    return switch (axes.size()) {
      case 0 -> ALWAYS;
      case 1 -> valueOf(axes.getFirst().name());
      case 2 -> isExecution ? TWO_OF_EXECUTION : TWO_OF_ALL;
      default -> isExecution ? THREE_OF_EXECUTION : THREE_OF_ALL;
    };
  }
}
