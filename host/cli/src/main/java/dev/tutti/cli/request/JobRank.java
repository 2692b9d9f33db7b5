package dev.tutti.cli.request;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RegisteredMemory;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The rank of this process, where each other rank is a process too: what the ranks tell each other
 * beside what is measured. All ranks must ask the same in the same order. Not thread-safe.
 */
public final class JobRank implements AutoCloseable {

  private final RankHandle rank;
  private final int reporter;
  private final RegisteredMemory memory;
  private final MemorySegment mine;
  private final MemorySegment all;

  /**
   * The rank of this process.
   *
   * @param reporter the rank that decides and reports
   */
  JobRank(Context context, Group group, int reporter) {
    this.rank = group.rank(group.localRanks()[0]);
    this.reporter = reporter;
    this.memory = context.allocate(2 * Long.BYTES);
    this.mine = memory.segment().asSlice(0, Long.BYTES);
    this.all = memory.segment().asSlice(Long.BYTES, Long.BYTES);
  }

  /** Whether the groups of a context have their ranks in several processes. */
  public static boolean isOf(Context context) {
    return context.rte().ranks() > 0;
  }

  /** Whether this rank decides and reports. */
  public boolean isReporter() {
    return rank.rank() == reporter;
  }

  /** What the reporter says. */
  public long reported(long value) {
    mine.set(ValueLayout.JAVA_LONG, 0, value);
    rank.broadcast(mine, DataType.INT64, reporter);
    return mine.get(ValueLayout.JAVA_LONG, 0);
  }

  /** The most that any rank says. */
  public long most(long value) {
    mine.set(ValueLayout.JAVA_LONG, 0, value);
    rank.allReduce(mine, all, DataType.INT64, ReduceOp.MAX);
    return all.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Waits for all ranks. */
  public void barrier() {
    rank.barrier();
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
    memory.close();
  }
}
