package dev.tutti.verifier.matrix;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Cases as text: the operation, then fields {@code name=value}, all separated by semicolons. The
 * field {@code protocol.level1} sets the protocol of one plane, and {@code param.radix} sets a
 * parameter of the algorithm.
 */
final class CaseToken {

  private static final String PLANE = "protocol.";
  private static final String PARAM = "param.";
  private static final List<String> FIELDS =
      List.of(
          "ranks",
          "count",
          "type",
          "op",
          "root",
          "in-place",
          "mode",
          "protocol",
          "determinism",
          "ccl",
          "seed");

  private CaseToken() {}

  static String write(CollectiveCase c) {
    StringJoiner token = new StringJoiner(";");
    token.add(c.operation().label());
    fields(c).forEach((name, value) -> token.add(name + "=" + value));
    return token.toString();
  }

  static String describe(CollectiveCase c) {
    StringJoiner text = new StringJoiner(" ");
    text.add(c.operation().label());
    fields(c)
        .forEach(
            (name, value) ->
                text.add(
                    switch (name) {
                      case "type", "op", "mode", "protocol" -> value;
                      case "in-place" -> name;
                      default -> name + "=" + value;
                    }));
    return text.toString();
  }

  /** The fields that differ from the defaults, and those that are always shown. */
  private static Map<String, String> fields(CollectiveCase c) {
    CollectiveCase normal = CollectiveCase.of(c.operation(), c.topology());
    CommInfo comm = c.comm();
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("ranks", c.topology().toString().replace(" ", ""));
    if (Traits.hasData(c.operation())) {
      fields.put("count", Long.toString(c.count()));
      fields.put("type", c.dataType().label());
    }
    if (Traits.reduces(c.operation())) {
      fields.put("op", c.reduceOp().label());
    }
    if (Traits.hasRoot(c.operation()) || Traits.isTransfer(c.operation())) {
      fields.put("root", Integer.toString(c.root()));
    }
    if (c.inPlace()) {
      fields.put("in-place", "true");
    }
    fields.put("mode", comm.mode().label());
    fields.put("protocol", comm.protocol().label());
    comm.planeProtocols()
        .forEach((plane, protocol) -> fields.put(PLANE + plane.label(), protocol.label()));
    if (comm.determinism() != normal.comm().determinism()) {
      fields.put("determinism", comm.determinism().label());
    }
    if (comm.cclBufferSize() != normal.comm().cclBufferSize()) {
      fields.put("ccl", Long.toString(comm.cclBufferSize()));
    }
    c.options().values().forEach((name, value) -> fields.put(PARAM + name, value));
    if (c.seed() != normal.seed()) {
      fields.put("seed", Long.toString(c.seed()));
    }
    return fields;
  }

  static CollectiveCase read(String token) {
    List<String> parts = new ArrayList<>(List.of(token.strip().split(";", -1)));
    Operation operation = Operation.fromLabel(parts.removeFirst());
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : parts) {
      int at = part.indexOf('=');
      String name = at < 0 ? part : part.substring(0, at);
      if (!FIELDS.contains(name) && !name.startsWith(PLANE) && !name.startsWith(PARAM)) {
        throw Names.unknown("field of a case", name, known(name));
      }
      if (at < 0 || fields.put(name, part.substring(at + 1)) != null) {
        throw new TuttiException(
            ErrorCode.INVALID_ARGUMENT,
            "each field of a case must be given once as name=value. Actual: '%s' in '%s'",
            part,
            token);
      }
    }
    return read(operation, fields);
  }

  /**
   * All fields. They include a parameter of the algorithm with the name that the unknown field may
   * mean.
   */
  private static List<String> known(String unknown) {
    List<String> known = new ArrayList<>(FIELDS);
    for (CommPlane plane : CommPlane.values()) {
      known.add(PLANE + plane.label());
    }
    int dot = unknown.indexOf('.');
    known.add(PARAM + (dot < 0 ? "<name>" : unknown.substring(dot + 1)));
    return known;
  }

  private static CollectiveCase read(Operation operation, Map<String, String> fields) {
    CollectiveCase c =
        CollectiveCase.of(operation, Topology.parse(fields.getOrDefault("ranks", "4")));
    CommInfo comm = c.comm();
    Map<String, String> options = new LinkedHashMap<>();
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String name = field.getKey();
      String value = field.getValue();
      if (name.startsWith(PLANE)) {
        CommPlane plane = CommPlane.fromLabel(name.substring(PLANE.length()));
        comm = comm.withProtocol(plane, Protocol.fromLabel(value));
      } else if (name.startsWith(PARAM)) {
        options.put(name.substring(PARAM.length()), value);
      } else if (name.equals("mode")) {
        comm = comm.withMode(WorkflowMode.fromLabel(value));
      } else if (name.equals("protocol")) {
        comm = comm.withProtocol(Protocol.fromLabel(value));
      } else if (name.equals("determinism")) {
        comm = comm.withDeterminism(Determinism.fromLabel(value));
      } else if (name.equals("ccl")) {
        comm = comm.withCclBufferSize(number(name, value));
      }
    }
    return new CollectiveCase(
        operation,
        comm,
        number("count", fields.getOrDefault("count", Long.toString(c.count()))),
        DataType.fromLabel(fields.getOrDefault("type", c.dataType().label())),
        ReduceOp.fromLabel(fields.getOrDefault("op", c.reduceOp().label())),
        (int) Math.min(number("root", fields.getOrDefault("root", "0")), Integer.MAX_VALUE),
        truth("in-place", fields.getOrDefault("in-place", "false")),
        new AlgOptions(options),
        number("seed", fields.getOrDefault("seed", Long.toString(c.seed()))));
  }

  private static boolean truth(String name, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, "%s must be true or false. Actual: '%s'", name, value);
    }
    return value.equals("true");
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new TuttiException(
          ErrorCode.INVALID_ARGUMENT, e, "%s must be a whole number. Actual: '%s'", name, value);
    }
  }
}
