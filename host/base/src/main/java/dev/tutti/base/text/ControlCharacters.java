package dev.tutti.base.text;

/**
 * Characters that do something to a terminal instead of being shown: they could hide text, forge
 * lines, or have the terminal answer. Those that turn the direction of text are among them.
 */
public final class ControlCharacters {

  private ControlCharacters() {}

  /** Whether a character must not reach a terminal. Ends of lines and tabs may. */
  public static boolean isOne(char c) {
    if (c < 0x7f) {
      return c < ' ' && c != '\n' && c != '\t';
    }
    return c <= 0x9f
        || c == 0x61c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069)
        || c == 0xfeff;
  }

  /** The character as JSON and Java write it: a backslash, u, and four hexadecimal digits. */
  public static String escaped(char c) {
    return Sentence.of("\\u%04x", (int) c);
  }

  /** A text that stays on one line, whatever is in it. */
  public static String onOneLine(String text) {
    return text.indexOf('\n') < 0 ? text : text.replace("\n", "\\n");
  }
}
