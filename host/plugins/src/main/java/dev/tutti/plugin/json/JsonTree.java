package dev.tutti.plugin.json;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a small JSON text into objects, lists, texts and plain values. Reading tokens starts five
 * times as fast as an object mapper.
 */
public final class JsonTree {

  /** The place that the parser adds to a message, although it does not know it. */
  private static final Pattern PLACE = Pattern.compile(" \\(start marker at \\[Source:.*]\\)");

  private static final int MAX_DEPTH = 64;
  private static final int MAX_REASON = 500;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private JsonTree() {}

  /** A value of JSON. */
  public sealed interface Node {
    /** The kind of the value, for messages. */
    String kind();

    /** The line on which it begins, from 1. */
    int line();
  }

  /** An object. */
  public record ObjectNode(Map<String, Node> fields, int line) implements Node {
    @Override
    public String kind() {
      return "an object";
    }
  }

  /** A list. */
  public record ListNode(List<Node> elements, int line) implements Node {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** A string. */
  public record TextNode(String text, int line) implements Node {
    @Override
    public String kind() {
      return "a string";
    }
  }

  /** A number, a truth value or null, as written. */
  public record PlainNode(String text, int line) implements Node {
    @Override
    public String kind() {
      return text;
    }
  }

  /**
   * Reads a text that holds one value, nested at most 64 deep; the caller limits its length.
   *
   * @param what the kind of the text, for messages
   * @throws TuttiException with the code if it is not JSON, an object has a field twice, or
   *     anything follows the value
   */
  public static Node read(byte[] json, String what, ErrorCode code) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      Node node = parser.nextToken() == null ? null : node(parser);
      if (node == null || parser.nextToken() != null) {
        throw new TuttiException(
            code,
            "%s must hold one JSON object and nothing else%s",
            what,
            node == null ? ". Actual: it is empty" : "");
      }
      return node;
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new TuttiException(
          code,
          e,
          "%s is not valid JSON%s: %s",
          what,
          at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr(),
          Names.shown(
              PLACE.matcher(String.valueOf(e.getOriginalMessage())).replaceAll(""), MAX_REASON));
    }
  }

  private static Node node(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> list(parser);
      case VALUE_STRING -> new TextNode(parser.getString(), line(parser));
      default -> new PlainNode(parser.getString(), line(parser));
    };
  }

  private static int line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  private static Node object(JsonParser parser) {
    int line = line(parser);
    Map<String, Node> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, node(parser));
    }
    return new ObjectNode(fields, line);
  }

  private static Node list(JsonParser parser) {
    int line = line(parser);
    List<Node> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(node(parser));
    }
    return new ListNode(elements, line);
  }
}
