package dev.tutti.host.job;

import dev.tutti.base.idle.Clock;
import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.engine.memory.SharedMemory;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * This process as one of the ranks of a job. All others are connected to rank 0, which passes
 * messages on; the end of a connection says that a process has ended. Messages that take time are
 * handled one after another by a thread of their own, in the order of their sender. Thread-safe.
 */
public final class Job implements AutoCloseable {

  /** How often a process looks whether the others live once rank 0 has left. */
  private static final long WATCH_NANOS = 20_000_000;

  private final JobPlace place;
  private final Clock clock;
  private final MemoryWindows windows;
  private final @Nullable JobConnection[] connections;
  private final long[] processes;
  private final ExecutorService work;
  private final Map<Integer, JobGroup> groups = new ConcurrentHashMap<>();
  private final AtomicInteger groupsMade = new AtomicInteger();
  private final @Nullable GroupMaker maker;
  private final PlanningGate gate = new PlanningGate(this::isDoing);
  private final SwapLink swaps;

  /** The ranks that have left in order, and those that are lost. Guarded by itself. */
  private final BitSet left = new BitSet();

  private final BitSet lost = new BitSet();
  private volatile boolean isClosed;

  private Job(JobPlace place, JobIdentity identity, Clock clock, long patienceNanos) {
    this.place = place;
    this.clock = clock;
    this.windows = new MemoryWindows(place.rank(), this::tellFreed);
    this.swaps = new SwapLink(place.rank(), this::send, this::isDoing);
    JobEntrance.Joined joined = new JobEntrance(place, identity, clock, patienceNanos).join();
    this.connections = joined.connections();
    this.processes = joined.processes();
    this.maker = place.rank() == 0 ? new GroupMaker(this) : null;
    this.work =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("tutti-job").factory());
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
    Job job = new Job(place, identity, clock, patienceNanos);
    for (int rank = 0; rank < job.size(); rank++) {
      JobConnection connection = job.connections[rank];
      if (connection != null) {
        int other = rank;
        Thread.ofPlatform()
            .daemon()
            .name("tutti-job-rank-" + rank)
            .start(() -> job.listen(other, connection));
      }
    }
    return job;
  }

  /** The rank of this process. */
  public int rank() {
    return place.rank();
  }

  /** The number of ranks. */
  public int size() {
    return place.size();
  }

  /** The process number of a rank. */
  public long process(int rank) {
    return processes[rank];
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

  /** Whether the process of another rank is in the job: it has not left, and is not lost. */
  public boolean isPresent(int rank) {
    synchronized (left) {
      return !left.get(rank);
    }
  }

  /** A rank and its process, and what is special about that, in words. */
  public String describe(int rank) {
    return ProcessState.of(processes[rank]).describe(processes[rank]);
  }

  // What comes.

  private void listen(int rank, JobConnection connection) {
    try {
      while (true) {
        send(connection.read());
      }
    } catch (IOException e) {
      // The other process has ended, or this one closes.
    } finally {
      connection.close();
      hasEnded(rank);
    }
  }

  /** Sends a message, through rank 0 if need be; one to this process is received at once. */
  void send(JobMessage message) {
    if (message.to() == rank()) {
      receive(message);
      return;
    }
    JobConnection connection = connections[rank() == 0 ? message.to() : 0];
    if (connection != null) {
      connection.send(message);
    }
  }

  /**
   * Refuses messages that nobody passes on.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} if rank 0 has left the job; {@link
   *     ErrorCode#PEER_LOST} if it is lost
   */
  void requireRoute() {
    synchronized (left) {
      if (lost.get(0)) {
        throw new TuttiException(
            ErrorCode.PEER_LOST, "rank 0 is lost: process %d has ended", processes[0]);
      }
      if (rank() != 0 && left.get(0)) {
        throw new TuttiException(
            ErrorCode.INVALID_STATE,
            "rank 0 has left the job, and ranks agree through it; let it close its context last");
      }
    }
  }

  private void tellAll(Kind kind, int group, long number) {
    for (int rank = 0; rank < size(); rank++) {
      if (rank != rank()) {
        send(new JobMessage(rank, rank(), kind, group, 0, number, new byte[0]));
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
      case LEAVE -> hasLeft(message.from());
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
    try {
      work.execute(step);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
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
      case GROUP_LEFT -> {
        group(message.group()).receive(message);
        if (maker != null) {
          maker.left(message.group());
        }
      }
      default -> group(message.group()).receive(message);
    }
  }

  private JobGroup group(int number) {
    return groups.computeIfAbsent(number, key -> new JobGroup(this, number));
  }

  // Groups.

  /**
   * Makes the next group of all ranks, together with all other processes.
   *
   * @param topology what must be the same in all of them, in words
   * @param patienceNanos how long to wait for the others
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH} if another process makes another
   *     group; {@link ErrorCode#DEADLINE_EXCEEDED}; {@link ErrorCode#PEER_LOST}
   */
  public JobGroup createGroup(String topology, long patienceNanos) {
    int number = groupsMade.incrementAndGet();
    JobGroup group = group(number);
    lost().forEach(group::lost);
    byte[] body = new BodyWriter().text(topology).bytes();
    send(new JobMessage(0, rank(), Kind.GROUP, number, 0, 0, body));
    group.awaitMemory(patienceNanos);
    return group;
  }

  void closed(JobGroup group) {
    if (!isClosed) {
      tellAll(Kind.GROUP_LEFT, group.number(), 0);
    }
    if (maker != null) {
      execute(() -> maker.left(group.number()));
    }
  }

  // Ends.

  private void hasLeft(int rank) {
    synchronized (left) {
      left.set(rank);
      left.notifyAll();
    }
    swaps.ended(rank, false);
    if (rank == 0) {
      Thread.ofPlatform().daemon().name("tutti-job-watch").start(this::watch);
    }
  }

  /** A connection has ended. */
  private void hasEnded(int rank) {
    synchronized (left) {
      if (left.get(rank) || isClosed) {
        return;
      }
    }
    isLost(rank);
    if (rank() == 0) {
      tellAll(Kind.GONE, 0, rank);
    } else {
      watch();
    }
  }

  private void isLost(int rank) {
    synchronized (left) {
      if (lost.get(rank)) {
        return;
      }
      lost.set(rank);
      left.set(rank);
      left.notifyAll();
    }
    groups.values().forEach(group -> group.lost(rank));
    swaps.ended(rank, true);
  }

  private List<Integer> lost() {
    synchronized (left) {
      return lost.stream().boxed().toList();
    }
  }

  /** Without rank 0 nobody tells of other deaths, so each process looks itself. */
  private void watch() {
    while (!isClosed) {
      for (int rank = 1; rank < size(); rank++) {
        boolean isWatched;
        synchronized (left) {
          isWatched = rank != rank() && !left.get(rank);
        }
        if (isWatched && !ProcessState.of(processes[rank]).isAlive()) {
          isLost(rank);
        }
      }
      clock.park(this, WATCH_NANOS);
    }
  }

  /**
   * Makes memory of a group that all processes map; of rank 0. It lasts as long as this process or
   * one of the mappings.
   */
  NativeMemory makeMemory(long bytes) {
    return windows.reserve(bytes, 0);
  }

  /**
   * Leaves the job. Rank 0 waits for the others first, as their messages go through it.
   *
   * @param patienceNanos how long rank 0 waits
   */
  public void leave(long patienceNanos) {
    if (rank() == 0) {
      awaitOthers(patienceNanos);
    }
    tellAll(Kind.LEAVE, 0, 0);
    close();
  }

  private void awaitOthers(long patienceNanos) {
    long end = clock.nanoTime() + patienceNanos;
    synchronized (left) {
      left.set(0);
      try {
        while (left.cardinality() < size() && end - clock.nanoTime() > 0) {
          left.wait(1 + (end - clock.nanoTime()) / 1_000_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
    work.shutdown();
    swaps.closed();
    for (JobConnection each : connections) {
      if (each != null) {
        each.close();
      }
    }
  }
}
