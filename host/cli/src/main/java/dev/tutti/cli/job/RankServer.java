package dev.tutti.cli.job;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.control.ControlHandler;
import dev.tutti.cli.control.ControlRequest;
import dev.tutti.cli.control.ControlServer;
import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.host.Hosts;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.terminal.ExitCode;
import dev.tutti.cli.terminal.Terminal;
import dev.tutti.host.Context;
import dev.tutti.host.Rte;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the status of a rank's process, from before it meets the others until it
 * ends. Does nothing if all ranks are in one process. Thread-safe.
 */
public final class RankServer implements AutoCloseable, ControlHandler {

  /** The request for a {@link RankReport}. */
  static final List<String> STATUS = List.of("rank-status");

  private final Rte rte;
  private final int rank;
  private final Instant start = Instant.now();
  private final @Nullable ControlServer server;
  private volatile @Nullable Context context;

  private RankServer(Rte rte, Terminal terminal, @Nullable Runnable stop) {
    this.rte = rte;
    this.rank = IntStream.range(0, rte.ranks()).filter(rte::isLocal).findFirst().orElse(0);
    Path job = rte.jobDirectory().orElse(null);
    this.server = job == null ? null : open(JobDirectory.ofRank(job, rank), terminal);
    if (job != null) {
      if (rank == 0) {
        JobRank.sweep(job);
      }
      LauncherWatch.whenEnded(
          System.getenv(Hosts.LAUNCHER), stop == null ? RankServer::exit : stop);
    }
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

  /** Opens the server; null if it cannot be opened, because a rank works without answers, too. */
  private @Nullable ControlServer open(Path directory, Terminal terminal) {
    try {
      return ControlServer.open(directory, this);
    } catch (TuttiException e) {
      terminal
          .err()
          .println("tutti: note: 'tutti status' cannot see this rank: " + e.getLocalizedMessage());
      return null;
    }
  }

  /** Notes that the ranks have met and work with a host; returns the host. */
  public HostUse serving(HostUse host) {
    serving(host.context());
    return host;
  }

  /** Notes that the ranks have met and work with a context. */
  public void serving(Context joined) {
    context = joined;
  }

  @Override
  public int handle(ControlRequest request, PrintWriter out, PrintWriter err) {
    if (request.arguments().equals(STATUS)) {
      out.println(RankReport.of(rank, rte.ranks(), start, context).json());
      return ExitCode.OK;
    }
    err.println(Sentence.of("rank %d of a job of %d takes no such command", rank, rte.ranks()));
    return ExitCode.BAD_INPUT;
  }

  @Override
  public void close() {
    if (server == null) {
      return;
    }
    server.close();
    try {
      ControlServer.sweep(JobDirectory.ofRank(rte.jobDirectory().orElseThrow(), rank));
    } catch (IOException e) {
      // The launcher removes it with its own directory.
    }
  }
}
