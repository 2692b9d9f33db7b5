package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.control.ControlClient;
import dev.tutti.cli.control.ControlRequest;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.host.job.ProcessState;
import dev.tutti.sdk.TuttiException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The answer of a rank's process, or the reason why there is none. */
sealed interface RankAnswer {

  /** The longest time for a process to say hello, and to answer. */
  Duration PATIENCE = Duration.ofSeconds(10);

  /** Its rank. */
  int rank();

  /** The number of its process; 0 if that is not known. */
  long process();

  /**
   * The process answers.
   *
   * @param report its report
   */
  record Report(RankReport report) implements RankAnswer {
    @Override
    public int rank() {
      return report.rank();
    }

    @Override
    public long process() {
      return report.process();
    }
  }

  /**
   * The process does not answer.
   *
   * @param rank its rank
   * @param process the number of its process; 0 if that is not known
   * @param reason why, in words that follow its name
   */
  record Silence(int rank, long process, String reason) implements RankAnswer {}

  /**
   * Asks the process of a rank for its status.
   *
   * @param job the directory of its job
   * @param process its number; 0 if that is not known
   */
  static RankAnswer of(Path job, int rank, long process) {
    if (process != 0 && ProcessState.of(process) != ProcessState.ALIVE) {
      return silence(rank, process, "");
    }
    StringWriter text = new StringWriter();
    try {
      int exitCode = call(job, rank, RankServer.STATUS, text);
      return exitCode == ExitCode.OK
          ? new Report(RankReport.read(text.toString()))
          : silence(rank, process, ": " + text.toString().strip());
    } catch (TuttiException | DateTimeException e) {
      return silence(rank, process, ": " + e.getLocalizedMessage());
    }
  }

  private static RankAnswer silence(int rank, long process, String why) {
    ProcessState state = process == 0 ? ProcessState.ALIVE : ProcessState.of(process);
    return new Silence(
        rank,
        process,
        "does not answer"
            + switch (state) {
              case ALIVE -> why;
              case STOPPED -> ": a signal or a debugger has stopped it";
              case ENDED -> ": it has ended";
            });
  }

  /**
   * Makes the process of a rank run a command.
   *
   * @param out gets its output
   * @return its exit code
   * @throws TuttiException with HOST_UNREACHABLE if it does not answer
   */
  static int call(Path job, int rank, List<String> what, StringWriter out) {
    Optional<ControlClient> found = ControlClient.find(JobDirectory.ofRank(job, rank), PATIENCE);
    if (found.isEmpty()) {
      out.append("it does not answer yet, or no longer");
      return ExitCode.ENVIRONMENT;
    }
    try (ControlClient client = found.get();
        PrintWriter writer = new PrintWriter(out)) {
      ControlRequest request = new ControlRequest(what, job.toAbsolutePath(), false, false);
      return client.call(request, writer, writer, PATIENCE);
    }
  }

  /** For example {@code "rank 2 (process 123)"}. */
  default String name() {
    return process() == 0
        ? "rank " + rank()
        : Sentence.of("rank %d (process %d)", rank(), process());
  }

  /** Its state in one word. */
  default String state() {
    return switch (this) {
      case Report(RankReport report) -> report.isReady() ? "ready" : "joining";
      case Silence silence -> silence.reason();
    };
  }
}
