package dev.tutti.plugin.json;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes small JSON texts. */
public final class JsonText {

  private JsonText() {}

  /** An object on one line. */
  public static String object(Consumer<JsonGenerator> fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      fields.accept(json);
      json.writeEndObject();
    }
    return text.toString();
  }
}
