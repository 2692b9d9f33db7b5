package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.control.ControlHandler;
import dev.tutti.cli.control.ControlRequest;
import dev.tutti.cli.control.ControlServer;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.Rte;
import dev.tutti.host.status.ProcessStatus;
import dev.tutti.plugin.json.JsonFields;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the status of a process of a job. It starts before the process meets the
 * others, and ends with the process. If MPI connects the processes, each has its own directory for
 * this, and each can answer for all. Does nothing if all ranks are in one process. Thread-safe.
 */
public final class RankServer implements AutoCloseable, ControlHandler {

  /** The request for a {@link RankReport}. */
  static final List<String> STATUS = List.of("rank-status");

  /** The request for the answers of all processes, which MPI connects. */
  static final List<String> JOB = List.of("job-status");

  /**
   * The longest time for other processes to answer; shorter than the time that this one has to
   * answer.
   */
  private static final Duration DEADLINE = RankAnswer.PATIENCE.minusSeconds(2);

  private static final String PROCESSES = "processes";

  private final Rte rte;
  private final int rank;
  private final @Nullable JobDirectory own;
  private final @Nullable Path directory;
  private final @Nullable ControlServer server;
  private volatile @Nullable Context context;

  private RankServer(Rte rte, Terminal terminal, @Nullable Runnable stop) {
    this.rte = rte;
    this.rank = IntStream.range(0, rte.ranks()).filter(rte::isLocal).findFirst().orElse(0);
    Path job = rte.jobDirectory().orElse(null);
    this.own = rte.name().equals("mpi") ? makeDirectory(terminal) : null;
    Path home = own == null ? job : own.path();
    this.directory = home == null ? null : JobDirectory.ofRank(home, own == null ? rank : 0);
    this.server = directory == null ? null : open(directory, terminal);
    if (job != null) {
      if (rank == 0) {
        JobRank.sweep(job);
      }
      LauncherWatch.whenEnded(
          System.getenv(Hosts.LAUNCHER), stop == null ? RankServer::exit : stop);
    }
  }

  /** A directory for this process of a job that MPI connects; null if none can be made. */
  private static @Nullable JobDirectory makeDirectory(Terminal terminal) {
    long launcher = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
    List<Long> process = List.of(ProcessHandle.current().pid());
    JobDirectory made = null;
    try {
      made = JobDirectory.make();
      new JobFacts(launcher, "", Instant.now(), process, true).write(made.path());
      return made;
    } catch (IOException | TuttiException e) {
      if (made != null) {
        made.close();
      }
      cannotBeSeen(terminal, e);
      return null;
    }
  }

  private static void cannotBeSeen(Terminal terminal, Exception e) {
    terminal
        .err()
        .println("tutti: note: 'tutti status' cannot see this rank: " + e.getLocalizedMessage());
  }

  /** Ends the process; its output is no longer read. */
  private static void exit() {
    Runtime.getRuntime().exit(ExitCode.FAILED);
  }

  /** Answers from now on. */
  public static RankServer open(Rte rte, Terminal terminal) {
    return new RankServer(rte, terminal, null);
  }

  /**
   * The same for a process that serves until it is asked to end.
   *
   * @param stop ends it
   */
  public static RankServer open(Rte rte, Terminal terminal, Runnable stop) {
    return new RankServer(rte, terminal, stop);
  }

  /** Opens the server; null if it cannot be opened, because a rank also works without one. */
  private @Nullable ControlServer open(Path directory, Terminal terminal) {
    try {
      return ControlServer.open(directory, this);
    } catch (TuttiException e) {
      cannotBeSeen(terminal, e);
      return null;
    }
  }

  /** Records that the ranks have met and work with a host; returns the host. */
  public HostUse serving(HostUse host) {
    serving(host.context());
    return host;
  }

  /** Records that the ranks have met and work with a context. */
  public void serving(Context joined) {
    context = joined;
  }

  @Override
  public int handle(ControlRequest request, PrintWriter out, PrintWriter err) {
    if (request.arguments().equals(STATUS)) {
      out.println(RankReport.of(rank, rte.ranks(), context).json());
      return ExitCode.OK;
    }
    if (own != null && request.arguments().equals(JOB)) {
      Context joined = context;
      if (joined == null) {
        err.println("the processes of its job have not all joined each other yet");
        return ExitCode.ENVIRONMENT;
      }
      out.println(
          new JsonLine()
              .putLines(PROCESSES, answers(joined).stream().map(RankAnswer::json).toList()));
      return ExitCode.OK;
    }
    err.println(Sentence.of("rank %d of a job of %d takes no such command", rank, rte.ranks()));
    return ExitCode.BAD_INPUT;
  }

  private List<RankAnswer> answers(Context joined) {
    int ranks = joined.rte().ranks();
    List<ProcessStatus> all = joined.jobStatus(RankReport.PATIENCE, DEADLINE);
    String here =
        all.stream()
            .filter(each -> each.ranks().stream().anyMatch(joined.rte()::isLocal))
            .map(ProcessStatus::machine)
            .findFirst()
            .orElse("");
    return all.stream().map(each -> RankAnswer.of(each, ranks, here)).toList();
  }

  /** Reads the answer to {@link #JOB}. */
  static List<RankAnswer> read(String text) {
    return JsonFields.read(
            text.getBytes(StandardCharsets.UTF_8), "a status", ErrorCode.HOST_UNREACHABLE)
        .list(PROCESSES)
        .stream()
        .map(RankAnswer::read)
        .toList();
  }

  @Override
  public void close() {
    if (server != null && directory != null) {
      server.close();
      try {
        ControlServer.sweep(directory);
      } catch (IOException e) {
        // The launcher removes it with its own directory.
      }
    }
    if (own != null) {
      own.close();
    }
  }
}
