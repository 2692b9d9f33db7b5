package dev.tutti.plan.json;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads JSON values one by one, in the order in which the caller expects them. Strict: no comments,
 * no trailing commas, no duplicate fields. Nothing here recurses: the caller's format bounds the
 * depth. The reader bounds the lengths of strings, numbers, white space, lists, objects and the
 * whole text, so an endless source ends with an error. Errors name the place where the last token
 * begins. Not thread-safe.
 */
public final class JsonReader {

  private static final int END = -1;

  /** Longer than any name or source line. */
  private static final int MAX_STRING = 1 << 14;

  private static final int MAX_NUMBER = 64;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");

  /** More than any format has, but few enough for a linear search by name. */
  private static final int MAX_FIELDS = 100;

  /** The most actions of a recording. */
  private static final int MAX_ENTRIES = 1 << 24;

  private static final int MAX_SPACE = 1 << 20;

  private static final long MAX_CHARS = 1L << 32;

  private final Reader source;
  private final String file;
  private final ErrorCode code;
  private final char[] buffer = new char[1 << 13];
  private int start;
  private int limit;

  private long chars;
  private long line = 1;
  private long column = 1;
  private long tokenLine = 1;
  private long tokenColumn = 1;

  private final List<Container> containers = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  /** An object or array that has been opened. */
  private static final class Container {
    private final char bracket;
    private final List<String> names = new ArrayList<>();
    private long count;
    private boolean isInsideField;

    Container(char bracket) {
      this.bracket = bracket;
    }

    String step() {
      if (bracket == '[') {
        return count == 0 ? "" : "[" + (count - 1) + "]";
      }
      return isInsideField ? "." + names.getLast() : "";
    }
  }

  /**
   * Reads from a source, which is not closed.
   *
   * @param file the name of the text in messages, for example {@code "plan file"}
   * @param code the code of all errors
   */
  public JsonReader(Reader source, String file, ErrorCode code) {
    this.source = source;
    this.file = file;
    this.code = code;
  }

  // ---- structure

  /** Opens an object. */
  public void beginObject() throws IOException {
    expect('{', "an object");
    containers.add(new Container('{'));
  }

  /** Opens an array. */
  public void beginArray() throws IOException {
    expect('[', "an array");
    containers.add(new Container('['));
  }

  /** The character with which the next value begins; -1 at the end of the text. */
  public int next() throws IOException {
    return skipSpace();
  }

  /** Whether the innermost object or array has one more entry; if not, the caller must end it. */
  public boolean hasNext() throws IOException {
    Container inner = containers.getLast();
    inner.isInsideField = false;
    char closing = inner.bracket == '{' ? '}' : ']';
    int next = skipSpace();
    if (next == closing) {
      return false;
    }
    if (inner.count > 0) {
      if (next != ',') {
        throw broken("',' or '%s' must follow. Actual: %s", closing, shown(next));
      }
      take();
      next = skipSpace();
      if (next == closing) {
        throw broken("a comma must not stand before '%s'; remove it", closing);
      }
    }
    if (inner.count == MAX_ENTRIES) {
      throw broken("a list has at most %d entries; is this the right file?", MAX_ENTRIES);
    }
    inner.count++;
    return true;
  }

  /** Ends the innermost object or array, after {@link #hasNext} has returned false. */
  public void end() throws IOException {
    take();
    containers.removeLast();
  }

  /** The name of the next field of the innermost object. */
  public String name() throws IOException {
    String name = string("a field name");
    Container inner = containers.getLast();
    if (inner.names.contains(name)) {
      throw broken("the field '%s' appears twice; remove one", Names.shown(name));
    }
    if (inner.names.size() == MAX_FIELDS) {
      throw broken("an object has at most %d fields; is this the right file?", MAX_FIELDS);
    }
    long nameLine = tokenLine;
    long nameColumn = tokenColumn;
    int next = skipSpace();
    if (next != ':') {
      throw broken("':' must follow a field name. Actual: %s", shown(next));
    }
    take();
    inner.names.add(name);
    inner.isInsideField = true;
    tokenLine = nameLine;
    tokenColumn = nameColumn;
    return name;
  }

  /** Checks that nothing but white space follows. */
  public void endOfText() throws IOException {
    int next = skipSpace();
    if (next != END) {
      throw broken("the text must end here. Actual: %s", shown(next));
    }
  }

  // ---- values

  /** A string. */
  public String string(String what) throws IOException {
    expect('"', what);
    text.setLength(0);
    while (true) {
      int c = take();
      if (c == '"') {
        return text.toString();
      }
      if (c == END) {
        throw broken("the text ends inside a string");
      }
      if (c < ' ') {
        throw broken("a string must escape control characters. Actual: %s", shown(c));
      }
      if (text.length() == MAX_STRING) {
        throw broken("a string has at most %d characters; is this the right file?", MAX_STRING);
      }
      text.append(c == '\\' ? escaped() : (char) c);
    }
  }

  private char escaped() throws IOException {
    int c = take();
    return switch (c) {
      case '"', '\\', '/' -> (char) c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = take();
          int value = digit < 128 ? Character.digit(digit, 16) : -1;
          if (value < 0) {
            throw broken("four hexadecimal digits must follow \\u. Actual: %s", shown(digit));
          }
          code = code << 4 | value;
        }
        yield (char) code;
      }
      default ->
          throw broken(
              "an escape must be one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u. Actual:"
                  + " \\ and %s",
              shown(c));
    };
  }

  /** A whole number in a range. */
  public long number(String what, long min, long max) throws IOException {
    int next = skipSpace();
    if (!beginsNumber(next)) {
      throw broken("%s must be a whole number. Actual: %s", what, shown(next));
    }
    String digits = digits();
    long value;
    try {
      value = Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw outOfRange(what, min, max, digits);
    }
    if (!digits.equals(Long.toString(value)) || value < min || value > max) {
      throw outOfRange(what, min, max, digits);
    }
    return value;
  }

  /** A number, whole or not. */
  public BigDecimal decimal(String what) throws IOException {
    int next = skipSpace();
    if (!beginsNumber(next)) {
      throw broken("%s is expected here. Actual: %s", what, shown(next));
    }
    String digits = digits();
    if (!NUMBER.matcher(digits).matches()) {
      throw broken(
          "%s must be a JSON number of at most %d characters. Actual: %s",
          what, MAX_NUMBER, digits);
    }
    return new BigDecimal(digits);
  }

  private static boolean beginsNumber(int next) {
    return next == '-' || isDigit(next);
  }

  /** The text of a number; an ellipsis replaces the rest of a long one. */
  private String digits() throws IOException {
    text.setLength(0);
    int next = peek();
    while (beginsNumber(next) || next == '+' || next == '.' || (next | 32) == 'e') {
      if (text.length() == MAX_NUMBER) {
        return text.append('…').toString();
      }
      text.append((char) take());
      next = peek();
    }
    return text.toString();
  }

  private TuttiException outOfRange(String what, long min, long max, String digits) {
    return broken("%s must be a whole number from %d to %d. Actual: %s", what, min, max, digits);
  }

  /** True or false. */
  public boolean bool(String what) throws IOException {
    int next = skipSpace();
    if (next != 't' && next != 'f') {
      throw broken("%s must be true or false. Actual: %s", what, shown(next));
    }
    word(next == 't' ? "true" : "false", what, "true or false");
    return next == 't';
  }

  /** The literal {@code null}. */
  public void nothing(String what) throws IOException {
    skipSpace();
    word("null", what, "null");
  }

  private void word(String word, String what, String expected) throws IOException {
    for (int i = 0; i < word.length(); i++) {
      if (take() != word.charAt(i)) {
        throw broken("%s must be %s", what, expected);
      }
    }
  }

  // ---- errors

  /** An error at the last token. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  public TuttiException broken(String format, Object... arguments) {
    return new TuttiException(code, "%s: %s", place(), format.formatted(arguments));
  }

  /** The place where the last token begins, for messages: file, line, column and path. */
  public String place() {
    StringBuilder path = new StringBuilder("$");
    containers.forEach(container -> path.append(container.step()));
    return file + ", line " + tokenLine + ", column " + tokenColumn + " (" + path + ")";
  }

  private static String shown(int c) {
    if (c == END) {
      return "the end of the text";
    }
    return c > ' ' && c < 0x7f ? "'" + (char) c + "'" : "character U+%04X".formatted(c);
  }

  // ---- characters

  private void expect(char wanted, String what) throws IOException {
    int next = skipSpace();
    if (next != wanted) {
      throw broken("%s is expected here. Actual: %s", what, shown(next));
    }
    take();
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Skips white space, marks the token that begins there, and returns its first character. */
  private int skipSpace() throws IOException {
    int next = peek();
    for (int space = 0; next == ' ' || next == '\n' || next == '\r' || next == '\t'; space++) {
      if (space == MAX_SPACE) {
        throw broken(
            "at most %d whitespace characters may follow each other; is this the right file?",
            MAX_SPACE);
      }
      take();
      next = peek();
    }
    tokenLine = line;
    tokenColumn = column;
    return next;
  }

  private int peek() throws IOException {
    if (start == limit) {
      start = 0;
      limit = Math.max(0, source.read(buffer));
      chars += limit;
      if (chars > MAX_CHARS) {
        throw broken("a file has at most %d characters", MAX_CHARS);
      }
      if (limit == 0) {
        return END;
      }
    }
    return buffer[start];
  }

  private int take() throws IOException {
    int c = peek();
    if (c != END) {
      start++;
      column++;
      if (c == '\n') {
        line++;
        column = 1;
      }
    }
    return c;
  }
}
