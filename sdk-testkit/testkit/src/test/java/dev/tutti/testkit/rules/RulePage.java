package dev.tutti.testkit.rules;

import dev.tutti.verifier.rule.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of a rule: a title, a line with the severity and what is wrong, and sections. The last
 * four sections hold a fenced block each, which is taken from the example and what it gives.
 */
final class RulePage {

  /** Where the pages are, seen from the folder of this module. */
  static final Path FOLDER = Path.of("..", "..", "docs", "rules");

  static final List<String> SECTIONS =
      List.of(
          "What it means",
          "Likely causes",
          "How to fix",
          "Correct",
          "Broken",
          "How both are checked",
          "Message");

  private final Path path;
  private final String text;

  private RulePage(Path path, String text) {
    this.path = path;
    this.text = text;
  }

  static RulePage of(Rule rule) {
    Path path = Path.of("..", "..").resolve(rule.page());
    try {
      return new RulePage(path, Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first line, without the number sign. */
  String title() {
    return text.lines().findFirst().orElse("").replaceFirst("^# ", "");
  }

  /** The line below the title: the severity and, after a colon, what is wrong. */
  String summary() {
    return text.lines().skip(1).filter(line -> !line.isBlank()).findFirst().orElse("");
  }

  /** The titles of the sections, in order. */
  List<String> sections() {
    return text.lines()
        .filter(line -> line.startsWith("## "))
        .map(line -> line.substring(3))
        .toList();
  }

  /** The prose of a section, that is, what is not in its block. */
  String prose(String section) {
    Matcher matcher = section(section);
    return matcher.find() ? matcher.group(2).replaceAll("(?s)```.*?```", "").strip() : "";
  }

  /** The text of a section's fenced block. */
  String block(String section) {
    Matcher matcher = fenced(section);
    return matcher.find() ? matcher.group(2).strip() : "";
  }

  /** The same page with another block in a section. */
  RulePage withBlock(String section, String block) {
    Matcher matcher = fenced(section);
    if (!matcher.find()) {
      throw new AssertionError(path + " must have a fenced block in its section " + section);
    }
    return new RulePage(
        path,
        text.substring(0, matcher.start(2)) + block + "\n" + text.substring(matcher.start(3)));
  }

  void write() {
    try {
      Files.writeString(path, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Matcher section(String section) {
    return Pattern.compile("(?sm)^## (" + Pattern.quote(section) + ")\n(.*?)(?=^## |\\z)")
        .matcher(text);
  }

  private Matcher fenced(String section) {
    return Pattern.compile(
            "(?sm)^## (" + Pattern.quote(section) + ")\n(?:(?!^## ).)*?^```\\w+\n(.*?)(^```)$")
        .matcher(text);
  }
}
