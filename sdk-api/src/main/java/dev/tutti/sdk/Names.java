package dev.tutti.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Looks names up strictly: an unknown name is an error that lists the known and the nearest one.
 */
public final class Names {

  private Names() {}

  /**
   * The error for a name that is not among the known ones.
   *
   * @param what the kind of thing that was looked up, in the singular, for example {@code "data
   *     type"}
   * @param asked the name that was given
   * @param known every known value
   * @param label how a value is called
   * @return an exception with {@link ErrorCode#UNKNOWN_NAME}, to be thrown by the caller
   */
  public static <T> TuttiException unknown(
      String what, String asked, T[] known, Function<T, String> label) {
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
   * @param known the known names, in the order in which they are to be listed
   * @return an exception with {@link ErrorCode#UNKNOWN_NAME}, to be thrown by the caller
   */
  public static TuttiException unknown(String what, String asked, List<String> known) {
    String nearest = nearest(asked, known);
    String hint = nearest == null ? "" : "; did you mean '%s'?".formatted(nearest);
    String listed = known.isEmpty() ? "none is known" : "known: " + String.join(", ", known);
    return new TuttiException(
        ErrorCode.UNKNOWN_NAME, "unknown %s '%s'%s (%s)", what, asked, hint, listed);
  }

  private static @org.jspecify.annotations.Nullable String nearest(
      String asked, List<String> known) {
    String best = null;
    int bestDistance = Math.max(2, asked.length() / 2) + 1;
    for (String name : known) {
      int distance = distance(asked.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      if (distance < bestDistance) {
        bestDistance = distance;
        best = name;
      }
    }
    return best;
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
