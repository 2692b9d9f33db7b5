package dev.tutti.plugin.json;

import dev.tutti.plugin.json.JsonTree.ListNode;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.plugin.json.JsonTree.ObjectNode;
import dev.tutti.plugin.json.JsonTree.PlainNode;
import dev.tutti.plugin.json.JsonTree.TextNode;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a JSON object, read strictly: a field that is missing, unknown or of the wrong type is
 * an error with the reader's code. Not thread-safe.
 */
public final class JsonFields {

  private final Map<String, Node> fields;
  private final Set<String> read = new HashSet<>();
  private final String what;
  private final ErrorCode code;

  /**
   * The fields of a node.
   *
   * @param what the kind of the node, for messages
   * @param code the code of errors
   * @throws TuttiException with that code if it is not an object
   */
  public JsonFields(Node node, String what, ErrorCode code) {
    this.what = what;
    this.code = code;
    if (!(node instanceof ObjectNode object)) {
      throw broken("%s must be an object. Actual: %s", what, shown(node));
    }
    this.fields = object.fields();
  }

  /**
   * The fields of the one object that a text holds.
   *
   * @throws TuttiException with the code if it does not
   */
  public static JsonFields read(byte[] json, String what, ErrorCode code) {
    return new JsonFields(JsonTree.read(json, what, code), what, code);
  }

  /** The fields of a required object. */
  public JsonFields object(String name) {
    return new JsonFields(required(name), "'" + name + "'", code);
  }

  private static String shown(Node node) {
    return Names.shown(node.kind());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a dependency
  private TuttiException broken(String format, Object... arguments) {
    return new TuttiException(code, format, arguments);
  }

  /** The error for a field with a wrong value, for the caller to throw. */
  public TuttiException wrong(String name, String expected, String actual) {
    return broken("'%s' must be %s. Actual: %s", name, expected, Names.shown(actual));
  }

  /** The names of all fields, in the order of the text. */
  public List<String> names() {
    return List.copyOf(fields.keySet());
  }

  /**
   * Refuses fields with other names.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public void requireKnown(List<String> names) {
    for (String name : fields.keySet()) {
      if (!names.contains(name)) {
        throw Names.unknown("field of " + what, name, names);
      }
    }
  }

  /** Refuses fields that were not read. */
  public void end() {
    requireKnown(read.stream().sorted().toList());
  }

  /** A field, or null if there is none. */
  public @Nullable Node node(String name) {
    read.add(name);
    return fields.get(name);
  }

  /** A required field. */
  public Node required(String name) {
    Node node = node(name);
    if (node == null) {
      throw broken("%s must have a field '%s'", what, name);
    }
    return node;
  }

  /** The text of a required field. */
  public String text(String name) {
    if (required(name) instanceof TextNode text) {
      return text.text();
    }
    throw wrong(name, "a string", required(name).kind());
  }

  /** The text of a required field, or null if it is null. */
  public @Nullable String textOrNull(String name) {
    return plain(name).equals("null") ? null : text(name);
  }

  /** The number of a required field. */
  public int number(String name) {
    return parsed(name, "a whole number", Integer::valueOf);
  }

  /** The same as a 64-bit number. */
  public long longNumber(String name) {
    return parsed(name, "a whole number", Long::valueOf);
  }

  /** The number of a required field, which may be a fraction. */
  public double decimal(String name) {
    return parsed(name, "a number", Double::valueOf);
  }

  private <T> T parsed(String name, String expected, Function<String, T> parser) {
    try {
      return parser.apply(plain(name));
    } catch (NumberFormatException e) {
      throw wrong(name, expected, plain(name));
    }
  }

  /** The truth value of a required field. */
  public boolean flag(String name) {
    return switch (plain(name)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(name, "true or false", plain(name));
    };
  }

  private String plain(String name) {
    return required(name).kind();
  }

  /** The elements of a list; none if there is no such field. */
  public List<Node> list(String name) {
    Node node = node(name);
    if (node == null) {
      return List.of();
    }
    if (node instanceof ListNode list) {
      return list.elements();
    }
    throw wrong(name, "a list", node.kind());
  }

  /** The strings of a required list. */
  public List<String> strings(String name) {
    required(name);
    List<String> strings = new ArrayList<>();
    for (Node element : list(name)) {
      if (!(element instanceof TextNode text)) {
        throw wrong(name, "a list of strings", element.kind() + " in it");
      }
      strings.add(text.text());
    }
    return strings;
  }

  /** All fields as written; each must be a string or a plain value. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    fields.forEach(
        (name, node) ->
            texts.put(
                name,
                switch (node) {
                  case TextNode text -> text.text();
                  case PlainNode plain -> plain.text();
                  case ListNode _, ObjectNode _ ->
                      throw broken(
                          "'%s' of %s must be a plain value. Actual: %s", name, what, shown(node));
                }));
    return texts;
  }
}
