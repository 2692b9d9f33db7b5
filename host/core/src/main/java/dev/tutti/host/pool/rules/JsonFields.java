package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.json.JsonTree.ListNode;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.plugin.json.JsonTree.ObjectNode;
import dev.tutti.plugin.json.JsonTree.PlainNode;
import dev.tutti.plugin.json.JsonTree.TextNode;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields of a JSON object, read strictly. */
final class JsonFields {

  private final Map<String, Node> fields;
  private final String what;

  /**
   * The fields of a node.
   *
   * @param what what the node is, for messages
   * @throws TuttiException with {@link ErrorCode#INVALID_RULES} if it is no object
   */
  JsonFields(Node node, String what) {
    if (!(node instanceof ObjectNode object)) {
      throw broken(Sentence.of("%s must be an object. Actual: %s", what, node.kind()));
    }
    this.fields = object.fields();
    this.what = what;
  }

  private static TuttiException broken(String message) {
    return new TuttiException(ErrorCode.INVALID_RULES, "%s", message);
  }

  /** Refuses fields of other names. */
  void requireKnown(List<String> names) {
    for (String name : fields.keySet()) {
      if (!names.contains(name)) {
        throw Names.unknown("field of " + what, name, names);
      }
    }
  }

  /** A field, or null if there is none. */
  @Nullable Node node(String name) {
    return fields.get(name);
  }

  /** A field that has to be there. */
  Node required(String name) {
    Node node = fields.get(name);
    if (node == null) {
      throw broken(Sentence.of("%s must have a field '%s'", what, name));
    }
    return node;
  }

  /** The text of a field that has to be there. */
  String text(String name) {
    if (required(name) instanceof TextNode text) {
      return text.text();
    }
    throw broken(Sentence.of("'%s' must be a string. Actual: %s", name, required(name).kind()));
  }

  /** The number of a field that has to be there. */
  int number(String name) {
    try {
      return Integer.parseInt(plain(name));
    } catch (NumberFormatException e) {
      throw broken(Sentence.of("'%s' must be a whole number. Actual: %s", name, plain(name)));
    }
  }

  /** The number, whole or not, of a field that has to be there. */
  double decimal(String name) {
    try {
      return Double.parseDouble(plain(name));
    } catch (NumberFormatException e) {
      throw broken(Sentence.of("'%s' must be a number. Actual: %s", name, plain(name)));
    }
  }

  /** The truth value of a field that has to be there. */
  boolean flag(String name) {
    return switch (plain(name)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw broken(Sentence.of("'%s' must be true or false. Actual: %s", name, plain(name)));
    };
  }

  private String plain(String name) {
    Node node = required(name);
    return node instanceof PlainNode plain ? plain.text() : node.kind();
  }

  /** The elements of a list; none if there is no such field. */
  List<Node> list(String name) {
    Node node = fields.get(name);
    if (node == null) {
      return List.of();
    }
    if (node instanceof ListNode list) {
      return list.elements();
    }
    throw broken(Sentence.of("'%s' must be a list. Actual: %s", name, node.kind()));
  }

  /** All fields as they are written; each must be a string or a plain value. */
  Map<String, String> texts() {
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
                          Sentence.of(
                              "'%s' of %s must be a plain value. Actual: %s",
                              name, what, node.kind()));
                }));
    return texts;
  }
}
