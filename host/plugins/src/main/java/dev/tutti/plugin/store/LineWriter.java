package dev.tutti.plugin.store;

import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a line of the journal: a JSON object with its fields in the order of the calls. */
final class LineWriter {

  private final StringWriter text = new StringWriter();
  private final JsonGenerator generator =
      new JsonFactory().createGenerator(ObjectWriteContext.empty(), text);

  LineWriter() {
    generator.writeStartObject();
  }

  LineWriter put(String field, @Nullable String value) {
    if (value == null) {
      generator.writeNullProperty(field);
    } else {
      generator.writeStringProperty(field, value);
    }
    return this;
  }

  LineWriter put(String field, long value) {
    generator.writeNumberProperty(field, value);
    return this;
  }

  LineWriter put(String field, boolean value) {
    generator.writeBooleanProperty(field, value);
    return this;
  }

  LineWriter put(String field, List<String> values) {
    generator.writeArrayPropertyStart(field);
    values.forEach(generator::writeString);
    generator.writeEndArray();
    return this;
  }

  /** Ends the line, and adds its checksum. */
  byte[] toBytes() {
    generator.writeEndObject();
    generator.close();
    return Seal.put(Texts.escapeLoneSurrogates(text.toString()));
  }
}
