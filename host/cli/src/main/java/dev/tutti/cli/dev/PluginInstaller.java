package dev.tutti.cli.dev;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Puts jars into the plugins directory of a host, as {@code tutti plugins install} does. */
final class PluginInstaller {

  /** What every message on standard error begins with. */
  private static final String MESSAGE = "tutti: ";

  private final Path plugins;
  private final CommandLine commands;
  private boolean hasInstalled;

  /** The command line. */
  @FunctionalInterface
  interface CommandLine {

    /** Runs a command, and returns its exit code. */
    int run(Terminal terminal, List<String> arguments);
  }

  /**
   * Creates an installer.
   *
   * @param plugins the plugins directory
   */
  PluginInstaller(Path plugins, CommandLine commands) {
    this.plugins = plugins;
    this.commands = commands;
  }

  /**
   * The outcome of an installation.
   *
   * @param exitCode the exit code of the command
   * @param sentence what was installed, and whether a host serves it; or why nothing was installed
   * @param problems the lines that the command printed on standard error
   */
  record Outcome(int exitCode, String sentence, List<String> problems) {}

  /** Whether this installer has installed a jar with the same content, and it is still there. */
  boolean isInstalled(Path jar) {
    Path present = plugins.resolve(jar.getFileName());
    try {
      return hasInstalled && Files.exists(present) && Files.mismatch(jar, present) < 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Outcome install(Path jar) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode;
    try (Terminal terminal =
        new Terminal(new PrintWriter(out), new PrintWriter(err), false, false)) {
      exitCode =
          commands.run(
              terminal,
              List.of(
                  "plugins",
                  "install",
                  jar.toAbsolutePath().toString(),
                  "--plugins",
                  plugins.toAbsolutePath().toString()));
    }
    hasInstalled |= exitCode == ExitCode.OK;
    return new Outcome(
        exitCode,
        exitCode == ExitCode.OK
            ? Sentence.of("installed in %s: %s", plugins, Sentence.firstLine(out.toString()))
            : Sentence.of("not installed in %s: %s", plugins, reason(err.toString(), exitCode)),
        err.toString().lines().toList());
  }

  /** The last message of the command: notes precede the error. */
  private static String reason(String messages, int exitCode) {
    return messages
        .lines()
        .filter(line -> line.startsWith(MESSAGE))
        .reduce((_, last) -> last)
        .map(line -> line.substring(MESSAGE.length()))
        .orElse("the command ended with exit code " + exitCode + " and without a message");
  }
}
