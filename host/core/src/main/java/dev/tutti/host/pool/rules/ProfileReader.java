package dev.tutti.host.pool.rules;

import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.TuttiException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Reads measurements and their provenance. */
final class ProfileReader {

  private static final List<String> SERIES =
      List.of(
          "operation",
          "ranks",
          "inPlace",
          "algorithm",
          "version",
          "parameters",
          "hopNanos",
          "micros");

  private static final List<String> PROVENANCE =
      List.of("created", "machine", "processors", "workers", "java", "spi", "plugins");

  private ProfileReader() {}

  static Series series(Node node) {
    JsonFields fields = new JsonFields(node, "a measurement", ErrorCode.INVALID_RULES);
    fields.requireKnown(SERIES);
    return new Series(
        Operation.fromLabel(fields.text("operation")),
        fields.number("ranks"),
        fields.flag("inPlace"),
        fields.text("algorithm"),
        fields.text("version"),
        fields.node("parameters") == null
            ? AlgOptions.none()
            : new AlgOptions(fields.object("parameters").texts()),
        fields.node("hopNanos") == null ? 0 : fields.number("hopNanos"),
        micros(fields.object("micros")));
  }

  private static NavigableMap<Long, Double> micros(JsonFields fields) {
    NavigableMap<Long, Double> micros = new TreeMap<>();
    for (Map.Entry<String, String> each : fields.texts().entrySet()) {
      try {
        micros.put(Long.parseLong(each.getKey()), Double.parseDouble(each.getValue()));
      } catch (NumberFormatException e) {
        throw new TuttiException(
            ErrorCode.INVALID_RULES,
            e,
            "'micros' must hold microseconds by bytes. Actual: '%s' by '%s'",
            each.getValue(),
            each.getKey());
      }
    }
    return micros;
  }

  static Provenance provenance(Node node) {
    JsonFields fields = new JsonFields(node, "'provenance'", ErrorCode.INVALID_RULES);
    fields.requireKnown(PROVENANCE);
    return new Provenance(
        fields.text("created"),
        fields.text("machine"),
        fields.number("processors"),
        fields.number("workers"),
        fields.number("java"),
        fields.text("spi"),
        fields.object("plugins").texts());
  }
}
