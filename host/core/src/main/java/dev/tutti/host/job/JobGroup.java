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
 * A group of ranks of a job, in a process that has one of the ranks or more. It has the memory in
 * which the ranks publish their progress, or the links by which they send each other data, and it
 * sends messages to the other ranks. Rank numbers are those of the group unless stated otherwise.
 * Thread-safe.
 */
public final class JobGroup {

  private final Job job;
  private final int number;
  private final int[] members;
  private final GroupProcesses processes;
  private final @Nullable GroupLines lines;
  private final @Nullable MessageLinks links;

  /** The number of sub-groups made so far, by their ranks. */
  private final Map<List<Integer>, Integer> subGroups = new ConcurrentHashMap<>();

  /** Messages that arrived before there was a listener; confined to the job's thread. */
  private final List<JobMessage> early = new ArrayList<>();

  /** The processes of the job that have ended. Guarded by itself. */
  private final BitSet lost = new BitSet();

  /** Whether messages can no longer reach other ranks. Guarded by {@link #lost}. */
  private boolean isCutOff;

  private volatile @Nullable Listener listener;
  private volatile boolean isClosed;

  /** Gets the messages of the other processes. */
  public interface Listener {

    /** A message about an operation. Called on the job's thread, one message after another. */
    void receive(JobMessage message);

    /**
     * A rank has closed the group.
     *
     * @param cause the reason if the group had become unusable for that rank; otherwise empty
     */
    void left(int rank, String cause);

    /** The process of these ranks has ended. Called on any thread, once per rank. */
    void lost(int[] ranks);

    /**
     * Messages can no longer be sent or received, but all ranks may be alive. Called on any thread.
     */
    void cutOff(TuttiException cause);
  }

  /**
   * Makes a group.
   *
   * @param members the rank in the job of each of its ranks
   * @param lines the memory that its ranks share; null if they have links
   * @param links the links by which they send each other data; null if they share memory
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

  /** The ranks of this group that are in a process of the job. */
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

  /** The gate at which agreements wait while plugins change. */
  public PlanningGate gate() {
    return job.gate();
  }

  /** The process number of a rank. */
  public long process(int ofRank) {
    return job.process(members[ofRank]);
  }

  /** The process of a rank in words; see {@link JobProcesses#describe}. */
  public String describe(int ofRank) {
    return job.describe(members[ofRank]);
  }

  /** The first rank of this process, which represents it. */
  public int rank() {
    return processes.first(processes.own());
  }

  /** The processes of the ranks. */
  public GroupProcesses processes() {
    return processes;
  }

  public int size() {
    return members.length;
  }

  /** The links by which the ranks send each other data; null if they share memory. */
  public @Nullable MessageLinks links() {
    return links;
  }

  /** Whether messages may still touch memory that is no longer in use. */
  public boolean isAbandoned() {
    return job.isAbandoned();
  }

  private GroupLines requireLines() {
    return Objects.requireNonNull(lines, "the ranks share memory");
  }

  /** The lines in which all ranks publish their progress. */
  public MemorySegment lines() {
    return requireLines().ofAll();
  }

  /** The lines in which the two ends of a transfer publish their progress. */
  public MemorySegment linesOfPair(int source, int destination) {
    return requireLines().ofPair(source, destination);
  }

  /** The lines in which all ranks announce that their parts of a capture have ended. */
  public MemorySegment linesOfCaptures() {
    return requireLines().ofCaptures();
  }

  /**
   * Sends another rank, or this one, a message about an operation.
   *
   * @throws TuttiException with {@link ErrorCode#INVALID_STATE} or {@link ErrorCode#PEER_LOST} if
   *     rank 0 of the job has left, or has ended
   */
  public void send(int to, Kind kind, int meeting, long operation, BodyWriter body) {
    job.requireRoute();
    tell(to, kind, meeting, operation, body);
  }

  /** As {@link #send}, but does nothing if messages cannot reach other ranks any more. */
  public void tell(int to, Kind kind, int meeting, long operation, BodyWriter body) {
    job.send(
        new JobMessage(
            members[to], members[rank()], kind, number, meeting, operation, body.bytes()));
  }

  /**
   * Makes a group of some of these ranks, together with their processes. All processes make their
   * groups in the same order.
   *
   * @param ranks the rank in this group of each rank of the new group
   * @param topology the topology in words, which must be the same in all processes
   * @param patienceNanos the longest time to wait for the others
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

  /** Sets the listener, which gets new messages and those that arrived before. */
  public void listen(Listener newListener) {
    synchronized (lost) {
      listener = newListener;
      lost.stream().forEach(process -> newListener.lost(ranksOf(process)));
      if (isCutOff) {
        newListener.cutOff(cutOff());
      }
    }
    // Until then, new messages are added to the early ones.
    job.execute(
        () -> {
          early.forEach(message -> pass(newListener, message));
          early.clear();
        });
  }

  /** Handles a message, on the job's thread. */
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
      // The sender is not in this group.
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

  /** Handles the end of a process of the job. */
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
   * Closes the group for this process, which gets no more messages.
   *
   * @param cause the reason if the group had become unusable, because the other ranks may not know
   *     it yet; otherwise empty
   */
  public void close(String cause) {
    isClosed = true;
    listener = null;
    job.groups().closed(this, cause);
  }
}
