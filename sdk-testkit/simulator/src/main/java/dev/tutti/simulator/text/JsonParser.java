package dev.tutti.simulator.text;

import dev.tutti.sdk.TuttiException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses one JSON text, by recursive descent to a bounded depth. Serves one text. */
final class JsonParser {

  private static final int MAX_DEPTH = 64;
  private static final int MAX_DIGITS = 40;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");

  private final String file;
  private final String text;
  private int position;
  private int line = 1;
  private int lineStart;
  private int depth;

  JsonParser(String file, String text) {
    this.file = file;
    this.text = text;
  }

  Json document() {
    Json value = value("$");
    skipSpace();
    if (position < text.length()) {
      throw broken("$", "the text must end here. Actual: %s".formatted(next()));
    }
    return value;
  }

  private Json value(String path) {
    skipSpace();
    int atLine = line;
    int atColumn = position - lineStart + 1;
    Object content = content(path);
    return new Json(file, path, atLine, atColumn, content);
  }

  private @Nullable Object content(String path) {
    char c = position < text.length() ? text.charAt(position) : 0;
    return switch (c) {
      case '{', '[' -> container(path, c);
      case '"' -> {
        position++;
        yield string(path);
      }
      case 't' -> word(path, "true", true);
      case 'f' -> word(path, "false", false);
      case 'n' -> word(path, "null", null);
      default -> number(path);
    };
  }

  private Object container(String path, char bracket) {
    if (++depth > MAX_DEPTH) {
      throw broken(path, "values can be nested %d deep at most".formatted(MAX_DEPTH));
    }
    position++;
    Object container = bracket == '{' ? fields(path) : items(path);
    depth--;
    return container;
  }

  private Map<String, Json> fields(String path) {
    Map<String, Json> fields = new LinkedHashMap<>();
    while (hasNext(path, '}', fields.isEmpty())) {
      if (text.charAt(position) != '"') {
        throw broken(path, "a field name must stand here. Actual: " + next());
      }
      position++;
      String name = string(path);
      skipSpace();
      if (!takes(':')) {
        throw broken(path, "':' must follow a field name. Actual: " + next());
      }
      if (fields.put(name, value(path + "." + name)) != null) {
        throw broken(path, "the field '%s' stands twice; remove one".formatted(name));
      }
    }
    return fields;
  }

  private List<Json> items(String path) {
    List<Json> items = new ArrayList<>();
    while (hasNext(path, ']', items.isEmpty())) {
      items.add(value(path + "[" + items.size() + "]"));
    }
    return items;
  }

  /** Whether one more entry follows; takes the comma before it, or the closing bracket. */
  private boolean hasNext(String path, char closing, boolean isFirst) {
    skipSpace();
    if (takes(closing)) {
      return false;
    }
    if (!isFirst) {
      if (!takes(',')) {
        throw broken(path, "',' or '%s' must follow. Actual: %s".formatted(closing, next()));
      }
      skipSpace();
    }
    if (position == text.length() || text.charAt(position) == closing) {
      throw broken(path, "an entry must follow. Actual: " + next());
    }
    return true;
  }

  private String string(String path) {
    StringBuilder result = new StringBuilder();
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '"') {
        return result.toString();
      }
      if (c < ' ') {
        position--;
        throw broken(path, "a string must escape control characters. Actual: " + next());
      }
      result.append(c == '\\' ? escaped(path) : c);
    }
    throw broken(path, "the text ends inside a string");
  }

  private char escaped(String path) {
    char c = position < text.length() ? text.charAt(position++) : 0;
    int index = "\"\\/bfnrt".indexOf(c);
    if (index >= 0) {
      return "\"\\/\b\f\n\r\t".charAt(index);
    }
    if (c == 'u' && position + 4 <= text.length()) {
      String digits = text.substring(position, position + 4);
      if (digits.matches("[0-9a-fA-F]{4}")) {
        position += 4;
        return (char) Integer.parseInt(digits, 16);
      }
    }
    throw broken(path, "an escape must be one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
  }

  private @Nullable Object word(String path, String word, @Nullable Object value) {
    if (!text.startsWith(word, position)) {
      throw broken(path, "a value must stand here. Actual: " + next());
    }
    position += word.length();
    return value;
  }

  private BigDecimal number(String path) {
    Matcher matcher = NUMBER.matcher(text).region(position, text.length());
    if (!matcher.lookingAt()) {
      throw broken(path, "a value must stand here. Actual: " + next());
    }
    if (matcher.end() - position > MAX_DIGITS) {
      throw broken(path, "a number can have %d characters at most".formatted(MAX_DIGITS));
    }
    position = matcher.end();
    return new BigDecimal(matcher.group());
  }

  private boolean takes(char wanted) {
    boolean isThere = position < text.length() && text.charAt(position) == wanted;
    position += isThere ? 1 : 0;
    return isThere;
  }

  private void skipSpace() {
    while (position < text.length() && " \n\r\t".indexOf(text.charAt(position)) >= 0) {
      if (text.charAt(position++) == '\n') {
        line++;
        lineStart = position;
      }
    }
  }

  private String next() {
    if (position >= text.length()) {
      return "the end of the text";
    }
    char c = text.charAt(position);
    return c > ' ' && c < 0x7f ? "'" + c + "'" : "character U+%04X".formatted((int) c);
  }

  private TuttiException broken(String path, String message) {
    return new Json(file, path, line, position - lineStart + 1, null).error("%s", message);
  }
}
