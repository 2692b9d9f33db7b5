package dev.tutti.cli.request;

import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.mpi.MpiWorld;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rank of this process, where each other rank is a process too: what the ranks tell each other
 * beside what is measured. All ranks must ask the same in the same order. Not thread-safe.
 */
public final class JobRank implements AutoCloseable {

  /** What a rank waits for another one between two operations, unless a deadline is given. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final int rank;
  private final int ranks;
  private final int reporter;
  private final JobMeeting meeting;

  /**
   * The rank of this process.
   *
   * @param reporter the rank that decides and reports
   * @param deadline how long to wait for another rank; null for a minute
   */
  JobRank(Context context, Group group, int reporter, @Nullable Duration deadline) {
    this.rank = group.localRanks()[0];
    this.ranks = group.rankSize();
    this.reporter = reporter;
    Duration patience = deadline == null ? PATIENCE : deadline;
    this.meeting =
        context
            .rte()
            .jobDirectory()
            .map(job -> meeting(job, group, patience))
            .orElseGet(
                () ->
                    new MessageMeeting(
                        MpiWorld.joined(), peersOf(group), Waiting.system(), patience));
  }

  private static JobMeeting meeting(Path job, Group group, Duration patience) {
    return MemoryMeeting.open(
        job, group.localRanks()[0], group.rankSize(), peersOf(group), Waiting.system(), patience);
  }

  /**
   * Removes what a job that has died has left in its directory. Rank 0 calls this before the
   * processes of the next one have met there.
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

  /** Whether this rank decides and reports. */
  public boolean isReporter() {
    return rank == reporter;
  }

  /** What the reporter says. */
  public long reported(long value) {
    meeting.meet(value);
    return meeting.saidBy(reporter);
  }

  /** The most that any rank says. */
  public long most(long value) {
    meeting.meet(value);
    long most = value;
    for (int other = 0; other < ranks; other++) {
      most = Math.max(most, meeting.saidBy(other));
    }
    return most;
  }

  /** The sum of what all ranks say. */
  long sum(long value) {
    meeting.meet(value);
    long sum = 0;
    for (int each = 0; each < ranks; each++) {
      sum += each == rank ? value : meeting.saidBy(each);
    }
    return sum;
  }

  /** Waits for all ranks. */
  public void barrier() {
    meeting.meet(0);
  }

  /**
   * Does something on all ranks of which one may fail.
   *
   * @throws TuttiException what it throws; on ranks where it throws nothing, with the code of a
   *     wrong result
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
          ErrorCode.WRONG_RESULT, "another rank has got a wrong result; it says which");
    }
  }

  @Override
  public void close() {
    meeting.close();
  }
}
