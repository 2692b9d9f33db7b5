package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.json.JsonTree;
import dev.tutti.plugin.json.JsonTree.ListNode;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.plugin.json.JsonTree.ObjectNode;
import dev.tutti.plugin.json.JsonTree.TextNode;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.capability.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads manifests strictly: a field that is unknown, missing, given twice or of the wrong type is a
 * problem, and all problems are reported at once. Thread-safe.
 */
final class ManifestReader {

  private static final List<String> FIELDS =
      List.of("id", "version", "sdk", "provider", "license", "summary", "capabilities");
  private static final int SHOWN = 20;
  private static final int LONGEST_PROBLEM = 500;

  /** The longest value, in chars; longer values would clutter every list. */
  private static final int LONGEST_VALUE = 1_000;

  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9.-]{0,63}");

  /**
   * Reads a manifest.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_MANIFEST} that lists every problem
   */
  PluginManifest read(byte[] json) {
    List<String> problems = new ArrayList<>();
    Node parsed = JsonTree.read(json, PluginManifest.PATH, ErrorCode.PLUGIN_MANIFEST);
    if (!(parsed instanceof ObjectNode root)) {
      throw broken(List.of("it must be a JSON object. Actual: " + parsed.kind()));
    }
    for (String field : root.fields().keySet()) {
      if (!FIELDS.contains(field)) {
        problems.add(
            Sentence.of("unknown field '%s'; known: %s", field, String.join(", ", FIELDS)));
      }
    }
    PluginManifest manifest =
        new PluginManifest(
            required(root, "id", problems),
            required(root, "version", problems),
            required(root, "sdk", problems),
            optional(root, "provider", problems),
            optional(root, "license", problems),
            optional(root, "summary", problems),
            texts(root, "capabilities", problems));
    if (problems.isEmpty()) {
      checkValues(manifest, problems);
    }
    if (!problems.isEmpty()) {
      throw broken(problems);
    }
    return manifest;
  }

  private static TuttiException broken(List<String> problems) {
    List<String> shown = new ArrayList<>();
    problems.stream().limit(SHOWN).map(ManifestReader::cut).forEach(shown::add);
    if (problems.size() > SHOWN) {
      shown.add(Sentence.of("and %d more", problems.size() - SHOWN));
    }
    return new TuttiException(
        ErrorCode.PLUGIN_MANIFEST,
        "%s is wrong: %s",
        PluginManifest.PATH,
        String.join("; ", shown));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_PROBLEM ? text : text.substring(0, LONGEST_PROBLEM) + "…";
  }

  private static void checkValues(PluginManifest manifest, List<String> problems) {
    if (!ID.matcher(manifest.id()).matches()) {
      problems.add(Sentence.of("'id' must match %s. Actual: '%s'", ID.pattern(), manifest.id()));
    }
    try {
      Version.parse(manifest.version());
    } catch (TuttiException e) {
      problems.add("'version': " + e.getMessage());
    }
    try {
      VersionRange.parse(manifest.sdk());
    } catch (TuttiException e) {
      problems.add("'sdk': " + e.getMessage());
    }
    checkLength("version", manifest.version(), 100, problems);
    checkLength("sdk", manifest.sdk(), 100, problems);
    checkLength("provider", manifest.provider(), LONGEST_VALUE, problems);
    checkLength("license", manifest.license(), LONGEST_VALUE, problems);
    checkLength("summary", manifest.summary(), LONGEST_VALUE, problems);
    for (String capability : manifest.capabilities()) {
      if (Capability.of(capability).isEmpty()) {
        problems.add(
            Sentence.of("unknown capability '%s'; known: %s", capability, Capability.labels()));
      }
    }
  }

  private static void checkLength(String field, String value, int longest, List<String> problems) {
    if (value.length() > longest) {
      problems.add(
          Sentence.of(
              "'%s' must have at most %d characters. Actual: %d", field, longest, value.length()));
    }
  }

  private static String required(ObjectNode root, String field, List<String> problems) {
    Node node = root.fields().get(field);
    if (node == null) {
      problems.add("field '" + field + "' is missing");
    } else if (node instanceof TextNode text && text.text().isBlank()) {
      problems.add("field '" + field + "' must not be empty");
    }
    return optional(root, field, problems);
  }

  private static String optional(ObjectNode root, String field, List<String> problems) {
    Node node = root.fields().get(field);
    if (node instanceof TextNode text) {
      return text.text();
    }
    if (node != null) {
      problems.add(Sentence.of("field '%s' must be a string. Actual: %s", field, node.kind()));
    }
    return "";
  }

  private static List<String> texts(ObjectNode root, String field, List<String> problems) {
    List<String> texts = new ArrayList<>();
    Node node = root.fields().get(field);
    if (node == null) {
      return texts;
    }
    if (!(node instanceof ListNode list)) {
      problems.add(
          Sentence.of("field '%s' must be a list of strings. Actual: %s", field, node.kind()));
      return texts;
    }
    for (Node element : list.elements()) {
      if (element instanceof TextNode text) {
        texts.add(text.text());
      } else {
        problems.add(
            Sentence.of(
                "field '%s' must be a list of strings. Actual: %s in it", field, element.kind()));
      }
    }
    return texts;
  }
}
