package dev.tutti.cli.terminal;

import java.util.regex.Pattern;

/** Words of command lines for a POSIX shell. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /** The word, in quotation marks if the shell needs them. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
