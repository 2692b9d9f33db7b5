package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How the processes of a job come together: rank 0 listens at an endpoint, the others connect and
 * identify themselves, and rank 0 answers when all are there. It then stops listening. The
 * connections stay open, and their end shows that a process has ended.
 */
final class JobEntrance {

  private static final long RETRY_NANOS = 2_000_000;
  private static final String FORMAT = "tutti-job/2";

  private final JobMember member;
  private final JobEndpoint endpoint;
  private final JobIdentity identity;
  private final Clock clock;
  private final long patienceNanos;

  /** Connections by rank, of which that to oneself is null, and all processes. */
  record Joined(@Nullable JobConnection[] connections, JobProcesses processes) {}

  /**
   * The entrance of a process.
   *
   * @param patienceNanos how long to wait for the others
   */
  JobEntrance(
      JobMember member,
      JobEndpoint endpoint,
      JobIdentity identity,
      Clock clock,
      long patienceNanos) {
    this.member = member;
    this.endpoint = endpoint;
    this.identity = identity;
    this.clock = clock;
    this.patienceNanos = patienceNanos;
  }

  /** Waits until all processes are there. */
  Joined join() {
    return member.rank() == 0 ? lead() : follow();
  }

  private static TuttiException refused(String format, Object... arguments) {
    return new TuttiException(ErrorCode.JOB_REFUSED, format, arguments);
  }

  // Rank 0.

  /** Those who have come. Guarded by itself. */
  private final class Arrived {
    private final @Nullable JobConnection[] connections = new JobConnection[member.size()];
    private final long[] processes = new long[member.size()];
    private final String[] machines = new String[member.size()];
    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private int missing = member.size() - 1;

    /** Those who have not said who they are. */
    private final Set<JobConnection> strangers = new HashSet<>();

    private boolean isClosed;

    Arrived() {
      processes[0] = ProcessHandle.current().pid();
      machines[0] = member.machine();
      complete();
    }

    private void complete() {
      if (missing == 0) {
        all.complete(null);
      }
    }

    /** Somebody comes, and stays until the door is closed. */
    synchronized void greet(JobConnection connection) {
      strangers.add(connection);
      if (isClosed) {
        connection.close();
      }
    }

    /** Somebody goes. */
    synchronized void dismiss(JobConnection connection) {
      strangers.remove(connection);
      connection.close();
    }

    /** Lets nobody in any more. */
    synchronized void closeDoor() {
      isClosed = true;
      strangers.forEach(JobConnection::close);
    }

    synchronized void add(int rank, long process, String machine, JobConnection connection) {
      if (rank == 0 || connections[rank] != null) {
        throw refused(
            "rank %d of this job is process %d already; start each rank once",
            rank, processes[rank]);
      }
      strangers.remove(connection);
      connections[rank] = connection;
      processes[rank] = process;
      machines[rank] = machine;
      missing--;
      complete();
    }

    synchronized List<Integer> missing() {
      List<Integer> ranks = new ArrayList<>();
      for (int rank = 1; rank < connections.length; rank++) {
        if (connections[rank] == null) {
          ranks.add(rank);
        }
      }
      return ranks;
    }

    synchronized void tell(JobMessage message) {
      for (JobConnection each : connections) {
        if (each != null) {
          each.send(message);
        }
      }
    }

    synchronized void refuse(JobMessage message) {
      tell(message);
      for (JobConnection each : connections) {
        if (each != null) {
          each.close();
        }
      }
    }
  }

  private Joined lead() {
    Arrived arrived = new Arrived();
    try (ServerSocketChannel server = endpoint.listen()) {
      try {
        Thread.ofPlatform().daemon().name("tutti-job-door").start(() -> accept(server, arrived));
        await(arrived);
      } finally {
        endpoint.cleanUp();
        arrived.closeDoor();
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new TuttiException(
          ErrorCode.JOB_REFUSED,
          e,
          "rank 0 cannot listen on %s: %s; another process may be rank 0 of this job already, or the"
              + " path may be too long for a socket",
          endpoint,
          e.getMessage());
    }
    BodyWriter body = new BodyWriter();
    for (int rank = 0; rank < member.size(); rank++) {
      body.number(arrived.processes[rank]).text(arrived.machines[rank]);
    }
    arrived.tell(message(Kind.WELCOME, body));
    return new Joined(
        arrived.connections, new JobProcesses(0, arrived.processes, arrived.machines));
  }

  private JobMessage message(Kind kind, BodyWriter body) {
    return new JobMessage(0, member.rank(), kind, 0, 0, 0, body.bytes());
  }

  private void await(Arrived arrived) {
    try {
      arrived.all.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException | ExecutionException e) {
      TuttiException error =
          e instanceof ExecutionException failed
                  && failed.getCause() instanceof TuttiException cause
              ? cause
              : refused(
                  "%s of %d ranks of the job did not come within %.1f s%s: ranks %s",
                  arrived.missing().size(),
                  member.size(),
                  patienceNanos / 1e9,
                  e instanceof InterruptedException ? ", when the wait was interrupted" : "",
                  arrived.missing());
      arrived.refuse(message(Kind.REFUSED, new BodyWriter().error(error)));
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw error;
    }
  }

  private void accept(ServerSocketChannel server, Arrived arrived) {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        Thread.ofVirtual().name("tutti-job-greeting").start(() -> greet(channel, arrived));
      }
    } catch (IOException e) {
      // The door is closed: all are in, or somebody did not come.
    }
  }

  private void greet(SocketChannel channel, Arrived arrived) {
    JobConnection connection = new JobConnection(channel);
    arrived.greet(connection);
    try {
      endpoint.check(channel);
      JobMessage hello = connection.read();
      BodyReader body = hello.reader();
      if (hello.kind() != Kind.HELLO || !body.text().equals(FORMAT)) {
        throw refused("what came is no process of this version of Tutti");
      }
      requireToken(body.text());
      int rank = body.count();
      int size = body.count();
      long process = body.number();
      String machine = body.text();
      if (size != member.size() || rank >= size) {
        throw refused(
            "all processes of a job must have the same number of ranks, but process %d is rank %d of"
                + " %d, and rank 0 expects %d",
            process, rank, size, member.size());
      }
      identity.requireSame(new JobIdentity(body.texts()), rank);
      arrived.add(rank, process, machine, connection);
    } catch (IOException e) {
      arrived.dismiss(connection);
    } catch (TuttiException e) {
      connection.send(message(Kind.REFUSED, new BodyWriter().error(e)));
      arrived.dismiss(connection);
    }
  }

  private void requireToken(String token) {
    byte[] given = token.getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(given, member.token().getBytes(StandardCharsets.UTF_8))) {
      throw refused("the token is not that of this job: the process belongs to another one");
    }
  }

  // All others.

  private Joined follow() {
    SocketChannel channel = connect();
    JobConnection connection = new JobConnection(channel);
    BodyWriter body = new BodyWriter().text(FORMAT).text(member.token());
    body.number(member.rank()).number(member.size()).number(ProcessHandle.current().pid());
    body.text(member.machine());
    connection.send(message(Kind.HELLO, body.texts(identity.fields())));
    JobMessage answer = answer(connection);
    BodyReader reader = answer.reader();
    if (answer.kind() != Kind.WELCOME) {
      connection.close();
      throw reader.error();
    }
    long[] processes = new long[member.size()];
    String[] machines = new String[member.size()];
    for (int rank = 0; rank < processes.length; rank++) {
      processes[rank] = reader.number();
      machines[rank] = reader.text();
    }
    @Nullable JobConnection[] connections = new JobConnection[member.size()];
    connections[0] = connection;
    return new Joined(connections, new JobProcesses(member.rank(), processes, machines));
  }

  private SocketChannel connect() {
    long end = clock.nanoTime() + patienceNanos;
    while (true) {
      try {
        return endpoint.connect();
      } catch (IOException | IllegalArgumentException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw refused(
              "rank 0 of the job has not come, and this process was told to end: nobody listens on %s",
              endpoint);
        }
        if (clock.nanoTime() - end >= 0) {
          throw refused(
              "rank 0 of the job did not come within %.1f s: nobody listens on %s (%s)",
              patienceNanos / 1e9, endpoint, String.valueOf(e.getMessage()));
        }
        clock.park(this, RETRY_NANOS);
      }
    }
  }

  /** Rank 0 answers when all have come, or when its patience is over. */
  private JobMessage answer(JobConnection connection) {
    CompletableFuture<JobMessage> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("tutti-job-answer")
        .start(
            () -> {
              try {
                answer.complete(connection.read());
              } catch (IOException e) {
                answer.completeExceptionally(e);
              }
            });
    try {
      return answer.get(2 * patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw refused("rank 0 of the job has ended before all ranks had come");
    } catch (TimeoutException | InterruptedException e) {
      connection.close();
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw refused("rank 0 of the job has not answered within %.1f s", 2 * patienceNanos / 1e9);
    }
  }
}
