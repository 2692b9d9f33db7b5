package dev.tutti.plugin.store;

import dev.tutti.base.text.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a line of the journal strictly: each field must be there with its type, and no other. What
 * is wrong is a {@link LineException}.
 */
final class LineReader {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode line;
  private final Set<String> read = new HashSet<>();

  LineReader(String json) {
    try {
      line = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new LineException("it is not valid JSON: " + e.getOriginalMessage());
    }
  }

  String text(String field) {
    JsonNode value = field(field);
    if (!value.isString()) {
      throw wrong(field, "a string", value);
    }
    return value.stringValue();
  }

  @Nullable String textOrNull(String field) {
    return field(field).isNull() ? null : text(field);
  }

  long number(String field) {
    JsonNode value = field(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw wrong(field, "a whole number", value);
    }
    return value.longValue();
  }

  boolean isTrue(String field) {
    JsonNode value = field(field);
    if (!value.isBoolean()) {
      throw wrong(field, "true or false", value);
    }
    return value.booleanValue();
  }

  List<String> texts(String field) {
    JsonNode value = field(field);
    List<String> texts = new ArrayList<>();
    for (JsonNode element : value) {
      if (!element.isString()) {
        throw wrong(field, "a list of strings", value);
      }
      texts.add(element.stringValue());
    }
    if (!value.isArray()) {
      throw wrong(field, "a list of strings", value);
    }
    return texts;
  }

  /** Refuses fields that were not asked for. */
  void end() {
    for (String field : line.propertyNames()) {
      if (!read.contains(field)) {
        throw new LineException("this host does not know its field '" + field + "'");
      }
    }
  }

  private JsonNode field(String field) {
    JsonNode value = line.get(field);
    if (value == null) {
      throw new LineException("it has no field '" + field + "'");
    }
    read.add(field);
    return value;
  }

  private static LineException wrong(String field, String expected, JsonNode actual) {
    return new LineException(
        Sentence.of("its field '%s' must be %s. Actual: %s", field, expected, actual));
  }
}
