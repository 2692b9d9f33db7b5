package dev.tutti.host.pool.rules;

import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonTree.ListNode;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.plugin.json.JsonTree.ObjectNode;
import dev.tutti.plugin.json.JsonTree.PlainNode;
import dev.tutti.plugin.json.JsonTree.TextNode;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads rules files strictly: unknown, repeated and wrongly typed fields are errors. */
final class RulesReader {

  /** The value of the field {@code format} of a file. */
  static final String FORMAT = "tutti-rules 1";

  /** The name of such a file in messages. */
  static final String WHAT = "rules file";

  private final String file;
  private final Problems problems = new Problems();

  private RulesReader(String file) {
    this.file = file;
  }

  static Rules read(Path path) {
    return new RulesReader(String.valueOf(path.getFileName())).read(JsonFile.read(path, WHAT));
  }

  private static TuttiException broken(String format, Object... arguments) {
    return new TuttiException(ErrorCode.INVALID_RULES, format, arguments);
  }

  private Rules read(Node json) {
    JsonFields root = new JsonFields(json, "a file of rules", ErrorCode.INVALID_RULES);
    root.requireKnown(List.of("format", "provenance", "rules", "measurements"));
    String format = root.text("format");
    if (!format.equals(FORMAT)) {
      throw broken("%s: 'format' must be '%s'. Actual: '%s'", file, FORMAT, format);
    }
    List<ChoiceRule> rules = new ArrayList<>();
    for (Node node : root.list("rules")) {
      String place = place(node);
      problems.collect(place, () -> rules.add(rule(node, place)));
    }
    List<Series> series = new ArrayList<>();
    for (Node node : root.list("measurements")) {
      problems.collect(place(node), () -> series.add(ProfileReader.series(node)));
    }
    @Nullable Node provenance = root.node("provenance");
    Provenance[] read = new Provenance[1];
    if (provenance != null) {
      problems.collect(place(provenance), () -> read[0] = ProfileReader.provenance(provenance));
    }
    problems.throwIfAny();
    if (provenance == null && !series.isEmpty()) {
      throw broken("%s: measurements need a provenance", file);
    }
    return new Rules(rules, new Profile(series), provenance == null ? null : read[0]);
  }

  private String place(Node node) {
    return file + ":" + node.line();
  }

  private static ChoiceRule rule(Node node, String origin) {
    RuleFields fields = new RuleFields(origin);
    if (!(node instanceof ObjectNode object)) {
      throw broken("a rule must be an object. Actual: %s", node.kind());
    }
    for (Map.Entry<String, Node> field : object.fields().entrySet()) {
      if (field.getKey().equals(RuleFields.PARAMETERS)) {
        JsonFields parameters =
            new JsonFields(field.getValue(), "'parameters'", ErrorCode.INVALID_RULES);
        parameters.texts().forEach(fields::putParameter);
      } else {
        fields.put(field.getKey(), texts(field.getKey(), field.getValue()));
      }
    }
    return fields.toRule();
  }

  private static List<String> texts(String name, Node node) {
    return switch (node) {
      case TextNode text -> List.of(text.text());
      case PlainNode plain -> List.of(plain.text());
      case ListNode list ->
          list.elements().stream().flatMap(each -> texts(name, each).stream()).toList();
      case ObjectNode _ -> throw broken("'%s' must be a string or a list of strings", name);
    };
  }
}
