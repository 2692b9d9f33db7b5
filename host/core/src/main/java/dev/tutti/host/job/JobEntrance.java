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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Connects the processes of a job with each other. The first one, which has rank 0, listens at an
 * endpoint. The others connect and identify themselves, and rank 0 answers when all have arrived.
 * It then stops listening. The connections stay open, and their end shows that a process has ended.
 */
final class JobEntrance {

  private static final long RETRY_NANOS = 2_000_000;
  private static final String FORMAT = "tutti-job/3";

  private final JobMember member;
  private final JobEndpoint endpoint;

  /** The word for a process that is known only by its number. */
  private final String what;

  private final JobIdentity identity;
  private final Clock clock;
  private final long patienceNanos;

  /** The connections by process (null for this process), and all processes. */
  record Joined(@Nullable JobConnection[] connections, JobProcesses processes) {}

  /**
   * The entrance of a process.
   *
   * @param what the word for a process that is known only by its number: {@code "rank"} if each
   *     process has one rank
   * @param patienceNanos the longest time to wait for the others
   */
  JobEntrance(
      JobMember member,
      JobEndpoint endpoint,
      String what,
      JobIdentity identity,
      Clock clock,
      long patienceNanos) {
    this.member = member;
    this.endpoint = endpoint;
    this.what = what;
    this.identity = identity;
    this.clock = clock;
    this.patienceNanos = patienceNanos;
  }

  /** Waits until all processes have arrived. */
  Joined join() {
    return member.process() == 0 ? lead() : follow();
  }

  private String name(int process) {
    return what + " " + process;
  }

  private static TuttiException refused(String format, Object... arguments) {
    return new TuttiException(ErrorCode.JOB_REFUSED, format, arguments);
  }

  // Rank 0.

  /** The processes that have joined. Guarded by itself. */
  private final class Arrived {
    private final @Nullable JobConnection[] connections = new JobConnection[member.processes()];
    private final long[] numbers = new long[member.processes()];
    private final String[] machines = new String[member.processes()];
    private final int[] ranks = new int[member.processes()];
    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private int missing = member.processes() - 1;

    /** The connections whose process is not known yet. */
    private final Set<JobConnection> strangers = new HashSet<>();

    private boolean isClosed;

    Arrived() {
      numbers[0] = ProcessHandle.current().pid();
      machines[0] = member.machine();
      ranks[0] = member.ranks();
      complete();
    }

    private void complete() {
      if (missing == 0) {
        all.complete(null);
      }
    }

    /** Adds a connection whose process is not known yet; closes it if no more are accepted. */
    synchronized void greet(JobConnection connection) {
      strangers.add(connection);
      if (isClosed) {
        connection.close();
      }
    }

    /** Removes and closes a connection whose process does not join. */
    synchronized void dismiss(JobConnection connection) {
      strangers.remove(connection);
      connection.close();
    }

    /** Accepts no more processes. */
    synchronized void closeDoor() {
      isClosed = true;
      strangers.forEach(JobConnection::close);
    }

    synchronized void add(JobMember other, long number, JobConnection connection) {
      int process = other.process();
      if (process == 0 || connections[process] != null) {
        throw refused(
            "%s of this job is process %d already; start each process once",
            name(process), numbers[process]);
      }
      strangers.remove(connection);
      connections[process] = connection;
      numbers[process] = number;
      machines[process] = other.machine();
      ranks[process] = other.ranks();
      missing--;
      complete();
    }

    synchronized List<Integer> missing() {
      List<Integer> processes = new ArrayList<>();
      for (int process = 1; process < connections.length; process++) {
        if (connections[process] == null) {
          processes.add(process);
        }
      }
      return processes;
    }

    /** Refuses more ranks than a job can have. */
    synchronized void requireFewRanks() {
      int sum = IntStream.of(ranks).sum();
      if (sum > JobPlace.MAX_RANKS) {
        throw new TuttiException(
            ErrorCode.INVALID_RANK,
            "a job has at most %d ranks. Actual: %d, in %d processes: %s",
            JobPlace.MAX_RANKS,
            sum,
            ranks.length,
            Arrays.toString(ranks));
      }
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
    for (int process = 0; process < member.processes(); process++) {
      body.number(arrived.numbers[process]).text(arrived.machines[process]);
      body.number(arrived.ranks[process]);
    }
    arrived.tell(message(Kind.WELCOME, body));
    return new Joined(
        arrived.connections, new JobProcesses(0, arrived.numbers, arrived.machines, arrived.ranks));
  }

  private JobMessage message(Kind kind, BodyWriter body) {
    return new JobMessage(0, member.process(), kind, 0, 0, 0, body.bytes());
  }

  private void await(Arrived arrived) {
    try {
      arrived.all.get(patienceNanos, TimeUnit.NANOSECONDS);
      arrived.requireFewRanks();
    } catch (TuttiException e) {
      arrived.refuse(message(Kind.REFUSED, new BodyWriter().error(e)));
      throw e;
    } catch (TimeoutException | InterruptedException | ExecutionException e) {
      TuttiException error =
          e instanceof ExecutionException failed
                  && failed.getCause() instanceof TuttiException cause
              ? cause
              : refused(
                  "%s of %d processes of the job did not join within %.1f s%s: %s",
                  arrived.missing().size(),
                  member.processes(),
                  patienceNanos / 1e9,
                  e instanceof InterruptedException ? ", when the wait was interrupted" : "",
                  arrived.missing().stream().map(this::name).collect(Collectors.joining(", ")));
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
      // The server is closed: all processes have joined, or one is missing.
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
        throw refused("the other side is not a process of this version of Tutti");
      }
      requireToken(body.text());
      JobMember other =
          new JobMember(body.count(), body.count(), body.count(), member.token(), body.text());
      long number = body.number();
      if (other.processes() != member.processes() || other.process() >= other.processes()) {
        throw refused(
            "all processes of a job must expect the same number of processes, but process %d is %s"
                + " of %d, and %s expects %d",
            number, name(other.process()), other.processes(), name(0), member.processes());
      }
      identity.requireSame(new JobIdentity(body.texts()), name(0), name(other.process()));
      arrived.add(other, number, connection);
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
      throw refused("the token is not that of this job: the process belongs to another job");
    }
  }

  // All other ranks.

  private Joined follow() {
    SocketChannel channel = connect();
    JobConnection connection = new JobConnection(channel);
    BodyWriter body = new BodyWriter().text(FORMAT).text(member.token());
    body.number(member.process()).number(member.processes()).number(member.ranks());
    body.text(member.machine()).number(ProcessHandle.current().pid());
    connection.send(message(Kind.HELLO, body.texts(identity.fields())));
    JobMessage answer = answer(connection);
    BodyReader reader = answer.reader();
    if (answer.kind() != Kind.WELCOME) {
      connection.close();
      throw reader.error();
    }
    long[] numbers = new long[member.processes()];
    String[] machines = new String[member.processes()];
    int[] ranks = new int[member.processes()];
    for (int process = 0; process < numbers.length; process++) {
      numbers[process] = reader.number();
      machines[process] = reader.text();
      ranks[process] = reader.count();
    }
    @Nullable JobConnection[] connections = new JobConnection[member.processes()];
    connections[0] = connection;
    return new Joined(connections, new JobProcesses(member.process(), numbers, machines, ranks));
  }

  private SocketChannel connect() {
    long end = clock.nanoTime() + patienceNanos;
    while (true) {
      try {
        return endpoint.connect();
      } catch (IOException | IllegalArgumentException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw refused(
              "rank 0 of the job did not join, and this process was told to end: nothing listens on"
                  + " %s",
              endpoint);
        }
        if (clock.nanoTime() - end >= 0) {
          throw refused(
              "rank 0 of the job did not join within %.1f s: nothing listens on %s (%s)",
              patienceNanos / 1e9, endpoint, String.valueOf(e.getMessage()));
        }
        clock.park(this, RETRY_NANOS);
      }
    }
  }

  /** The answer of rank 0, which comes when all have joined or its time to wait is over. */
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
      throw refused("rank 0 of the job has ended before all ranks had joined");
    } catch (TimeoutException | InterruptedException e) {
      connection.close();
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw refused("rank 0 of the job has not answered within %.1f s", 2 * patienceNanos / 1e9);
    }
  }
}
