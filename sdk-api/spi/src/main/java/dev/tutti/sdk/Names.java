package dev.tutti.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Makes the error for an unknown name, which lists the known names and suggests the nearest. Also
 * shortens the inputs that messages quote, so that a long input does not make a long message.
 */
public final class Names {

  /** The most characters of an input that a message quotes. */
  static final int SHOWN_CHARS = 80;

  private static final int SHOWN_NAMES = 100;

  /** A shorter input never counts as the beginning of a known name. */
  private static final int LEAST_BEGINNING = 3;

  private Names() {}

  /**
   * An input as a message quotes it: unchanged, or its beginning and its length, for example {@code
   * "aaaa… (70000 characters)"}.
   */
  public static String shown(String input) {
    Arguments.require(input, "input");
    return shown(input, SHOWN_CHARS);
  }

  /**
   * The same with another length.
   *
   * @param most the most characters to quote
   */
  public static String shown(String input, int most) {
    Arguments.require(input, "input");
    if (input.length() <= most) {
      return input;
    }
    int end = Character.isHighSurrogate(input.charAt(most - 1)) ? most - 1 : most;
    return input.substring(0, end) + "… (" + input.length() + " characters)";
  }

  /**
   * The error for a name that is not among the known ones.
   *
   * @param what the kind of thing that was looked up, in the singular, for example {@code "data
   *     type"}
   * @param asked the name that was given
   * @param known every known value
   * @param label the name of a value
   * @return an exception with {@link ErrorCode#UNKNOWN_NAME}, to be thrown by the caller
   */
  public static <T> TuttiException unknown(
      String what, String asked, T[] known, Function<T, String> label) {
    Arguments.require(what, "what");
    Arguments.require(asked, "asked");
    Arguments.require(known, "known");
    Arguments.require(label, "label");
    List<String> labels = new ArrayList<>();
    for (T value : known) {
      labels.add(label.apply(value));
    }
    return unknown(what, asked, labels);
  }

  /**
   * The error for a name that is not among the known ones.
   *
   * @param what the kind of thing that was looked up, in the singular
   * @param asked the name that was given
   * @param known the known names, in the order in which the message lists them
   * @return an exception with {@link ErrorCode#UNKNOWN_NAME}, to be thrown by the caller
   */
  public static TuttiException unknown(String what, String asked, List<String> known) {
    Arguments.require(what, "what");
    Arguments.require(asked, "asked");
    Arguments.require(known, "known");
    String nearest = nearest(asked, known);
    String hint = nearest == null ? "" : "; did you mean '%s'?".formatted(nearest);
    String listed = known.isEmpty() ? "none is known" : "known: " + listed(known);
    return new TuttiException(
        ErrorCode.UNKNOWN_NAME, "unknown %s '%s'%s (%s)", what, shown(asked), hint, listed);
  }

  private static String listed(List<String> known) {
    return known.size() <= SHOWN_NAMES
        ? String.join(", ", known)
        : String.join(", ", known.subList(0, SHOWN_NAMES)) + "… (" + known.size() + " names)";
  }

  private static @org.jspecify.annotations.Nullable String nearest(
      String asked, List<String> known) {
    if (asked.length() > SHOWN_CHARS) {
      return null;
    }
    String wanted = asked.toLowerCase(Locale.ROOT);
    String best = null;
    String begun = null;
    int bestDistance = Math.max(2, asked.length() / 2) + 1;
    for (String name : known) {
      String lower = name.toLowerCase(Locale.ROOT);
      int distance = distance(wanted, lower);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = name;
      }
      boolean isBegun = wanted.length() >= LEAST_BEGINNING && lower.startsWith(wanted);
      if (isBegun && (begun == null || name.length() < begun.length())) {
        begun = name;
      }
    }
    return begun == null || bestDistance == 1 ? best : begun;
  }

  /** Levenshtein distance with two rows. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
