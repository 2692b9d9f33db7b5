package dev.tutti.host.plugin;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads manifests strictly: a field that is unknown, missing, given twice or of the wrong type is a
 * problem, and all problems are reported at once. Thread-safe.
 */
final class ManifestReader {

  private static final List<String> FIELDS =
      List.of("id", "version", "sdk", "provider", "license", "summary", "capabilities");
  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9.-]{0,63}");

  private final JsonMapper mapper =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Reads a manifest.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_MANIFEST} that lists every problem
   */
  PluginManifest read(byte[] json) {
    List<String> problems = new ArrayList<>();
    JsonNode root = parse(json);
    if (!root.isObject()) {
      throw broken(List.of("it must be a JSON object. Actual: " + kind(root)));
    }
    for (Map.Entry<String, JsonNode> field : root.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        problems.add(
            "unknown field '%s'; known: %s".formatted(field.getKey(), String.join(", ", FIELDS)));
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

  private JsonNode parse(byte[] json) {
    try {
      return mapper.readTree(json);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String where =
          at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new TuttiException(
          ErrorCode.PLUGIN_MANIFEST,
          e,
          "%s is not valid JSON%s: %s",
          PluginManifest.PATH,
          where,
          e.getOriginalMessage());
    }
  }

  private static TuttiException broken(List<String> problems) {
    return new TuttiException(
        ErrorCode.PLUGIN_MANIFEST,
        "%s is wrong: %s",
        PluginManifest.PATH,
        String.join("; ", problems));
  }

  private static void checkValues(PluginManifest manifest, List<String> problems) {
    if (!ID.matcher(manifest.id()).matches()) {
      problems.add("'id' must match %s. Actual: '%s'".formatted(ID.pattern(), manifest.id()));
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
  }

  private static String required(JsonNode root, String field, List<String> problems) {
    if (!root.has(field)) {
      problems.add("field '" + field + "' is missing");
      return "";
    }
    String value = optional(root, field, problems);
    if (root.path(field).isString() && value.isBlank()) {
      problems.add("field '" + field + "' must not be empty");
    }
    return value;
  }

  private static String optional(JsonNode root, String field, List<String> problems) {
    JsonNode value = root.path(field);
    if (value.isMissingNode()) {
      return "";
    }
    if (!value.isString()) {
      problems.add("field '%s' must be a string. Actual: %s".formatted(field, kind(value)));
      return "";
    }
    return value.stringValue();
  }

  private static List<String> texts(JsonNode root, String field, List<String> problems) {
    List<String> texts = new ArrayList<>();
    JsonNode value = root.path(field);
    if (value.isMissingNode()) {
      return texts;
    }
    boolean isList = value.isArray();
    for (JsonNode element : value) {
      isList &= element.isString();
      texts.add(element.isString() ? element.stringValue() : "");
    }
    if (!isList) {
      problems.add("field '%s' must be a list of strings. Actual: %s".formatted(field, value));
    }
    return texts;
  }

  private static String kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case MISSING -> "nothing";
      case NULL -> "null";
      case BOOLEAN, NUMBER -> node.toString();
      case STRING -> "a string";
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      case BINARY, POJO -> node.getNodeType().toString();
    };
  }
}
