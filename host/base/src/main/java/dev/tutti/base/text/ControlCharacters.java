package dev.tutti.base.text;

/**
 * Characters that control a terminal instead of being shown: they could hide text, forge lines, or
 * make the terminal answer. They include characters that change the direction of text.
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

  /** The character in the form of JSON and Java: a backslash, u, and four hexadecimal digits. */
  public static String escaped(char c) {
    return Sentence.of("\\u%04x", (int) c);
  }

  /** The text on one line: line feeds become {@code \n}, and carriage returns {@code \r}. */
  public static String onOneLine(String text) {
    return text.replace("\n", "\\n").replace("\r", "\\r");
  }
}
