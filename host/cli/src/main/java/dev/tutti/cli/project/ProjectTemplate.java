package dev.tutti.cli.project;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills files of the archetype. It supports only the parts of the template language that they use:
 * {@code ${name}}, and lines {@code #if($name == 'value')} or {@code !=}, {@code #else} and {@code
 * #end}, not nested.
 */
final class ProjectTemplate {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)\\}");
  private static final Pattern CONDITION = Pattern.compile("#if\\(\\$(\\w+) ([!=])= '([^']*)'\\)");

  private ProjectTemplate() {}

  /**
   * The text of a file.
   *
   * @param values the values of variables; other variables stay unchanged, because they belong to
   *     Maven
   */
  static String fill(String template, Map<String, String> values) {
    StringBuilder text = new StringBuilder();
    boolean isTaken = true;
    for (String line : template.lines().toList()) {
      Matcher condition = CONDITION.matcher(line);
      if (condition.matches()) {
        boolean isEqual = condition.group(3).equals(values.get(condition.group(1)));
        isTaken = isEqual == condition.group(2).equals("=");
      } else if (line.equals("#else")) {
        isTaken = !isTaken;
      } else if (line.equals("#end")) {
        isTaken = true;
      } else if (isTaken) {
        text.append(filled(line, values)).append('\n');
      }
    }
    return text.toString();
  }

  private static String filled(String line, Map<String, String> values) {
    return VARIABLE
        .matcher(line)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
  }
}
