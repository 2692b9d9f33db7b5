package dev.tutti.cli.control;

import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonText;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/**
 * Requests and answers as lines of JSON, read strictly: a field that is unknown, missing or of
 * another type is refused. Thread-safe.
 */
final class Messages {

  /** The version of the protocol; both sides must have the same. */
  static final int VERSION = 1;

  static final String VERSION_FIELD = "tutti";

  private static final String ARGUMENTS = "arguments";
  private static final String DIRECTORY = "directory";
  private static final String COLOURS = "colours";
  private static final String PROGRESS = "progress";
  private static final String PID = "pid";
  private static final String SOCKET = "socket";

  String write(ControlRequest request) {
    return versioned(
        json -> {
          json.writeArrayPropertyStart(ARGUMENTS);
          request.arguments().forEach(json::writeString);
          json.writeEndArray();
          json.writeStringProperty(DIRECTORY, request.directory().toString());
          json.writeBooleanProperty(COLOURS, request.hasColours());
          json.writeBooleanProperty(PROGRESS, request.showsProgress());
        });
  }

  ControlRequest readRequest(String line) throws ProtocolException {
    return read(
        line,
        fields -> {
          requireVersion(fields);
          fields.requireKnown(List.of(VERSION_FIELD, ARGUMENTS, DIRECTORY, COLOURS, PROGRESS));
          List<String> arguments = fields.strings(ARGUMENTS);
          Path directory = path(fields, DIRECTORY);
          if (!directory.isAbsolute()) {
            throw fields.wrong(DIRECTORY, "an absolute path", directory.toString());
          }
          return new ControlRequest(
              arguments, directory, fields.flag(COLOURS), fields.flag(PROGRESS));
        });
  }

  String write(Answer answer) {
    return switch (answer) {
      case Answer.Hello hello -> versioned(json -> json.writeNumberProperty(PID, hello.pid()));
      case Answer.Out out -> JsonText.object(json -> json.writeStringProperty("out", out.text()));
      case Answer.Err err -> JsonText.object(json -> json.writeStringProperty("err", err.text()));
      case Answer.Exit exit ->
          JsonText.object(json -> json.writeNumberProperty("exit", exit.code()));
      case Answer.Refused refused ->
          JsonText.object(json -> json.writeStringProperty("refused", refused.reason()));
    };
  }

  Answer readAnswer(String line) throws ProtocolException {
    return read(line, Messages::answer);
  }

  private static Answer answer(JsonFields fields) {
    if (fields.node(VERSION_FIELD) != null) {
      requireVersion(fields);
      fields.requireKnown(List.of(VERSION_FIELD, PID));
      return new Answer.Hello(fields.longNumber(PID));
    }
    if (fields.names().size() != 1) {
      throw broken("an answer has one field. Actual: %d", fields.names().size());
    }
    String kind = fields.names().getFirst();
    return switch (kind) {
      case "out" -> new Answer.Out(fields.text(kind));
      case "err" -> new Answer.Err(fields.text(kind));
      case "exit" -> new Answer.Exit(fields.number(kind));
      case "refused" -> new Answer.Refused(fields.text(kind));
      default -> throw broken("unknown answer '%s'", Names.shown(kind));
    };
  }

  /** Writes the address of a host. */
  String write(ControlAddress address) {
    return versioned(
        json -> {
          json.writeNumberProperty(PID, address.pid());
          json.writeStringProperty(SOCKET, address.socket().toString());
        });
  }

  ControlAddress readAddress(String text) throws ProtocolException {
    return read(
        text,
        fields -> {
          requireVersion(fields);
          fields.requireKnown(List.of(VERSION_FIELD, PID, SOCKET));
          return new ControlAddress(fields.longNumber(PID), path(fields, SOCKET));
        });
  }

  private static String versioned(Consumer<JsonGenerator> fields) {
    return JsonText.object(
        json -> {
          json.writeNumberProperty(VERSION_FIELD, VERSION);
          fields.accept(json);
        });
  }

  private static <T> T read(String line, Function<JsonFields, T> reader) throws ProtocolException {
    try {
      byte[] json = line.getBytes(StandardCharsets.UTF_8);
      return reader.apply(JsonFields.read(json, "a line", ErrorCode.HOST_UNREACHABLE));
    } catch (TuttiException e) {
      throw new ProtocolException(String.valueOf(e.getMessage()));
    }
  }

  private static TuttiException broken(String format, Object... arguments) {
    return new TuttiException(ErrorCode.HOST_UNREACHABLE, format, arguments);
  }

  private static void requireVersion(JsonFields fields) {
    long version = fields.longNumber(VERSION_FIELD);
    if (version != VERSION) {
      throw broken(
          "the two sides speak different versions, %d and %d; use one version of Tutti for both",
          VERSION, version);
    }
  }

  private static Path path(JsonFields fields, String field) {
    try {
      return Path.of(fields.text(field));
    } catch (InvalidPathException e) {
      throw broken("'%s' must be a path: %s", field, String.valueOf(e.getMessage()));
    }
  }
}
