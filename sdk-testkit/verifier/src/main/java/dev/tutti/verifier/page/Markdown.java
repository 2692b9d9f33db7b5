package dev.tutti.verifier.page;

import dev.tutti.simulator.page.Html;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the Markdown of rule pages into markup: headings of the second level, paragraphs, lists,
 * blocks of code, code in a line, emphasis. Keeps only the text of a link, because the reader of a
 * report does not have the file that it points to.
 */
final class Markdown {

  private static final Pattern SPAN =
      Pattern.compile("`([^`]+)`|\\[([^]]+)]\\([^)]+\\)|\\*([^*]+)\\*");

  private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]+\\)");

  private static final String FENCE = "```";
  private static final String BULLET = "- ";
  private static final String HEADING = "## ";

  private final Html html;

  Markdown(Html html) {
    this.html = html;
  }

  /** The sections with the given names; of each link, only the text is kept. */
  static String withoutLinks(String text, Collection<String> sections) {
    StringBuilder wanted = new StringBuilder();
    boolean isWanted = false;
    for (String line : text.lines().toList()) {
      if (line.startsWith(HEADING)) {
        isWanted = sections.contains(line.substring(HEADING.length()));
      }
      if (isWanted) {
        wanted.append(LINK.matcher(line).replaceAll("$1")).append('\n');
      }
    }
    return wanted.toString().strip();
  }

  /** Adds the sections with the given names, in the order of the text. */
  void add(String text, Collection<String> sections) {
    String section = "";
    List<String> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith(HEADING)) {
        addSection(section, lines, sections);
        section = line.substring(HEADING.length());
        lines.clear();
      } else {
        lines.add(line);
      }
    }
    addSection(section, lines, sections);
  }

  private void addSection(String name, List<String> lines, Collection<String> wanted) {
    if (!wanted.contains(name)) {
      return;
    }
    html.element("h4", name);
    int at = 0;
    while (at < lines.size()) {
      String line = lines.get(at);
      if (line.startsWith(FENCE)) {
        int end = endOfCode(lines, at + 1);
        html.open("pre", "tabindex", "0").open("code");
        html.text(String.join("\n", lines.subList(at + 1, end)));
        html.close().closeLine();
        at = end + 1;
      } else if (line.isBlank()) {
        at++;
      } else {
        int end = endOfBlock(lines, at);
        addBlock(lines.subList(at, end));
        at = end;
      }
    }
  }

  private static int endOfCode(List<String> lines, int from) {
    int end = from;
    while (end < lines.size() && !lines.get(end).startsWith(FENCE)) {
      end++;
    }
    return end;
  }

  private static int endOfBlock(List<String> lines, int from) {
    int end = from;
    while (end < lines.size() && !lines.get(end).isBlank() && !lines.get(end).startsWith(FENCE)) {
      end++;
    }
    return end;
  }

  /** Adds a paragraph, or a list whose items may span several lines. */
  private void addBlock(List<String> lines) {
    String text = String.join("\n", lines);
    if (!text.startsWith(BULLET)) {
      html.open("p");
      addSpans(text);
      html.closeLine();
      return;
    }
    html.open("ul");
    Arrays.stream(("\n" + text).split("\n" + BULLET))
        .filter(item -> !item.isBlank())
        .forEach(
            item -> {
              html.open("li");
              addSpans(item);
              html.closeLine();
            });
    html.closeLine();
  }

  private void addSpans(String text) {
    Matcher span = SPAN.matcher(text);
    int at = 0;
    while (span.find()) {
      html.text(text.substring(at, span.start()));
      if (span.group(1) != null) {
        html.open("code").text(span.group(1)).close();
      } else if (span.group(2) != null) {
        addSpans(span.group(2));
      } else {
        html.open("em").text(span.group(3)).close();
      }
      at = span.end();
    }
    html.text(text.substring(at));
  }
}
