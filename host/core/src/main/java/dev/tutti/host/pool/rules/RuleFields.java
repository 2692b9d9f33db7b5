package dev.tutti.host.pool.rules;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fields of one rule as text, from a file or a line, and the rule that they describe. */
final class RuleFields {

  static final String PARAMETERS = "parameters";

  private static final List<String> CONDITIONS =
      List.of(
          "operation",
          "bytes",
          "ranks",
          "nodes",
          "type",
          "reduction",
          "topology",
          "determinism",
          "mode",
          "protocol");

  /** The prefix of fields for the protocol of one plane, as in {@code protocol.level1}. */
  static final String OF_PLANE = "protocol.";

  private static final List<String> PLANES =
      Stream.of(CommPlane.values()).map(plane -> OF_PLANE + plane.label()).toList();

  private static final List<String> KINDS =
      Stream.of(RuleKind.values()).map(RuleKind::label).toList();

  /** All names of fields. */
  static final List<String> NAMES =
      Stream.of(KINDS, CONDITIONS, PLANES, List.of(PARAMETERS)).flatMap(List::stream).toList();

  private final String origin;
  private final Map<String, List<String>> fields = new LinkedHashMap<>();
  private final Map<String, String> parameters = new LinkedHashMap<>();

  RuleFields(String origin) {
    this.origin = origin;
  }

  /** Adds a field with one or more values. */
  void put(String name, List<String> values) {
    if (!NAMES.contains(name)) {
      throw Names.unknown("field of a rule", name, NAMES);
    }
    if (values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES, "'%s' must have a value; leave it out to allow all", name);
    }
    if (fields.put(name, values) != null) {
      throw new TuttiException(ErrorCode.INVALID_RULES, "'%s' is given twice", name);
    }
  }

  /** Adds a value for a parameter of the algorithm. */
  void putParameter(String name, String value) {
    if (parameters.put(name, value) != null) {
      throw new TuttiException(ErrorCode.INVALID_RULES, "parameter '%s' is given twice", name);
    }
  }

  /**
   * The rule.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} or {@link ErrorCode#UNKNOWN_NAME}
   */
  ChoiceRule toRule() {
    List<String> kinds = KINDS.stream().filter(fields::containsKey).toList();
    if (kinds.size() != 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES,
          "a rule must have exactly one of %s. Actual: %s",
          String.join(", ", KINDS),
          kinds.isEmpty() ? "none" : String.join(", ", kinds));
    }
    String kind = kinds.getFirst();
    return new ChoiceRule(
        RuleKind.values()[KINDS.indexOf(kind)],
        values(kind),
        condition(),
        new AlgOptions(parameters),
        origin);
  }

  private List<String> values(String name) {
    return fields.getOrDefault(name, List.of());
  }

  private RuleCondition condition() {
    return new RuleCondition(
        set("operation", RuleFields::operation),
        range("bytes"),
        range("ranks"),
        range("nodes"),
        set("type", DataType::fromLabel),
        set("reduction", ReduceOp::fromLabel),
        set("topology", Topology::parse),
        set("determinism", Determinism::fromLabel),
        set("mode", WorkflowMode::fromLabel),
        set("protocol", Protocol::fromLabel),
        planeProtocols());
  }

  private Map<CommPlane, Set<Protocol>> planeProtocols() {
    Map<CommPlane, Set<Protocol>> planes = new EnumMap<>(CommPlane.class);
    for (CommPlane plane : CommPlane.values()) {
      Set<Protocol> protocols = set(OF_PLANE + plane.label(), Protocol::fromLabel);
      if (!protocols.isEmpty()) {
        planes.put(plane, protocols);
      }
    }
    return planes;
  }

  /** The operation of a label. Transfers are chosen by the sender's operation. */
  private static Operation operation(String label) {
    Operation operation = Operation.fromLabel(label);
    return operation == Operation.RECEIVE ? Operation.SEND : operation;
  }

  private <T> Set<T> set(String name, Function<String, T> reader) {
    return values(name).stream().map(reader).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Range range(String name) {
    List<String> values = values(name);
    if (values.size() > 1) {
      throw new TuttiException(
          ErrorCode.INVALID_RULES, "'%s' must be one range. Actual: %s", name, values);
    }
    return values.isEmpty() ? Range.ALL : Range.parse(values.getFirst());
  }
}
