package dev.tutti.cli;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.job.JobDirectory;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.ProcessOutput;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.cli.terminal.TuttiVersion;
import dev.tutti.sdk.ErrorCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/** Starts the command line. */
public final class Main {

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    ProcessOutput out = new ProcessOutput(new FileOutputStream(FileDescriptor.out));
    try (Terminal terminal = Terminal.ofProcess(out)) {
      if (args.length == 1 && TuttiVersion.OPTIONS.contains(args[0])) {
        // Answer before the command line is loaded, because scripts request the version often.
        terminal.out().println(TuttiVersion.line());
        return checked(terminal, out, ExitCode.OK);
      }
      return checked(
          terminal, out, new Cli(terminal, Hosts.ofProcess(JobDirectory::ofLiveJobs)).run(args));
    }
  }

  /**
   * The exit code after a check of the output. Output that could not be written is a failure,
   * unless the reader has closed the pipe.
   */
  private static int checked(Terminal terminal, ProcessOutput out, int exitCode) {
    String problem = terminal.out().checkError() ? out.problem() : "";
    if (exitCode != ExitCode.OK || problem.isEmpty()) {
      return exitCode;
    }
    terminal.err().println(Sentence.of("tutti: [%s] %s", ErrorCode.OUTPUT_UNWRITABLE, problem));
    return ExitCode.ENVIRONMENT;
  }
}
