package dev.tutti.simulator.text;

import dev.tutti.plan.json.JsonReader;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text, with its place in the text. For small files written by hand: the error of
 * every accessor names the place of the unexpected value. Immutable.
 */
public final class Json {

  private static final int MAX_DEPTH = 64;

  private final String place;

  /** A Map of fields, a List of items, a String, a BigDecimal, a Boolean, or null. */
  private final @Nullable Object content;

  private Json(String place, @Nullable Object content) {
    this.place = place;
    this.content = content;
  }

  /**
   * Reads a text. Strict: no comments, no trailing commas, no duplicate fields, nothing after the
   * value.
   *
   * @param file the name of the text in messages, for example {@code "network file"}
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if it is not JSON
   */
  public static Json parse(String file, String text) {
    JsonReader in = new JsonReader(new StringReader(text), file, ErrorCode.INVALID_ARGUMENT);
    try {
      Json value = read(in, 0);
      in.endOfText();
      return value;
    } catch (IOException e) {
      throw new AssertionError("a StringReader gives everything", e);
    }
  }

  private static Json read(JsonReader in, int depth) throws IOException {
    int first = in.next();
    String place = in.place();
    if (depth == MAX_DEPTH && (first == '{' || first == '[')) {
      throw in.broken("values can be nested %d deep at most", MAX_DEPTH);
    }
    return new Json(
        place,
        switch (first) {
          case '{' -> readFields(in, depth);
          case '[' -> readItems(in, depth);
          case '"' -> in.string("a value");
          case 't', 'f' -> in.bool("a value");
          case 'n' -> {
            in.nothing("a value");
            yield null;
          }
          default -> in.decimal("a value");
        });
  }

  private static Map<String, Json> readFields(JsonReader in, int depth) throws IOException {
    Map<String, Json> fields = new LinkedHashMap<>();
    in.beginObject();
    while (in.hasNext()) {
      fields.put(in.name(), read(in, depth + 1));
    }
    in.end();
    return fields;
  }

  private static List<Json> readItems(JsonReader in, int depth) throws IOException {
    List<Json> items = new ArrayList<>();
    in.beginArray();
    while (in.hasNext()) {
      items.add(read(in, depth + 1));
    }
    in.end();
    return items;
  }

  /**
   * A field of this object.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_ARGUMENT} if there is none
   */
  public Json field(String name) {
    return optional(name).orElseThrow(() -> error("the field '%s' is missing", name));
  }

  /** A field of this object, if it is there. */
  public Optional<Json> optional(String name) {
    return Optional.ofNullable(fields().get(name));
  }

  /** The names of the fields of this object, in the order of the text. */
  public List<String> names() {
    return List.copyOf(fields().keySet());
  }

  /**
   * Checks that this object has no field but the known ones.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME}, suggesting the nearest name
   */
  public Json allow(String... known) {
    fields()
        .forEach(
            (name, value) -> {
              if (!List.of(known).contains(name)) {
                throw value.unknown("field", name, List.of(known));
              }
            });
    return this;
  }

  private Map<String, Json> fields() {
    if (content instanceof Map<?, ?>) {
      // Only the parser makes values, and its maps hold nothing else.
      @SuppressWarnings("unchecked")
      Map<String, Json> fields = (Map<String, Json>) content;
      return fields;
    }
    throw wrong("an object");
  }

  /** The items of this array. */
  public List<Json> items() {
    if (content instanceof List<?> list) {
      List<Json> items = new ArrayList<>();
      list.forEach(item -> items.add((Json) item));
      return items;
    }
    throw wrong("an array");
  }

  /** The text of this string. */
  public String text() {
    if (content instanceof String text) {
      return text;
    }
    throw wrong("a string");
  }

  /** This number. */
  public BigDecimal number() {
    if (content instanceof BigDecimal number) {
      return number;
    }
    throw wrong("a number");
  }

  /** This whole number, in a range. */
  public long wholeNumber(long min, long max) {
    BigDecimal number = number();
    if (number.compareTo(BigDecimal.valueOf(min)) < 0
        || number.compareTo(BigDecimal.valueOf(max)) > 0
        || number.stripTrailingZeros().scale() > 0) {
      throw error("must be a whole number from %d to %d. Actual: %s", min, max, shown());
    }
    return number.longValueExact();
  }

  /** This boolean. */
  public boolean flag() {
    if (content instanceof Boolean flag) {
      return flag;
    }
    throw wrong("true or false");
  }

  /** An error about this value, to be thrown by the caller. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  public TuttiException error(String format, @Nullable Object... arguments) {
    return new TuttiException(
        ErrorCode.INVALID_ARGUMENT, "%s: %s", place, format.formatted(arguments));
  }

  /** The error for an unknown name at this value, to be thrown by the caller. */
  public TuttiException unknown(String what, String asked, List<String> known) {
    return new TuttiException(
        ErrorCode.UNKNOWN_NAME, "%s: %s", place, Names.unknown(what, asked, known).getMessage());
  }

  private TuttiException wrong(String wanted) {
    return error("must be %s. Actual: %s", wanted, shown());
  }

  private String shown() {
    return switch (content) {
      case null -> "null";
      case Map<?, ?> fields -> "an object of " + fields.size() + " fields";
      case List<?> items -> "an array of " + items.size() + " items";
      case String text -> '"' + Names.shown(text) + '"';
      default -> Names.shown(content.toString());
    };
  }
}
