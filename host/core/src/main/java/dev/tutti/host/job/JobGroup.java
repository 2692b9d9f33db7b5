package dev.tutti.host.job;

import dev.tutti.engine.queue.OperationQueues;
import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A group of all ranks of a job, as one process sees it: the memory in which the ranks say how far
 * they are, and the way to the others. Thread-safe.
 */
public final class JobGroup {

  private final Job job;
  private final int number;
  private final CompletableFuture<MemorySegment> memory = new CompletableFuture<>();

  /** What came before there was anybody to hear it; of the job's thread. */
  private final List<JobMessage> early = new ArrayList<>();

  /** The ranks whose processes have ended. Guarded by itself. */
  private final BitSet lost = new BitSet();

  private volatile @Nullable Listener listener;
  private volatile boolean isClosed;

  /** Hears what the other processes tell. */
  public interface Listener {

    /** A message about an operation; on the job's thread, one after another. */
    void receive(JobMessage message);

    /** A rank has closed the group. */
    void left(int rank);

    /** The process of a rank has ended; on any thread, and never twice for a rank. */
    void lost(int rank);
  }

  JobGroup(Job job, int number) {
    this.job = job;
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The process of this rank as one of a job. */
  public Job job() {
    return job;
  }

  /** The rank of this process. */
  public int rank() {
    return job.rank();
  }

  public int size() {
    return job.size();
  }

  static long bytes(int ranks) {
    return 2 * OperationQueues.sharedBytes(ranks)
        + (long) ranks * ranks * OperationQueues.sharedBytes(2);
  }

  void awaitMemory(long patienceNanos) {
    try {
      memory.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TuttiException cause
          ? new TuttiException(cause.code(), cause, "%s", cause.getMessage())
          : new TuttiException(ErrorCode.JOB_REFUSED, e, "no group was made: %s", e.getCause());
    } catch (TimeoutException e) {
      throw new TuttiException(
          ErrorCode.DEADLINE_EXCEEDED,
          "rank %d waited %d ms for the other processes to make group %d too; every process must make"
              + " the same groups in the same order",
          rank(),
          patienceNanos / 1_000_000,
          number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TuttiException(
          ErrorCode.INTERRUPTED,
          e,
          "the wait for the others to make group %d was interrupted",
          number);
    }
  }

  /** Where all ranks say how far they are. */
  public MemorySegment lines() {
    return memory.join().asSlice(0, OperationQueues.sharedBytes(size()));
  }

  /** Where the two ends of a transfer do. */
  public MemorySegment linesOfPair(int source, int destination) {
    long bytes = OperationQueues.sharedBytes(2);
    long pair = (long) source * size() + destination;
    return memory.join().asSlice(OperationQueues.sharedBytes(size()) + pair * bytes, bytes);
  }

  /** Where all ranks say that their parts of a capture have ended. */
  public MemorySegment linesOfCaptures() {
    long bytes = OperationQueues.sharedBytes(size());
    return memory.join().asSlice(bytes(size()) - bytes, bytes);
  }

  /**
   * Tells another rank, or this one, something about an operation.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} or {@link ErrorCode#PEER_LOST} if
   *     rank 0 has left the job, or has ended
   */
  public void send(int to, Kind kind, int meeting, long operation, BodyWriter body) {
    job.requireRoute();
    job.send(new JobMessage(to, rank(), kind, number, meeting, operation, body.bytes()));
  }

  /** Has somebody hear what comes, and what has come. */
  public void listen(Listener newListener) {
    synchronized (lost) {
      listener = newListener;
      lost.stream().forEach(newListener::lost);
    }
    // Until then, what comes is added to what came early.
    job.execute(
        () -> {
          early.forEach(message -> pass(newListener, message));
          early.clear();
        });
  }

  /** On the job's thread. */
  void receive(JobMessage message) {
    Listener hearer = listener;
    if (isClosed) {
      return;
    }
    if (message.kind() == Kind.GROUP_MADE) {
      made(message);
    } else if (hearer == null || !early.isEmpty()) {
      early.add(message);
    } else {
      pass(hearer, message);
    }
  }

  private static void pass(Listener hearer, JobMessage message) {
    if (message.kind() == Kind.GROUP_LEFT) {
      hearer.left(message.from());
    } else {
      hearer.receive(message);
    }
  }

  private void made(JobMessage message) {
    BodyReader body = message.reader();
    if (body.number() == 0) {
      memory.completeExceptionally(body.error());
      return;
    }
    try {
      memory.complete(job.windows().segment(MemoryWindows.Place.read(body), false));
    } catch (TuttiException e) {
      memory.completeExceptionally(e);
    }
  }

  void lost(int rank) {
    memory.completeExceptionally(
        new TuttiException(
            ErrorCode.PEER_LOST,
            "rank %d (process %d) has ended; no group of all ranks can be made",
            rank,
            job.process(rank)));
    synchronized (lost) {
      Listener hearer = listener;
      if (!lost.get(rank) && hearer != null) {
        hearer.lost(rank);
      }
      lost.set(rank);
    }
  }

  /** This rank has closed the group, and hears nothing of it any more. */
  public void close() {
    isClosed = true;
    listener = null;
    job.closed(this);
  }
}
