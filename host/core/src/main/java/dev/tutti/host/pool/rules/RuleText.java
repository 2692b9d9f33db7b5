package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules on one line: {@code "pin=ring operation=allreduce bytes=1M..; deny=bruck"}. Fields are
 * separated by spaces, rules by semicolons, several values by commas; {@code parameters.NAME} sets
 * a parameter.
 */
final class RuleText {

  private static final String PARAMETER = RuleFields.PARAMETERS + ".";

  private RuleText() {}

  /**
   * Reads all rules.
   *
   * @param origin the source of the line
   * @throws TuttiException with the code of the first problem and the text of all of them
   */
  static List<ChoiceRule> parse(String line, String origin) {
    Problems problems = new Problems();
    List<ChoiceRule> rules = new ArrayList<>();
    int number = 0;
    for (String text : line.split(";", -1)) {
      if (!text.isBlank()) {
        String place = Sentence.of("%s, rule %d", origin, ++number);
        problems.collect(place, () -> rules.add(rule(text.strip(), place)));
      }
    }
    problems.throwIfAny();
    return rules;
  }

  private static ChoiceRule rule(String text, String origin) {
    RuleFields fields = new RuleFields(origin);
    for (String field : text.split("\\s+", -1)) {
      int equals = field.indexOf('=');
      if (equals < 1) {
        throw new TuttiException(
            ErrorCode.INVALID_RULES, "'%s' is not a field; write name=value", field);
      }
      String name = field.substring(0, equals);
      String value = field.substring(equals + 1);
      if (name.startsWith(PARAMETER)) {
        fields.putParameter(name.substring(PARAMETER.length()), value);
      } else {
        fields.put(name, List.of(value.split(",", -1)));
      }
    }
    return fields.toRule();
  }
}
