package dev.tutti.host.cli;

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
        return ExitCode.OK;
      }
      return new Cli(terminal, Hosts.ofProcess()).run(args);
    }
  }
}
