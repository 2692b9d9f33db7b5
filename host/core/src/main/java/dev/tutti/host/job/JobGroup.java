package dev.tutti.host.job;

import dev.tutti.host.job.JobMessage.Kind;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks of a job, as one process sees it that has one of them or more: the memory in
 * which the ranks say how far they are, or the links by which they send each other data; and the
 * way to the others. Ranks are those of the group where nothing else is said. Thread-safe.
 */
public final class JobGroup {

  private final Job job;
  private final int number;
  private final int[] members;
  private final GroupProcesses processes;
  private final @Nullable GroupLines lines;
  private final @Nullable MessageLinks links;

  /** How many were made of the same ranks. */
  private final Map<List<Integer>, Integer> subGroups = new ConcurrentHashMap<>();

  /** What came before there was anybody to hear it; of the job's thread. */
  private final List<JobMessage> early = new ArrayList<>();

  /** The processes of the job that have ended. Guarded by itself. */
  private final BitSet lost = new BitSet();

  /** Whether messages to other ranks go nowhere any more. Guarded by {@link #lost}. */
  private boolean isCutOff;

  private volatile @Nullable Listener listener;
  private volatile boolean isClosed;

  /** Hears what the other processes tell. */
  public interface Listener {

    /** A message about an operation; on the job's thread, one after another. */
    void receive(JobMessage message);

    /**
     * A rank has closed the group.
     *
     * @param cause why the group was of no use to it any more; empty if it was
     */
    void left(int rank, String cause);

    /** A process has ended with these ranks; on any thread, and never twice for a rank. */
    void lost(int[] ranks);

    /** No messages come or go any more, but all ranks may live; on any thread. */
    void cutOff(TuttiException cause);
  }

  /**
   * A group.
   *
   * @param members for each of its ranks the rank in the job
   * @param lines the memory that its ranks share; null if they have links
   * @param links how they send each other data; null if they share memory
   */
  JobGroup(
      Job job,
      int number,
      int[] members,
      @Nullable GroupLines lines,
      @Nullable MessageLinks links) {
    this.job = job;
    this.number = number;
    this.members = members;
    this.lines = lines;
    this.links = links;
    this.processes =
        new GroupProcesses(
            IntStream.of(members).map(job.processes()::processOf).toArray(), job.processes().own());
  }

  /** The ranks that are in a process of the job. */
  private int[] ranksOf(int process) {
    return IntStream.range(0, members.length)
        .filter(rank -> job.processes().processOf(members[rank]) == process)
        .toArray();
  }

  int number() {
    return number;
  }

  int[] members() {
    return members;
  }

  /** The memory that the processes share. */
  public MemoryWindows windows() {
    return job.windows();
  }

  /** What agreements wait at while plugins change. */
  public PlanningGate gate() {
    return job.gate();
  }

  /** The process number of a rank. */
  public long process(int ofRank) {
    return job.process(members[ofRank]);
  }

  /** The process of a rank, and what is special about it, in words. */
  public String describe(int ofRank) {
    return job.describe(members[ofRank]);
  }

  /** The first rank of this process, which speaks for it. */
  public int rank() {
    return processes.first(processes.own());
  }

  /** Which ranks are in one process. */
  public GroupProcesses processes() {
    return processes;
  }

  public int size() {
    return members.length;
  }

  /** How the ranks send each other data; null if they share memory. */
  public @Nullable MessageLinks links() {
    return links;
  }

  /** Whether messages may touch memory that nobody uses any more. */
  public boolean isAbandoned() {
    return job.isAbandoned();
  }

  private GroupLines requireLines() {
    return Objects.requireNonNull(lines, "the ranks share memory");
  }

  /** Where all ranks say how far they are. */
  public MemorySegment lines() {
    return requireLines().ofAll();
  }

  /** Where the two ends of a transfer do. */
  public MemorySegment linesOfPair(int source, int destination) {
    return requireLines().ofPair(source, destination);
  }

  /** Where all ranks say that their parts of a capture have ended. */
  public MemorySegment linesOfCaptures() {
    return requireLines().ofCaptures();
  }

  /**
   * Tells another rank, or this one, something about an operation.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} or {@link ErrorCode#PEER_LOST} if
   *     rank 0 of the job has left, or has ended
   */
  public void send(int to, Kind kind, int meeting, long operation, BodyWriter body) {
    job.requireRoute();
    tell(to, kind, meeting, operation, body);
  }

  /** The same, unless there is no way to tell it any more. */
  public void tell(int to, Kind kind, int meeting, long operation, BodyWriter body) {
    job.send(
        new JobMessage(
            members[to], members[rank()], kind, number, meeting, operation, body.bytes()));
  }

  /**
   * Makes a group of some of these ranks, together with their processes: all of them in the same
   * order.
   *
   * @param ranks for each rank of the new group the rank in this one
   * @param topology what must be the same in all of them, in words
   * @param patienceNanos how long to wait for the others
   * @throws TuttiException with {@link ErrorCode#CALL_MISMATCH} if another process makes another
   *     group; {@link ErrorCode#DEADLINE_EXCEEDED}; {@link ErrorCode#PEER_LOST}
   */
  public JobGroup createSubGroup(int[] ranks, String topology, long patienceNanos) {
    List<Integer> key = IntStream.of(ranks).boxed().toList();
    String name =
        "sub-group "
            + subGroups.merge(key, 1, Integer::sum)
            + " of ranks "
            + key
            + " of group "
            + number;
    int[] inJob = IntStream.of(ranks).map(each -> members[each]).toArray();
    return job.groups().create(name, inJob, topology, patienceNanos);
  }

  /** Has somebody hear what comes, and what has come. */
  public void listen(Listener newListener) {
    synchronized (lost) {
      listener = newListener;
      lost.stream().forEach(process -> newListener.lost(ranksOf(process)));
      if (isCutOff) {
        newListener.cutOff(cutOff());
      }
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
    if (hearer == null || !early.isEmpty()) {
      early.add(message);
    } else {
      pass(hearer, message);
    }
  }

  private void pass(Listener hearer, JobMessage message) {
    int[] from = ranksOf(job.processes().processOf(message.from()));
    if (from.length == 0) {
      // A stranger to this group has nothing to say.
      return;
    }
    if (message.kind() == Kind.GROUP_LEFT) {
      BodyReader body = message.reader();
      String cause = body.hasMore() ? body.text() : "";
      for (int rank : from) {
        hearer.left(rank, cause);
      }
    } else {
      hearer.receive(message.ofRank(from[0]));
    }
  }

  /** A process of the job has ended. */
  void lost(int process) {
    int[] ofGroup = ranksOf(process);
    synchronized (lost) {
      Listener hearer = listener;
      if (ofGroup.length > 0 && !lost.get(process)) {
        lost.set(process);
        if (hearer != null) {
          hearer.lost(ofGroup);
        }
      } else if (process == 0 && !isCutOff) {
        isCutOff = true;
        if (hearer != null) {
          hearer.cutOff(cutOff());
        }
      }
    }
  }

  private TuttiException cutOff() {
    return new TuttiException(
        ErrorCode.PEER_LOST,
        "rank 0 of the job is lost: process %d has ended, and the ranks need it to agree",
        job.process(0));
  }

  /**
   * This rank has closed the group, and hears nothing of it any more.
   *
   * @param cause why the group was of no use any more, for the others, who may not have heard of
   *     it; empty if it was
   */
  public void close(String cause) {
    isClosed = true;
    listener = null;
    job.groups().closed(this, cause);
  }
}
