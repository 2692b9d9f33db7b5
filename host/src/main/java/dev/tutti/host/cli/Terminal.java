package dev.tutti.host.cli;

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
import java.util.Optional;

/**
 * Where a command prints. Text is UTF-8 whatever the locale says, as JSON must be.
 *
 * @param out results
 * @param err problems and progress
 * @param hasColours whether results may be coloured
 * @param showsProgress whether somebody watches {@code err}
 */
record Terminal(PrintWriter out, PrintWriter err, boolean hasColours, boolean showsProgress)
    implements AutoCloseable {

  /** What this process prints on. */
  static Terminal ofProcess(OutputStream out) {
    boolean hasColours = isTerminal(1) && System.getenv("NO_COLOR") == null;
    return new Terminal(
        writer(out), writer(new FileOutputStream(FileDescriptor.err)), hasColours, isTerminal(2));
  }

  private static PrintWriter writer(OutputStream out) {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  /** Java knows of no terminal but that of standard input, so the link in /proc has to tell. */
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
  }

  /** Bold text where there are colours. */
  String bold(String text) {
    return styled("1", text);
  }

  /** Green text where there are colours. */
  String green(String text) {
    return styled("32", text);
  }

  /** Red text where there are colours. */
  String red(String text) {
    return styled("31", text);
  }

  private String styled(String style, String text) {
    return hasColours ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
  }

  @Override
  public void close() {
    out.flush();
    err.flush();
  }
}
