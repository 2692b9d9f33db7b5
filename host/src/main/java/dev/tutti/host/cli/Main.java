package dev.tutti.host.cli;

import dev.tutti.host.text.Sentence;
import dev.tutti.sdk.ErrorCode;

/** Starts the command line. */
public final class Main {

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    try (Terminal terminal = Terminal.ofProcess()) {
      if (args.length == 1 && Version.OPTIONS.contains(args[0])) {
        // Answered before anything of the command line is loaded: scripts ask for it often.
        terminal.out().println(Version.line());
        return checked(terminal, ExitCode.OK);
      }
      return checked(terminal, new Cli(terminal, Hosts.ofProcess()).run(args));
    }
  }

  /** Output that could not be written is no success. */
  private static int checked(Terminal terminal, int exitCode) {
    if (terminal.out().checkError() && exitCode == ExitCode.OK) {
      terminal
          .err()
          .println(
              Sentence.of(
                  "tutti: [%s] the output could not be written; is the disk full?",
                  ErrorCode.OUTPUT_UNWRITABLE));
      return ExitCode.ENVIRONMENT;
    }
    return exitCode;
  }
}
