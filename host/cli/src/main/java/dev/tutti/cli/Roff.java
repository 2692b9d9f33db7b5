package dev.tutti.cli;

import dev.tutti.base.text.Sentence;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page in the language of man(7), as groff and mandoc read it. It takes plain texts and escapes
 * them, so that nothing in them is a roff request and the page is ASCII. Options are bold, and
 * placeholders such as {@code <file>} are italic. Not thread-safe.
 */
final class Roff {

  /** An option or a placeholder in a word. */
  private static final Pattern MARKED =
      Pattern.compile("(?<option>(?<![\\w-])--?(?:\\[no-])?[a-zA-Z][\\w-]*)|<[^<>]+>");

  /** The longest line of the source, in bytes; mandoc warns of longer ones. */
  private static final int WIDTH = 78;

  private final StringBuilder page = new StringBuilder();

  /**
   * Begins a page.
   *
   * @param name such as {@code tutti-run}
   * @param date when it was made
   * @param source the program and its version
   */
  Roff(String name, LocalDate date, String source) {
    request(
        Sentence.of(
            "TH \"%s\" 1 %s \"%s\" \"Tutti\"",
            escaped(name.toUpperCase(Locale.ROOT)), date, escaped(source)));
    // Do not hyphenate options and names, and do not justify lines.
    request("nh");
    request("ad l");
  }

  /** Begins a section. */
  void section(String title) {
    request("SH \"" + title + "\"");
  }

  /** Adds paragraphs of filled text. */
  void paragraphs(List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        request("PP");
      }
      text(texts.get(i));
    }
  }

  /** Adds a term and, indented below it, its meaning. */
  void item(String term, String meaning) {
    request("TP");
    add(marked(term));
    text(meaning);
  }

  /** Adds lines that stay as they are, such as commands. */
  void example(List<String> lines) {
    request("RS 4");
    request("EX");
    lines.forEach(line -> add(continued(escaped(line))));
    request("EE");
    request("RE");
  }

  /** Adds filled text. */
  void text(String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      String next = marked(word);
      if (!line.isEmpty() && line.length() + 1 + next.length() > WIDTH) {
        add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(next);
    }
    add(line.toString());
  }

  /** The source of the page. */
  @Override
  public String toString() {
    return page.toString();
  }

  private void request(String request) {
    page.append('.').append(request).append('\n');
  }

  /** Adds a line of text, and escapes a dot at its start, which would make it a request. */
  private void add(String line) {
    page.append(line.startsWith(".") ? "\\&" : "").append(line).append('\n');
  }

  private static String marked(String text) {
    StringBuilder marked = new StringBuilder();
    Matcher matcher = MARKED.matcher(text);
    int end = 0;
    while (matcher.find()) {
      marked
          .append(escaped(text.substring(end, matcher.start())))
          .append(matcher.group("option") == null ? "\\fI" : "\\fB")
          .append(escaped(matcher.group()))
          .append("\\fR");
      end = matcher.end();
    }
    return marked.append(escaped(text.substring(end))).toString();
  }

  /**
   * Escapes text so that roff shows it unchanged: otherwise a hyphen may become one that shells do
   * not recognize, and a quote may become curved.
   */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '"' -> escaped.append("\\(dq");
                case '`' -> escaped.append("\\(ga");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                default -> {
                  if (c < 128) {
                    escaped.append((char) c);
                  } else {
                    escaped.append(Sentence.of("\\[u%04X]", c));
                  }
                }
              }
            });
    return escaped.toString();
  }

  /** Splits a line into pieces that are short enough; roff joins them again. */
  private static String continued(String line) {
    StringBuilder continued = new StringBuilder();
    String rest = line;
    while (rest.length() > WIDTH) {
      int space = rest.lastIndexOf(' ', WIDTH);
      if (space <= 0) {
        break;
      }
      continued.append(rest, 0, space).append(" \\\n");
      rest = rest.substring(space + 1);
    }
    return continued.append(rest).toString();
  }
}
