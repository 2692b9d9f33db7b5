package dev.tutti.testkit.junit;

import dev.tutti.sdk.topology.Topology;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads topologies with repetitions: {@code 2x(4+4)} is 4+4|4+4, and {@code 3x4} is 4+4+4. */
final class GroupShape {

  private static final Pattern PODS = Pattern.compile("(\\d{1,4})x\\(([^()]*)\\)");
  private static final Pattern NODES = Pattern.compile("(\\d{1,4})x(\\d+)");

  private GroupShape() {}

  /**
   * The topology of a text.
   *
   * @throws dev.tutti.sdk.TuttiException as {@link Topology#parse}
   */
  static Topology parse(String text) {
    String shape = text.replaceAll("\\s", "");
    return Topology.parse(repeat(NODES, "+", repeat(PODS, "|", shape)));
  }

  private static String repeat(Pattern pattern, String separator, String text) {
    return pattern
        .matcher(text)
        .replaceAll(found -> repeated(found.group(1), found.group(2), separator));
  }

  private static String repeated(String times, String part, String separator) {
    return Matcher.quoteReplacement(
        String.join(separator, Collections.nCopies(Integer.parseInt(times), part)));
  }
}
