package dev.tutti.cli.terminal;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** One JSON object on one line, with its keys in the order in which they were put. */
public final class JsonLine {

  private static final double ROUNDING = 1e6;

  private final StringWriter text = new StringWriter();
  private final JsonGenerator generator;
  private final Map<String, String> cells = new LinkedHashMap<>();

  public JsonLine() {
    generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text);
    generator.writeStartObject();
  }

  public JsonLine put(String key, @Nullable String value) {
    cells.put(key, value == null ? "" : value);
    if (value == null) {
      generator.writeNullProperty(key);
    } else {
      generator.writeStringProperty(key, value);
    }
    return this;
  }

  public JsonLine put(String key, long value) {
    cells.put(key, Long.toString(value));
    generator.writeNumberProperty(key, value);
    return this;
  }

  /** Puts a number rounded to six decimals; puts null if it is not finite. */
  public JsonLine put(String key, double value) {
    if (Double.isFinite(value)) {
      double rounded = Math.rint(value * ROUNDING) / ROUNDING;
      cells.put(key, Double.toString(rounded));
      generator.writeNumberProperty(key, rounded);
    } else {
      cells.put(key, "");
      generator.writeNullProperty(key);
    }
    return this;
  }

  /** Puts a number rounded to six decimals; puts nothing if it is not finite. */
  public JsonLine putIfMeasured(String key, double value) {
    return Double.isFinite(value) ? put(key, value) : this;
  }

  public JsonLine put(String key, boolean value) {
    cells.put(key, Boolean.toString(value));
    generator.writeBooleanProperty(key, value);
    return this;
  }

  /** Puts an array of objects, each with the given keys and the texts of one row. */
  public JsonLine putObjects(String key, String[] keys, Iterable<String[]> rows) {
    generator.writeArrayPropertyStart(key);
    for (String[] row : rows) {
      generator.writeStartObject();
      for (int i = 0; i < keys.length; i++) {
        generator.writeStringProperty(keys[i], row[i]);
      }
      generator.writeEndObject();
    }
    generator.writeEndArray();
    return this;
  }

  /** Puts an object of texts. */
  public JsonLine putObject(String key, Map<String, String> texts) {
    generator.writeObjectPropertyStart(key);
    texts.forEach(generator::writeStringProperty);
    generator.writeEndObject();
    return this;
  }

  /** Puts an array of texts. */
  public JsonLine putTexts(String key, Iterable<String> texts) {
    generator.writeArrayPropertyStart(key);
    texts.forEach(generator::writeString);
    generator.writeEndArray();
    return this;
  }

  /** Puts an array of numbers. */
  public JsonLine putNumbers(String key, Iterable<Integer> numbers) {
    generator.writeArrayPropertyStart(key);
    for (int number : numbers) {
      generator.writeNumber(number);
    }
    generator.writeEndArray();
    return this;
  }

  /** Puts an array of objects; nothing can be put into those objects afterwards. */
  public JsonLine putLines(String key, Iterable<JsonLine> lines) {
    generator.writeArrayPropertyStart(key);
    for (JsonLine line : lines) {
      generator.writeRawValue(line.toString());
    }
    generator.writeEndArray();
    return this;
  }

  /** Puts a value that is already JSON on one line; null if there is none. */
  public JsonLine putJson(String key, @Nullable String json) {
    generator.writeName(key);
    generator.writeRawValue(json == null ? "null" : json);
    return this;
  }

  /** The text of each value that is neither an object nor a list, by its key; empty for null. */
  public Map<String, String> cells() {
    return cells;
  }

  /** The object as text; nothing can be put into it afterwards. */
  @Override
  public String toString() {
    if (!generator.isClosed()) {
      generator.writeEndObject();
      generator.close();
    }
    return text.toString();
  }
}
