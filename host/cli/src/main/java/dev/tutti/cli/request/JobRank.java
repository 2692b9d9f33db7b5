package dev.tutti.cli.request;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.mpi.MpiWorld;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * This process of a job, and its exchange of numbers with the others outside measured operations.
 * All processes must make the same calls in the same order. Not thread-safe.
 */
public final class JobRank implements AutoCloseable {

  /**
   * The time that a process waits for another one between two operations, if no deadline is given.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final int own;
  private final int processes;
  private final int reporter;
  private final JobMeeting meeting;

  /**
   * Makes the rank of this process.
   *
   * @param reporter the rank whose process decides and reports
   * @param deadline the longest time to wait for another process; null for a minute
   */
  public JobRank(Context context, Group group, int reporter, @Nullable Duration deadline) {
    Duration patience = deadline == null ? PATIENCE : deadline;
    Path job = context.rte().jobDirectory().orElse(null);
    if (job != null) {
      this.own = group.localRanks()[0];
      this.processes = group.rankSize();
      this.meeting =
          MemoryMeeting.open(job, own, processes, peersOf(group), Waiting.system(), patience);
    } else {
      MpiWorld world = MpiWorld.joined();
      this.own = world.process();
      this.processes = world.processes();
      this.meeting = new MessageMeeting(world, peersOf(group), Waiting.system(), patience);
    }
    this.reporter = processOf(reporter, group);
  }

  /** The process that has a rank. Only that process knows it, so the processes meet to find it. */
  private int processOf(int rank, Group group) {
    boolean isHere = IntStream.of(group.localRanks()).anyMatch(each -> each == rank);
    meeting.meet(isHere ? 1 : 0);
    for (int process = 0; process < processes; process++) {
      if (process == own ? isHere : meeting.saidBy(process) == 1) {
        return process;
      }
    }
    throw new IllegalStateException("no process has rank " + rank);
  }

  /**
   * Removes the file that a dead job has left in its directory. Rank 0 must call this before the
   * processes of the next job meet there.
   *
   * @throws TuttiException with {@link ErrorCode#OUTPUT_UNWRITABLE} if it cannot be removed
   */
  public static void sweep(Path job) {
    MemoryMeeting.sweep(job);
  }

  private static JobMeeting.Peers peersOf(Group group) {
    return () -> {
      if (group.isPoisoned()) {
        group.rank(group.localRanks()[0]).barrier();
      }
    };
  }

  /** Whether the groups of a context have their ranks in several processes. */
  public static boolean isOf(Context context) {
    return context.rte().ranks() > 0;
  }

  /** Whether this process decides and reports. */
  public boolean isReporter() {
    return own == reporter;
  }

  /** The value that the reporter passes. */
  public long reported(long value) {
    meeting.meet(value);
    return meeting.saidBy(reporter);
  }

  /** The largest value of all processes. */
  public long most(long value) {
    meeting.meet(value);
    long most = value;
    for (int other = 0; other < processes; other++) {
      most = Math.max(most, meeting.saidBy(other));
    }
    return most;
  }

  /** The sum of the values of all processes. */
  long sum(long value) {
    meeting.meet(value);
    long sum = 0;
    for (int each = 0; each < processes; each++) {
      sum += each == own ? value : meeting.saidBy(each);
    }
    return sum;
  }

  /** Waits for all processes. */
  public void barrier() {
    meeting.meet(0);
  }

  /**
   * Runs a check in all processes; if it finds a wrong result in one, it fails in all.
   *
   * @throws TuttiException the exception of the check; with {@link ErrorCode#WRONG_RESULT} where
   *     only another process found a wrong result
   */
  void together(Runnable check) {
    TuttiException failure = null;
    try {
      check.run();
    } catch (TuttiException e) {
      if (e.code() != ErrorCode.WRONG_RESULT) {
        throw e;
      }
      failure = e;
    }
    boolean hasAnyFailed = most(failure == null ? 0 : 1) > 0;
    if (failure != null) {
      throw failure;
    }
    if (hasAnyFailed) {
      throw new TuttiException(
          ErrorCode.WRONG_RESULT,
          "a rank of another process has a wrong result; that process says which");
    }
  }

  @Override
  public void close() {
    meeting.close();
  }
}
