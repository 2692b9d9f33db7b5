package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.memory.SharedMemory;
import dev.tutti.engine.message.MessageWorld;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.topology.Topology;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * This process as one of those of a job, which have a rank each, or several. All others are
 * connected to the first one, which has rank 0 and passes messages on; the end of a connection says
 * that a process has ended. Messages that take time are handled one after another by a thread of
 * their own, in the order of their sender. Thread-safe.
 */
public final class Job implements AutoCloseable {

  /** How often a process looks whether the others live once rank 0 has left. */
  private static final long WATCH_NANOS = 20_000_000;

  /** The process that has rank 0. */
  private static final int FIRST = 0;

  static final byte[] NOTHING = {};

  private final Clock clock;
  private final MemoryWindows windows;

  private final @Nullable MessageWorld world;
  private final @Nullable JobConnection[] connections;
  private final JobProcesses processes;
  private final JobPresence presence;
  private final JobThread thread = new JobThread();
  private final JobGroups groups = new JobGroups(this);
  private final @Nullable GroupMaker maker;
  private final PlanningGate gate = new PlanningGate(this::isDoing);
  private final SwapLink swaps;

  private volatile boolean isClosed;

  private Job(
      JobMember member,
      JobEndpoint endpoint,
      @Nullable MessageWorld world,
      JobIdentity identity,
      Clock clock,
      long patienceNanos) {
    this.world = world;
    this.clock = clock;
    String what = world == null ? "rank" : "MPI process";
    JobEntrance.Joined joined =
        new JobEntrance(member, endpoint, what, identity, clock, patienceNanos).join();
    this.connections = joined.connections();
    this.processes = joined.processes();
    this.windows = new MemoryWindows(rank(), this::tellFreed);
    this.swaps = new SwapLink(processes, this::send, this::isDoing);
    this.presence = new JobPresence(processes.count());
    this.maker =
        processes.own() != FIRST
            ? null
            : world == null
                ? new GroupMaker(windows, 0, processes::processOf, this::send)
                : new GroupMaker(
                    null, MessageLinks.channels(world), processes::processOf, this::send);
  }

  /**
   * Joins the other processes of a job, and waits until all are there.
   *
   * @param identity what must be the same in all of them
   * @param patienceNanos how long to wait for the others
   * @throws TuttiException with {@link ErrorCode#JOB_REFUSED} if some do not come, or differ;
   *     {@link ErrorCode#UNSUPPORTED} on a system without shared memory
   */
  public static Job join(JobPlace place, JobIdentity identity, Clock clock, long patienceNanos) {
    SharedMemory.requireAvailable();
    JobMember member = JobMember.here(place.rank(), place.size(), 1, place.token());
    UnixEndpoint endpoint = new UnixEndpoint(place.directory());
    Job job = new Job(member, endpoint, null, identity, clock, patienceNanos);
    job.listen();
    return job;
  }

  /**
   * Joins the other processes of a job that share no memory, and waits until all are there. The
   * first one sends its network address in messages, and the others connect to it.
   *
   * @param ranks how many ranks this process has
   * @param identity what must be the same in all of them
   * @param patienceNanos how long to wait for the others
   * @throws TuttiException with {@link ErrorCode#JOB_REFUSED} if some do not come, or differ
   */
  public static Job join(
      MessageWorld world, int ranks, JobIdentity identity, Clock clock, long patienceNanos) {
    EndpointExchange address = EndpointExchange.of(world, ranks, clock, patienceNanos);
    Job job = new Job(address.member(), address.endpoint(), world, identity, clock, patienceNanos);
    job.listen();
    return job;
  }

  private void listen() {
    for (int process = 0; process < connections.length; process++) {
      JobConnection connection = connections[process];
      if (connection != null) {
        int other = process;
        Thread.ofPlatform()
            .daemon()
            .name("tutti-job-process-" + process)
            .start(() -> listen(other, connection));
      }
    }
  }

  /** The first rank of this process, which speaks for it. */
  public int rank() {
    return processes.firstRank(processes.own());
  }

  /** How many ranks this process has, which follow each other. */
  public int ranksHere() {
    return processes.ranks()[processes.own()];
  }

  /** The number of ranks. */
  public int size() {
    return processes.size();
  }

  /** Whether all ranks are in this process. */
  public boolean isAlone() {
    return processes.count() == 1;
  }

  /** How many ranks each process has, for example {@code "2+2"}. */
  public String shape() {
    return IntStream.of(processes.ranks())
        .mapToObj(String::valueOf)
        .collect(Collectors.joining("+"));
  }

  /** The process number of a rank. */
  public long process(int rank) {
    return processes.numbers()[processes.processOf(rank)];
  }

  /** A node for each machine; empty if there is one only, or its ranks are not in a row. */
  public Optional<Topology> topology() {
    return processes.topology();
  }

  /** Whether the processes share memory. */
  public boolean sharesMemory() {
    return world == null;
  }

  /** Whether messages may still touch memory that is no longer in use. */
  public boolean isAbandoned() {
    return world != null && world.isAbandoned();
  }

  /** How the processes send each other data; null if they share memory. */
  @Nullable MessageWorld world() {
    return world;
  }

  JobProcesses processes() {
    return processes;
  }

  /** The memory that the processes share. */
  public MemoryWindows windows() {
    return windows;
  }

  /** Keeps plans on one side of a change of plugins. */
  public PlanningGate gate() {
    return gate;
  }

  /** The way to the others for changes of plugins. */
  public SwapLink swaps() {
    return swaps;
  }

  /** Whether a process is in the job: it has not left, and is not lost. */
  public boolean isPresent(int process) {
    return presence.holds(process);
  }

  /** A rank and its process, and what is special about that, in words. */
  public String describe(int rank) {
    return processes.describe(rank);
  }

  // What comes.

  private void listen(int process, JobConnection connection) {
    try {
      while (true) {
        pass(connection.read());
      }
    } catch (IOException e) {
      // The other process has ended, or this one closes.
    } finally {
      connection.close();
      hasEnded(process);
    }
  }

  /**
   * Sends a message, through the first process if need be. Threads of callers may be interrupted,
   * which would end a connection, so the job's thread does it.
   */
  void send(JobMessage message) {
    if (thread.isCurrent()) {
      pass(message);
    } else {
      execute(() -> pass(message));
    }
  }

  /** Passes a message on, or receives it; on threads of the job. */
  private void pass(JobMessage message) {
    int process = processes.processOf(message.to());
    if (process == processes.own()) {
      receive(message);
      return;
    }
    JobConnection connection = connections[processes.own() == FIRST ? process : FIRST];
    if (connection != null) {
      connection.send(message);
    }
  }

  /**
   * Refuses messages that no process forwards.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if rank 0 has left the job; {@link
   *     ErrorCode#PEER_LOST} if it has ended without that
   */
  void requireRoute() {
    if (presence.hasLost(FIRST)) {
      throw new TuttiException(ErrorCode.PEER_LOST, "%s", processes.lost(FIRST));
    }
    if (processes.own() != FIRST && !presence.holds(FIRST)) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "rank 0 has left the job, and the ranks need it to agree; let it close its context last");
    }
  }

  private void tellAll(Kind kind, int group, long number) {
    for (int process = 0; process < processes.count(); process++) {
      if (process != processes.own()) {
        send(message(processes.firstRank(process), kind, group, number, NOTHING));
      }
    }
  }

  private void tellFreed(long number) {
    if (!isClosed) {
      tellAll(Kind.FREED, 0, number);
    }
  }

  private void receive(JobMessage message) {
    switch (message.kind()) {
      case LEAVE -> hasLeft(processes.processOf(message.from()));
      case GONE -> isLost((int) message.number());
      default -> execute(() -> handle(message));
    }
  }

  /** Does something on the job's thread, after what came before. */
  void execute(Runnable step) {
    // A process that is leaving does nothing more.
    boolean ignored = isDoing(step);
  }

  /** The same; returns whether it will be done, because this process is not leaving. */
  public boolean isDoing(Runnable step) {
    return thread.isDoing(step);
  }

  private void handle(JobMessage message) {
    switch (message.kind()) {
      case FREED -> windows.forget(message.from(), message.number());
      case SWAP -> swaps.receive(message);
      case GROUP -> {
        if (maker != null) {
          maker.asked(message);
        }
      }
      case GROUP_FREED -> {
        if (maker != null) {
          maker.freed(message.group());
        }
      }
      default -> groups.receive(message);
    }
  }

  /** The groups that this process has a rank of. */
  public JobGroups groups() {
    return groups;
  }

  private JobMessage message(int to, Kind kind, int group, long number, byte[] body) {
    return new JobMessage(to, rank(), kind, group, 0, number, body);
  }

  /** Tells a rank something about a group, unless this process is leaving. */
  void tell(int to, Kind kind, int group, byte[] body) {
    if (!isClosed) {
      send(message(to, kind, group, 0, body));
    }
  }

  // Ends.

  private void hasLeft(int process) {
    presence.leave(process);
    swaps.ended(process, false);
    if (process == FIRST) {
      Thread.ofPlatform().daemon().name("tutti-job-watch").start(this::watch);
    }
  }

  /** A connection has ended. */
  private void hasEnded(int process) {
    if (!presence.holds(process) || isClosed) {
      return;
    }
    isLost(process);
    if (processes.own() == FIRST) {
      for (int other = 1; other < processes.count(); other++) {
        // At once, whatever the job's thread is at.
        pass(message(processes.firstRank(other), Kind.GONE, 0, process, NOTHING));
      }
    } else {
      watch();
    }
  }

  private void isLost(int process) {
    if (!presence.lose(process)) {
      return;
    }
    groups.lost(process);
    swaps.ended(process, true);
    if (world != null) {
      world.abandon();
    }
  }

  /** Whether a process has ended without leaving the job. */
  public boolean hasLost(int process) {
    return presence.hasLost(process);
  }

  /**
   * Once the first one is gone, each process itself looks whether others of its machine have ended.
   */
  private void watch() {
    while (!isClosed) {
      for (int process = 1; process < processes.count(); process++) {
        boolean isOther = process != processes.own();
        if (isOther && presence.holds(process) && processes.hasEnded(process)) {
          isLost(process);
        }
      }
      clock.park(this, WATCH_NANOS);
    }
  }

  /**
   * Leaves the job. Rank 0 waits for the others first, as their messages go through it.
   *
   * @param patienceNanos how long rank 0 waits, and each rank for its last messages to be sent
   */
  public void leave(long patienceNanos) {
    if (processes.own() == FIRST) {
      presence.leave(FIRST);
      presence.awaitNone(clock, patienceNanos);
    }
    tellAll(Kind.LEAVE, 0, 0);
    thread.end();
    thread.await(clock, patienceNanos);
    close();
  }

  @Override
  public void close() {
    isClosed = true;
    thread.end();
    swaps.closed();
    for (JobConnection each : connections) {
      if (each != null) {
        each.close();
      }
    }
    if (world != null) {
      world.close();
    }
  }
}
