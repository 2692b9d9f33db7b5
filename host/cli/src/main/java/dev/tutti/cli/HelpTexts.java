package dev.tutti.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help texts of commands and options, for pages that are not the help itself. */
final class HelpTexts {

  private HelpTexts() {}

  /** The summary of a command in a list of commands, without the period at its end. */
  static String summary(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    String first = firstSentence(usage.header().length == 0 ? usage.description() : usage.header());
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }

  /** The first sentence of a text; empty if there is no text. */
  static String firstSentence(String... text) {
    List<String> paragraphs = paragraphs(text);
    String first = paragraphs.isEmpty() ? "" : paragraphs.getFirst();
    int end = first.indexOf(". ");
    return end < 0 ? first : first.substring(0, end + 1);
  }

  /** The paragraphs of a text, each on one line. Empty lines are between them. */
  static List<String> paragraphs(String... text) {
    List<String> paragraphs = new ArrayList<>();
    boolean isOpen = false;
    for (String line : lines(text)) {
      if (line.isBlank()) {
        isOpen = false;
      } else if (isOpen) {
        paragraphs.add(paragraphs.removeLast() + " " + line.strip());
      } else {
        paragraphs.add(line.strip());
        isOpen = true;
      }
    }
    return paragraphs;
  }

  /** The lines of a text, without the markup for colours and the signs for the ends of lines. */
  static List<String> lines(String... text) {
    List<String> lines = new ArrayList<>();
    for (String each : text) {
      String plain = Ansi.OFF.string(each).replace("%n", "\n").replace("%%", "%");
      lines.addAll(List.of(plain.split("\n", -1)));
    }
    return lines;
  }
}
