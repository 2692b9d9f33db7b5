package dev.tutti.endtoend;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A page of documentation as text and blocks of code, in order. */
final class Page {

  private static final String FENCE = "```";

  /**
   * A part of a page.
   *
   * @param language of a block of code; empty for the text between blocks
   * @param lines without the fences of a block
   */
  record Part(String language, List<String> lines) {

    /** The same part with other lines. */
    Part with(List<String> newLines) {
      return new Part(language, newLines);
    }

    /** The lines as one text. */
    String text() {
      return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    private List<String> written() {
      if (language.isEmpty()) {
        return lines;
      }
      List<String> written = new ArrayList<>(List.of(FENCE + language));
      written.addAll(lines);
      written.add(FENCE);
      return written;
    }
  }

  private Page() {}

  static List<Part> parse(String page) {
    List<Part> parts = new ArrayList<>();
    String language = "";
    List<String> lines = new ArrayList<>();
    for (String line : page.lines().toList()) {
      if (!line.startsWith(FENCE)) {
        lines.add(line);
        continue;
      }
      parts.add(new Part(language, lines));
      language = line.substring(FENCE.length());
      lines = new ArrayList<>();
    }
    parts.add(new Part(language, lines));
    return parts;
  }

  static String text(List<Part> parts) {
    return parts.stream()
        .flatMap(part -> part.written().stream())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The lines of a part without what differs from run to run. */
  static List<String> stable(Part part) {
    return part.lines().stream()
        // How many cases had passed when enough had failed, nobody knows.
        .filter(line -> !line.startsWith("    note, "))
        .map(Page::stable)
        .toList();
  }

  private static String stable(String line) {
    return line.replaceAll("(\\d+ (h|min) )*\\d+(\\.\\d+)? (h|min|s|ms|µs)\\b", "<time>")
        .replaceAll("\\d+(\\.\\d+)?", "<n>")
        .replaceAll(" +", " ");
  }
}
