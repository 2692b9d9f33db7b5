package dev.tutti.plugins.catalogue;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The documentation comment of a class, without what the page says in other words. */
final class ClassComment {

  private static final Pattern COMMENT =
      Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@[^/]*?)?@CollAlgorithm", Pattern.DOTALL);

  private static final Pattern CODE = Pattern.compile("\\{@code\\s+([^}]*)}");
  private static final Pattern LINK =
      Pattern.compile("\\{@link\\s+#?([\\w.#()]+)(?:\\s+([^}]*))?}");

  /** Sentences of these beginnings end a paragraph: the page has a line for them. */
  private static final Pattern SOURCE = Pattern.compile("(?:Source|Cost)[ :].*", Pattern.DOTALL);

  private final List<String> paragraphs;

  private ClassComment(List<String> paragraphs) {
    this.paragraphs = paragraphs;
  }

  static ClassComment of(String java) {
    Matcher matcher = COMMENT.matcher(java);
    if (!matcher.find()) {
      throw new IllegalArgumentException("no comment stands before @CollAlgorithm");
    }
    String text =
        matcher
            .group(1)
            .lines()
            .map(line -> line.strip().replaceFirst("^\\* ?", ""))
            .collect(Collectors.joining("\n"));
    return new ClassComment(
        Arrays.stream(text.split("<p>"))
            .map(ClassComment::clean)
            .map(paragraph -> SOURCE.matcher(paragraph).replaceFirst("").strip())
            .filter(paragraph -> !paragraph.isEmpty())
            .toList());
  }

  private static String clean(String paragraph) {
    String text = CODE.matcher(paragraph.replaceAll("\\s+", " ")).replaceAll("`$1`");
    return LINK.matcher(text)
        .replaceAll(
            found -> {
              String shown = found.group(2) == null ? found.group(1) : found.group(2);
              return Matcher.quoteReplacement("`" + shown + "`");
            })
        .strip();
  }

  String toMarkdown() {
    return String.join("\n\n", paragraphs);
  }
}
