package dev.tutti.simulator.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Markup, piece by piece. All texts and values are escaped, and elements close in the order in
 * which they were opened, so the result is well-formed, whatever names a plugin has chosen. It is
 * XML and HTML at once. Not thread-safe.
 *
 * <pre>{@code
 * new Html().open("p", "class", "note").text("a < b").close();
 * }</pre>
 */
public final class Html {

  private static final char UNWRITABLE = '\uFFFD';

  /** Elements without content, which HTML does not close. */
  private static final Set<String> VOID = Set.of("br", "hr", "input", "meta");

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Opens an element.
   *
   * @param attributes names and values in turn; attributes with the value null are left out
   */
  public Html open(String name, @Nullable String... attributes) {
    start(name, attributes);
    if (VOID.contains(name)) {
      out.append("/>");
      return this;
    }
    out.append('>');
    open.push(name);
    return this;
  }

  private void start(String name, @Nullable String... attributes) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      String value = attributes[i + 1];
      if (value != null) {
        out.append(' ').append(attributes[i]).append("=\"");
        append(value);
        out.append('"');
      }
    }
  }

  /**
   * Closes the element that was opened last.
   *
   * @throws java.util.NoSuchElementException if none is open
   */
  public Html close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Closes the element that was opened last, and begins a new line of the file. */
  public Html closeLine() {
    close();
    out.append('\n');
    return this;
  }

  /** A text. */
  public Html text(String text) {
    append(text);
    return this;
  }

  /** An element that holds a text only. */
  public Html element(String name, String text, @Nullable String... attributes) {
    return open(name, attributes).text(text).closeLine();
  }

  /** Other markup, unchanged. */
  public Html add(Html other) {
    out.append(other);
    return this;
  }

  /** Content that is not text, such as a style; nothing in it is escaped. */
  Html raw(String text) {
    out.append(text);
    return this;
  }

  /**
   * Begins a table that scrolls by itself where it is wider than the page.
   *
   * @param label a description for screen readers
   * @param headings one for each column; a leading {@code '>'} marks a column of numbers
   */
  public Html openTable(String label, Iterable<String> headings) {
    return openTable(label, headings, null);
  }

  /**
   * As {@link #openTable(String, Iterable)}.
   *
   * @param kind the class of the table; null for none
   */
  public Html openTable(String label, Iterable<String> headings, @Nullable String kind) {
    open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", label);
    open("table", "class", kind).open("thead").open("tr");
    for (String heading : headings) {
      boolean isNumber = heading.startsWith(">");
      String text = isNumber ? heading.substring(1) : heading;
      element("th", text, "scope", "col", "class", isNumber ? "number" : null);
    }
    return close().close().open("tbody");
  }

  /** A cell of a table that holds a number. */
  public Html number(String text) {
    return element("td", text, "class", "number");
  }

  /** Ends a table. */
  public Html closeTable() {
    return close().close().closeLine();
  }

  private void append(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(isWritable(text, i) ? c : UNWRITABLE);
      }
    }
  }

  /** Whether XML allows a character: no control characters, no lone surrogates. */
  private static boolean isWritable(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
    return c == '\n' || c == '\t' || (c >= ' ' && c < '\uFFFE' && (c < '\u007F' || c > '\u009F'));
  }

  /**
   * The markup.
   *
   * @throws IllegalStateException if an element is still open
   */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("still open: " + open);
    }
    return out.toString();
  }
}
