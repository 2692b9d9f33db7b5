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
import org.jspecify.annotations.Nullable;

/**
 * The job of this process. A job consists of processes, each with one rank or several. All others
 * are connected to the first one, which has rank 0 and forwards messages. The end of a connection
 * shows that a process has ended. The job's thread handles slow messages one after another; those
 * of one sender in the order in which they were sent. Thread-safe.
 */
public final class Job implements AutoCloseable {

  /** The interval of the checks whether other processes are alive, once rank 0 has left. */
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
  private final GroupMaker maker;
  private final PlanningGate gate = new PlanningGate(this::isDoing);
  private final SwapLink swaps;
  private final JobEnding ending = new JobEnding(() -> tellAll(Kind.END, 0, 0));
  private final JobReports reports;

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
    this.reports = new JobReports(processes, presence, this::pass);
    this.maker =
        world == null
            ? new GroupMaker(windows, 0, processes::processOf, this::send)
            : new GroupMaker(null, MessageLinks.channels(world), processes::processOf, this::send);
  }

  /**
   * Joins the other processes of a job, and waits until all have joined.
   *
   * @param identity the facts that must be the same in all processes
   * @param patienceNanos the longest time to wait for the others
   * @throws TuttiException with {@link ErrorCode#JOB_REFUSED} if some do not arrive, or differ;
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
   * Joins the other processes of a job without shared memory, and waits until all have joined. The
   * first one sends its network address in messages, and the others connect to it.
   *
   * @param ranks the number of ranks of this process
   * @param identity the facts that must be the same in all processes
   * @param patienceNanos the longest time to wait for the others
   * @throws TuttiException with {@link ErrorCode#JOB_REFUSED} if some do not arrive, or differ
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

  /** The first rank of this process, which represents it. */
  public int rank() {
    return processes.firstRank(processes.own());
  }

  /** The number of ranks of this process; they are consecutive. */
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

  /** The numbers of ranks of the processes, for example {@code "2+2"}. */
  public String shape() {
    return processes.shape();
  }

  /** The process number of a rank. */
  public long process(int rank) {
    return processes.numbers()[processes.processOf(rank)];
  }

  /** The topology with a node for each machine; see {@link JobProcesses#topology}. */
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

  /** The message connection of the processes; null if they share memory. */
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

  /** The gate that separates plans before a change of plugins from plans after it. */
  public PlanningGate gate() {
    return gate;
  }

  /** The link to the other processes for changes of plugins. */
  public SwapLink swaps() {
    return swaps;
  }

  /** The request that the programs of all processes end. */
  public JobEnding ending() {
    return ending;
  }

  /** The reports of all processes about themselves. */
  public JobReports reports() {
    return reports;
  }

  /** Whether a process is in the job: it has neither left nor been lost. */
  public boolean isPresent(int process) {
    return presence.holds(process);
  }

  /** The process of a rank in words; see {@link JobProcesses#describe}. */
  public String describe(int rank) {
    return processes.describe(rank);
  }

  private void listen(int process, JobConnection connection) {
    try {
      while (true) {
        pass(connection.read());
      }
    } catch (IOException e) {
      // The other process has ended, or this one is closing.
    } finally {
      connection.close();
      hasEnded(process);
    }
  }

  /**
   * Sends a message, through the first process if necessary. The job's thread does this, because an
   * interrupt of a caller's thread would close the connection.
   */
  void send(JobMessage message) {
    if (thread.isCurrent()) {
      pass(message);
    } else {
      execute(() -> pass(message));
    }
  }

  /** Forwards a message, or receives it. Called on threads of the job. */
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
   * Refuses to send if no process forwards messages.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if rank 0 has left the job; {@link
   *     ErrorCode#PEER_LOST} if it has ended without leaving
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
      case STATUS, STATUS_REPORT -> reports.receive(message);
      default -> execute(() -> handle(message));
    }
  }

  /** Runs a step on the job's thread, after all earlier steps. */
  void execute(Runnable step) {
    // A process that is leaving does nothing more.
    boolean ignored = isDoing(step);
  }

  /** As {@link #execute}; returns false if this process is leaving and will not run the step. */
  public boolean isDoing(Runnable step) {
    return thread.isDoing(step);
  }

  private void handle(JobMessage message) {
    switch (message.kind()) {
      case FREED -> windows.forget(message.from(), message.number());
      case SWAP -> swaps.receive(message);
      case END -> ending.isRequested();
      case GROUP -> maker.asked(message);
      case GROUP_FREED -> maker.freed(message.group());
      default -> groups.receive(message);
    }
  }

  /** The groups that have ranks of this process. */
  public JobGroups groups() {
    return groups;
  }

  private JobMessage message(int to, Kind kind, int group, long number, byte[] body) {
    return new JobMessage(to, rank(), kind, group, 0, number, body);
  }

  /** Sends a rank a message about a group, unless this process is leaving. */
  void tell(int to, Kind kind, int group, byte[] body) {
    if (!isClosed) {
      send(message(to, kind, group, 0, body));
    }
  }

  private void hasLeft(int process) {
    leaves(process);
    reports.ended();
    swaps.ended(process, false);
    if (process == FIRST) {
      Thread.ofPlatform().daemon().name("tutti-job-watch").start(this::watch);
    }
  }

  private void leaves(int process) {
    presence.leave(process);
    execute(() -> maker.left(process, processes.left(process)));
  }

  /** Handles the end of a connection. */
  private void hasEnded(int process) {
    if (!presence.holds(process) || isClosed) {
      return;
    }
    if (processes.own() == FIRST) {
      // At once, even if the job's thread is busy, and before a caller here sees the loss and
      // leaves.
      for (int other = 1; other < processes.count(); other++) {
        pass(message(processes.firstRank(other), Kind.GONE, 0, process, NOTHING));
      }
    }
    isLost(process);
    if (processes.own() != FIRST) {
      watch();
    }
  }

  private void isLost(int process) {
    if (world != null) {
      // First, because a caller that sees the loss may free memory and leave at once.
      world.abandon();
    }
    if (!presence.lose(process)) {
      return;
    }
    reports.ended();
    groups.lost(process);
    swaps.ended(process, true);
  }

  /** Whether a process has ended without leaving the job. */
  public boolean hasLost(int process) {
    return presence.hasLost(process);
  }

  /** Checks whether others of this machine have ended, once the first process is gone. */
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
   * Leaves the job. Rank 0 waits for the others first, because it forwards their messages. Without
   * shared memory, they then wait for rank 0: closing the world would wait forever for a lost one.
   *
   * @param patienceNanos the longest time of each wait
   */
  public void leave(long patienceNanos) {
    if (processes.own() == FIRST) {
      leaves(FIRST);
      presence.awaitNone(clock, patienceNanos);
    }
    tellAll(Kind.LEAVE, 0, 0);
    if (processes.own() != FIRST && world != null) {
      presence.awaitLossOrLeave(FIRST, clock, patienceNanos);
    }
    thread.end(maker::close);
    thread.await(clock, patienceNanos);
    close();
  }

  @Override
  public void close() {
    isClosed = true;
    thread.end(maker::close);
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
