package dev.tutti.cli.request;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A meeting of processes on one machine, through a file that all of them map into memory. */
final class MemoryMeeting implements JobMeeting {

  /*
   * Each rank has a cache line: the number of its arrivals, its last two values, and whether it has
   * left. Two values suffice: no rank arrives for the third time before all have arrived for the
   * second, and by then all have read the values of the first.
   *
   * Once all have opened the file, its name is deleted.
   */

  private static final String FILE = "meeting";
  private static final int LINE = 64;
  private static final long SAID = Long.BYTES;
  private static final long HAS_LEFT = 3 * Long.BYTES;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final int rank;
  private final int ranks;
  private final Peers peers;
  private final Duration patience;
  private final Clock clock;
  private final Idler idler;
  private final Arena arena;
  private final MemorySegment lines;
  private long count;

  private MemoryMeeting(
      Arena arena,
      MemorySegment lines,
      int rank,
      int ranks,
      Peers peers,
      Waiting waiting,
      Duration patience) {
    this.arena = arena;
    this.lines = lines;
    this.rank = rank;
    this.ranks = ranks;
    this.peers = peers;
    this.patience = patience;
    this.clock = waiting.clock();
    this.idler = waiting.barrier(ranks).newIdler();
  }

  /**
   * Waits for the processes of all ranks.
   *
   * @param job the directory of the job
   * @param patience the longest time to wait for the others, each time
   * @throws TuttiException with {@link ErrorCode#DEADLINE_EXCEEDED} if one does not arrive in time
   */
  static MemoryMeeting open(
      Path job, int rank, int ranks, Peers peers, Waiting waiting, Duration patience) {
    Path file = job.resolve(FILE);
    Arena arena = Arena.ofShared();
    try {
      MemoryMeeting opened =
          new MemoryMeeting(arena, map(file, ranks, arena), rank, ranks, peers, waiting, patience);
      opened.meet(0);
      if (rank == 0) {
        Files.delete(file);
      }
      opened.meet(0);
      return opened;
    } catch (IOException e) {
      arena.close();
      throw unwritable(file, e);
    } catch (TuttiException e) {
      arena.close();
      throw e;
    }
  }

  private static MemorySegment map(Path file, int ranks, Arena arena) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) ranks * LINE, arena);
    }
  }

  /**
   * Removes the file that a dead job has left in its directory. Must be called before the processes
   * of the next job meet there.
   */
  static void sweep(Path job) {
    Path file = job.resolve(FILE);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static TuttiException unwritable(Path file, IOException cause) {
    return new TuttiException(
        ErrorCode.OUTPUT_UNWRITABLE,
        cause,
        "the processes of a job meet in the file %s, which cannot be made or removed: %s",
        file,
        cause.getMessage());
  }

  private static long line(int rank) {
    return (long) rank * LINE;
  }

  private long countOf(int other) {
    return (long) WORD.getAcquire(lines, line(other));
  }

  @Override
  public void meet(long number) {
    count++;
    lines.set(ValueLayout.JAVA_LONG, line(rank) + said(), number);
    WORD.setRelease(lines, line(rank), count);
    idler.reset();
    long end = clock.nanoTime() + patience.toNanos();
    for (int other = 0; other < ranks; other++) {
      while (countOf(other) < count) {
        if (idler.idle() == IdlePhase.PARK) {
          check(other, end);
          clock.park(this, Waiting.PARK_NANOS);
        }
      }
    }
  }

  private void check(int awaited, long end) {
    peers.requireAll();
    if ((long) WORD.getAcquire(lines, line(awaited) + HAS_LEFT) != 0 && countOf(awaited) < count) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE,
          "rank %d has stopped because of an error that it reports itself; rank %d was waiting for it",
          awaited,
          rank);
    }
    if (clock.nanoTime() - end > 0) {
      List<Integer> missing = new ArrayList<>();
      for (int other = 0; other < ranks; other++) {
        if (countOf(other) < count) {
          missing.add(other);
        }
      }
      throw new TuttiException(
          ErrorCode.DEADLINE_EXCEEDED,
          "rank %d has waited %d ms between two operations for ranks that have not arrived: %s;"
              + " 'tutti status' shows what they do",
          rank,
          patience.toMillis(),
          missing);
    }
  }

  private long said() {
    return SAID + (count & 1) * Long.BYTES;
  }

  @Override
  public long saidBy(int other) {
    return lines.get(ValueLayout.JAVA_LONG, line(other) + said());
  }

  /** Leaves the meetings: the others no longer wait for this rank. */
  @Override
  public void close() {
    WORD.setRelease(lines, line(rank) + HAS_LEFT, 1L);
    arena.close();
  }
}
