package dev.tutti.cli.control;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.Names;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests and answers as lines of JSON, read strictly: a field that is unknown, missing or of
 * another type is refused. Thread-safe.
 */
final class Messages {

  /** Of the protocol; both sides must have the same. */
  static final int VERSION = 1;

  static final String VERSION_FIELD = "tutti";

  private static final String ARGUMENTS = "arguments";
  private static final String DIRECTORY = "directory";
  private static final String COLOURS = "colours";
  private static final String PROGRESS = "progress";
  private static final String PID = "pid";
  private static final String SOCKET = "socket";

  private final JsonMapper mapper =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  String write(ControlRequest request) {
    ObjectNode line = versioned();
    ArrayNode arguments = line.putArray(ARGUMENTS);
    request.arguments().forEach(arguments::add);
    return line.put(DIRECTORY, request.directory().toString())
        .put(COLOURS, request.hasColours())
        .put(PROGRESS, request.showsProgress())
        .toString();
  }

  ControlRequest readRequest(String line) throws ProtocolException {
    JsonNode root = parse(line);
    requireVersion(root);
    requireFields(root, Set.of(VERSION_FIELD, ARGUMENTS, DIRECTORY, COLOURS, PROGRESS));
    List<String> arguments = new ArrayList<>();
    JsonNode list = root.path(ARGUMENTS);
    require(list.isArray(), ARGUMENTS, "a list of texts");
    for (JsonNode argument : list) {
      require(argument.isString(), ARGUMENTS, "a list of texts");
      arguments.add(argument.stringValue());
    }
    return new ControlRequest(
        arguments, directory(root), truth(root, COLOURS), truth(root, PROGRESS));
  }

  private static Path directory(JsonNode root) throws ProtocolException {
    Path directory = path(root, DIRECTORY);
    require(directory.isAbsolute(), DIRECTORY, "an absolute path");
    return directory;
  }

  String write(Answer answer) {
    ObjectNode line = mapper.createObjectNode();
    return switch (answer) {
      case Answer.Hello hello -> versioned().put(PID, hello.pid()).toString();
      case Answer.Out out -> line.put("out", out.text()).toString();
      case Answer.Err err -> line.put("err", err.text()).toString();
      case Answer.Exit exit -> line.put("exit", exit.code()).toString();
      case Answer.Refused refused -> line.put("refused", refused.reason()).toString();
    };
  }

  Answer readAnswer(String line) throws ProtocolException {
    JsonNode root = parse(line);
    if (root.has(VERSION_FIELD)) {
      requireVersion(root);
      requireFields(root, Set.of(VERSION_FIELD, PID));
      return new Answer.Hello(number(root, PID));
    }
    if (root.size() != 1) {
      throw new ProtocolException("an answer has one field. Actual: " + Names.shown(line));
    }
    String kind = root.propertyNames().iterator().next();
    return switch (kind) {
      case "out" -> new Answer.Out(text(root, kind));
      case "err" -> new Answer.Err(text(root, kind));
      case "exit" -> new Answer.Exit((int) number(root, kind));
      case "refused" -> new Answer.Refused(text(root, kind));
      default -> throw new ProtocolException("unknown answer '" + kind + "'");
    };
  }

  /** Where a host can be reached. */
  String write(ControlAddress address) {
    return versioned().put(PID, address.pid()).put(SOCKET, address.socket().toString()).toString();
  }

  ControlAddress readAddress(String text) throws ProtocolException {
    JsonNode root = parse(text);
    requireVersion(root);
    requireFields(root, Set.of(VERSION_FIELD, PID, SOCKET));
    return new ControlAddress(number(root, PID), path(root, SOCKET));
  }

  private ObjectNode versioned() {
    return mapper.createObjectNode().put(VERSION_FIELD, VERSION);
  }

  private JsonNode parse(String line) throws ProtocolException {
    JsonNode root;
    try {
      root = mapper.readTree(line);
    } catch (JacksonException e) {
      throw new ProtocolException("a line must be JSON: " + e.getOriginalMessage());
    }
    if (!root.isObject()) {
      throw new ProtocolException("a line must be one JSON object. Actual: " + Names.shown(line));
    }
    return root;
  }

  private static void requireVersion(JsonNode root) throws ProtocolException {
    long version = number(root, VERSION_FIELD);
    if (version != VERSION) {
      throw new ProtocolException(
          Sentence.of(
              "the two sides speak different versions, %d and %d; use one version of Tutti for both",
              VERSION, version));
    }
  }

  private static void requireFields(JsonNode root, Set<String> known) throws ProtocolException {
    for (String field : root.propertyNames()) {
      if (!known.contains(field)) {
        throw new ProtocolException("unknown field '" + field + "'");
      }
    }
  }

  private static String text(JsonNode root, String field) throws ProtocolException {
    require(root.path(field).isString(), field, "a text");
    return root.path(field).stringValue();
  }

  private static Path path(JsonNode root, String field) throws ProtocolException {
    try {
      return Path.of(text(root, field));
    } catch (InvalidPathException e) {
      throw new ProtocolException(Sentence.of("'%s' must be a path: %s", field, e.getMessage()));
    }
  }

  private static long number(JsonNode root, String field) throws ProtocolException {
    require(root.path(field).isIntegralNumber(), field, "a whole number");
    require(root.path(field).canConvertToLong(), field, "a whole number of 64 bits");
    return root.path(field).longValue();
  }

  private static boolean truth(JsonNode root, String field) throws ProtocolException {
    require(root.path(field).isBoolean(), field, "true or false");
    return root.path(field).booleanValue();
  }

  private static void require(boolean isRight, String field, String expected)
      throws ProtocolException {
    if (!isRight) {
      throw new ProtocolException("'" + field + "' must be " + expected);
    }
  }
}
