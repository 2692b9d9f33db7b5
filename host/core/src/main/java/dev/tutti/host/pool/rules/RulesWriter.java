package dev.tutti.host.pool.rules;

import dev.tutti.plugin.json.JsonText;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/** Writes files of rules as {@link Rules#read} reads them, a line for each rule and series. */
final class RulesWriter {

  private RulesWriter() {}

  /**
   * Writes a file atomically: a reader sees either the old contents or the new contents.
   *
   * @throws dev.tutti.sdk.TuttiException with code OUTPUT_UNWRITABLE; the file is unchanged then
   */
  static void write(Rules rules, Path file) {
    JsonFile.write(file, RulesReader.WHAT, text(rules));
  }

  static String text(Rules rules) {
    StringJoiner fields = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
    fields.add("\"format\": \"" + RulesReader.FORMAT + "\"");
    Provenance provenance = rules.provenance();
    if (provenance != null) {
      fields.add("\"provenance\": " + JsonText.object(json -> provenance(json, provenance)));
    }
    fields.add("\"rules\": " + lines(rules.rules(), RulesWriter::rule));
    fields.add("\"measurements\": " + lines(rules.profile().series(), RulesWriter::series));
    return fields.toString();
  }

  private static <T> String lines(List<T> values, Function<T, String> writer) {
    if (values.isEmpty()) {
      return "[]";
    }
    StringJoiner lines = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
    values.forEach(value -> lines.add(writer.apply(value)));
    return lines.toString();
  }

  static void provenance(JsonGenerator json, Provenance provenance) {
    json.writeStringProperty("created", provenance.created());
    json.writeStringProperty("machine", provenance.machine());
    json.writeNumberProperty("processors", provenance.processors());
    json.writeNumberProperty("workers", provenance.workers());
    json.writeNumberProperty("java", provenance.java());
    json.writeStringProperty("spi", provenance.spi());
    texts(json, "plugins", provenance.plugins());
  }

  private static void texts(JsonGenerator json, String name, Map<String, String> texts) {
    json.writeObjectPropertyStart(name);
    texts.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  private static String series(Series series) {
    return JsonText.object(
        json -> {
          json.writeStringProperty("operation", series.operation().label());
          json.writeNumberProperty("ranks", series.ranks());
          json.writeBooleanProperty("inPlace", series.inPlace());
          json.writeStringProperty("algorithm", series.algorithm());
          json.writeStringProperty("version", series.version());
          texts(json, RuleFields.PARAMETERS, series.parameters().values());
          if (series.hopNanos() > 0) {
            json.writeNumberProperty("hopNanos", series.hopNanos());
          }
          json.writeObjectPropertyStart("micros");
          series
              .micros()
              .forEach((bytes, micros) -> json.writeNumberProperty(bytes.toString(), micros));
          json.writeEndObject();
        });
  }

  private static String rule(ChoiceRule rule) {
    return JsonText.object(
        json -> {
          names(json, rule.kind().label(), rule.algorithms());
          condition(json, rule.condition());
          if (!rule.parameters().values().isEmpty()) {
            texts(json, RuleFields.PARAMETERS, rule.parameters().values());
          }
        });
  }

  private static void condition(JsonGenerator json, RuleCondition condition) {
    names(json, "operation", labels(condition.operations(), Operation::label));
    range(json, "bytes", condition.bytes());
    range(json, "ranks", condition.ranks());
    range(json, "nodes", condition.nodes());
    names(json, "type", labels(condition.types(), DataType::label));
    names(json, "reduction", labels(condition.reductions(), ReduceOp::label));
    names(json, "topology", labels(condition.topologies(), Topology::toString));
    names(json, "determinism", labels(condition.determinism(), Determinism::label));
    names(json, "mode", labels(condition.modes(), WorkflowMode::label));
    names(json, "protocol", labels(condition.protocols(), Protocol::label));
    for (CommPlane plane : CommPlane.values()) {
      Set<Protocol> ofPlane = condition.planeProtocols().getOrDefault(plane, Set.of());
      names(json, RuleFields.OF_PLANE + plane.label(), labels(ofPlane, Protocol::label));
    }
  }

  private static <T> List<String> labels(Set<T> values, Function<T, String> label) {
    return values.stream().map(label).sorted().toList();
  }

  private static void range(JsonGenerator json, String name, Range range) {
    if (!range.equals(Range.ALL)) {
      json.writeStringProperty(name, range.toString());
    }
  }

  private static void names(JsonGenerator json, String name, List<String> names) {
    if (names.size() == 1) {
      json.writeStringProperty(name, names.getFirst());
    } else if (!names.isEmpty()) {
      json.writeArrayPropertyStart(name);
      names.forEach(json::writeString);
      json.writeEndArray();
    }
  }
}
