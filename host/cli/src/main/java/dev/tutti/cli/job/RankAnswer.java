package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.control.ControlClient;
import dev.tutti.cli.control.ControlRequest;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.host.job.ProcessState;
import dev.tutti.host.status.ProcessReport;
import dev.tutti.host.status.ProcessStatus;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.plugin.json.JsonTree.Node;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The answer of a process of a job, or the reason why there is none. */
sealed interface RankAnswer {

  /** The longest time for a process to say hello, and to answer. */
  Duration PATIENCE = Duration.ofSeconds(10);

  /** Its rank, or the first of its ranks. */
  int rank();

  /** The number of its ranks, which are consecutive. */
  int ranksHere();

  /** The number of its process; 0 if that is not known. */
  long process();

  /** Its machine; empty if it is this one. */
  String machine();

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
    public int ranksHere() {
      return report.ranksHere();
    }

    @Override
    public long process() {
      return report.process();
    }

    @Override
    public String machine() {
      return report.machine();
    }
  }

  /**
   * The process does not answer.
   *
   * @param rank its rank, or the first of its ranks
   * @param ranksHere the number of its ranks
   * @param process the number of its process; 0 if that is not known
   * @param machine its machine; empty if it is this one
   * @param reason the reason, in words that follow its name
   */
  record Silence(int rank, int ranksHere, long process, String machine, String reason)
      implements RankAnswer {}

  /**
   * The answer of a process of a job that MPI connects.
   *
   * @param ranks the number of ranks of its job
   * @param here the name of this machine
   */
  static RankAnswer of(ProcessStatus status, int ranks, String here) {
    String machine = status.machine().equals(here) ? "" : status.machine();
    int first = status.ranks().getFirst();
    int ranksHere = status.ranks().size();
    long process = status.process();
    ProcessReport facts = status.report().orElse(null);
    return facts == null
        ? new Silence(first, ranksHere, process, machine, status.silence())
        : new Report(new RankReport(first, ranksHere, ranks, process, machine, true, facts));
  }

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
        1,
        process,
        "",
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

  /** The name of one of its ranks, for example {@code "rank 2 (process 123)"}. */
  default String name(int rank) {
    return process() == 0
        ? "rank " + rank
        : Sentence.of(
            "rank %d (process %d%s)",
            rank, process(), machine().isEmpty() ? "" : " of " + machine());
  }

  /** Its ranks. */
  default IntStream ranks() {
    return IntStream.range(rank(), rank() + ranksHere());
  }

  /** The answer as JSON. */
  default JsonLine json() {
    return switch (this) {
      case Report(RankReport report) -> report.json().put("answers", true).put("reason", "");
      case Silence silence ->
          new JsonLine()
              .put("rank", silence.rank())
              .put("ranksHere", silence.ranksHere())
              .putJson("process", silence.process() == 0 ? null : String.valueOf(silence.process()))
              .put("machine", silence.machine())
              .put("answers", false)
              .put("reason", silence.reason());
    };
  }

  /** Reads what {@link #json} has written about a process with a known number. */
  static RankAnswer read(Node node) {
    JsonFields fields = new JsonFields(node, "an answer", ErrorCode.HOST_UNREACHABLE);
    return fields.flag("answers")
        ? new Report(RankReport.read(fields))
        : new Silence(
            fields.number("rank"),
            fields.number("ranksHere"),
            fields.longNumber("process"),
            fields.text("machine"),
            fields.text("reason"));
  }

  /** Its state in one word. */
  default String state() {
    return switch (this) {
      case Report(RankReport report) -> report.isReady() ? "ready" : "joining";
      case Silence silence -> silence.reason();
    };
  }
}
