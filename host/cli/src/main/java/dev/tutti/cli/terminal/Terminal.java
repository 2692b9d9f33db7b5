package dev.tutti.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outputs of a command. Text is UTF-8 in every locale, as JSON requires. All control characters
 * are escaped as in JSON, so that JSON keeps its meaning.
 */
public final class Terminal implements AutoCloseable {

  /** Makes the terminal erase its line and return to the start of it. */
  static final String ERASE_LINE = "K";

  /** Makes the terminal cut lines that are too long for it instead of wrapping them. */
  static final String CUT_LINES = "?7l";

  /** Makes the terminal wrap long lines again, and ends a line of progress for other programs. */
  static final String WRAP_LINES = "?7h";

  /**
   * Set for a process whose standard error another process of Tutti reads and shows to a user who
   * watches.
   */
  public static final String WATCHED = "TUTTI_WATCHED";

  private static final Pattern PROGRESS = Pattern.compile("\\e\\[K\\e\\[\\?7l(.*)\\e\\[\\?7h");

  private final PrintWriter out;
  private final PrintWriter err;
  private final PrintWriter progress;
  private final PrintWriter help;
  private final boolean hasColours;
  private final boolean showsProgress;
  private final String mark =
      EscapingWriter.MARK + HexFormat.of().toHexDigits(new SecureRandom().nextLong());

  /** Whether the cursor is in a line of progress, which the next text must replace. */
  private volatile boolean isInProgressLine;

  /**
   * A terminal.
   *
   * @param out gets results
   * @param err gets problems and progress
   * @param hasColours whether results may be coloured
   * @param showsProgress whether a user watches {@code err}
   */
  public Terminal(PrintWriter out, PrintWriter err, boolean hasColours, boolean showsProgress) {
    this.out = new PrintWriter(new EscapingWriter(out, mark, this::eraseProgress), true);
    this.err = new PrintWriter(new EscapingWriter(err, mark, this::eraseProgress), true);
    this.progress = new PrintWriter(new EscapingWriter(err, mark, () -> {}), true);
    this.help = out;
    this.hasColours = hasColours;
    this.showsProgress = showsProgress;
  }

  /** The terminal of this process. */
  public static Terminal ofProcess(OutputStream out) {
    boolean hasColours = isTerminal(1) && System.getenv("NO_COLOR") == null;
    boolean showsProgress = isTerminal(2) || System.getenv(WATCHED) != null;
    return new Terminal(
        writer(out), writer(new FileOutputStream(FileDescriptor.err)), hasColours, showsProgress);
  }

  /** The progress that another process shows in a line; empty if it is another line. */
  public static Optional<String> progressIn(String line) {
    Matcher matcher = PROGRESS.matcher(line);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** A line without the order to erase the line before it. */
  public static String withoutErasure(String line) {
    return line.startsWith("\u001b[K") ? line.substring(3) : line;
  }

  private static PrintWriter writer(OutputStream out) {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  /** Reads the link in /proc, because Java only checks whether standard input is a terminal. */
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
  }

  /** The output for results. */
  public PrintWriter out() {
    return out;
  }

  /** The output for problems and progress. */
  public PrintWriter err() {
    return err;
  }

  /** The output for Tutti's own help texts, which contain their own colours. */
  public PrintWriter help() {
    return help;
  }

  /** Whether results may be coloured. */
  public boolean hasColours() {
    return hasColours;
  }

  /** Whether a user watches {@link #err}. */
  public boolean showsProgress() {
    return showsProgress;
  }

  /** Shows a line about the progress of work until the next one, or until other text. */
  public void showProgress(String text) {
    if (showsProgress) {
      // A line that wraps could not be erased.
      progress.print(order(ERASE_LINE) + order(CUT_LINES) + text + order(WRAP_LINES));
      progress.flush();
      isInProgressLine = true;
    }
  }

  /** Erases the line about the progress of work if it is shown. */
  void eraseProgress() {
    if (isInProgressLine) {
      isInProgressLine = false;
      progress.print(order(ERASE_LINE));
      progress.flush();
    }
  }

  /** A control sequence for the terminal: a style, or one of those above. */
  String order(String what) {
    return mark + what + EscapingWriter.END;
  }

  /** Bold text if results may be coloured. */
  public String bold(String text) {
    return styled("1", text);
  }

  /** Green text if results may be coloured. */
  public String green(String text) {
    return styled("32", text);
  }

  /** Red text if results may be coloured. */
  public String red(String text) {
    return styled("31", text);
  }

  private String styled(String style, String text) {
    return hasColours ? order(style) + text + order("0") : text;
  }

  @Override
  public void close() {
    out.flush();
    err.flush();
  }
}
