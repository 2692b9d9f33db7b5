package dev.tutti.engine.queue;

import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.CompiledTemplate;
import dev.tutti.engine.Composite;
import dev.tutti.engine.Engine;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.TuttiException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operations that each rank of a group has started, in order, and the threads that run them.
 * The first operation of each rank is the group's operation 1. A rank enters an operation when it
 * has left the previous one. Once all ranks have entered, each rank's list runs. A rank leaves when
 * its list has ended, whatever the others are still doing.
 *
 * <p>Any idle thread can run a list: the rank's own thread when it starts, tests or awaits; another
 * rank's thread while it waits; and the engine's helpers while the ranks' threads do other work.
 * Starting an operation again that all ranks have agreed on allocates nothing.
 *
 * <p>Thread-safe, except that one thread at a time may start and await operations of a rank.
 */
public final class OperationQueues {

  /** The largest number of queues; ranks of larger groups share queues. */
  private static final int MAX_QUEUES = 64;

  private static final int QUEUES_OF_LARGE_GROUPS = 16;

  private final Engine engine;

  /** The queue of each rank of the group, for the compiler. */
  private final int[] queueOfRank;

  private final int[] queueOf;
  private final QueueLines lines;
  private final int capacity;
  private final StartedOperations started;
  private final QueueRunner runner;
  private final QueueWork work;

  /** The outcome of a wait. */
  public enum Outcome {
    /** The operation has ended for this rank. */
    ENDED,
    /** The time has passed; the operation continues. */
    LATE,
    /** The thread was interrupted, and its flag is still set; the operation continues. */
    INTERRUPTED
  }

  private OperationQueues(
      Engine engine,
      int[] queueOfRank,
      int[] queueOf,
      QueueLines lines,
      int ranksHere,
      int capacity,
      OperationAgreement agreement) {
    this.engine = engine;
    this.queueOfRank = queueOfRank;
    this.queueOf = queueOf;
    this.lines = lines;
    this.capacity = capacity;
    Waiting waiting = engine.waiting();
    boolean hasFreeCore = waiting.hasFreeCore(ranksHere);
    this.started = new StartedOperations(queueOf, lines, capacity);
    this.runner =
        new QueueRunner(
            lines,
            hasFreeCore ? waiting.listLooks() : 1,
            new QueueSource(started, agreement, lines.areApart()),
            this::runFirst);
    this.work = new QueueWork(engine, started, runner, queueOf, lines, ranksHere);
  }

  private void runFirst(int queue) {
    work.runFirst(queue);
  }

  /**
   * Makes queues for all ranks of a group; a rank's place is its number.
   *
   * @param capacity the largest number of operations of a rank that have not ended
   */
  public static OperationQueues ofGroup(
      Engine engine, int ranks, int capacity, OperationAgreement agreement) {
    int queues = ranks <= MAX_QUEUES ? ranks : QUEUES_OF_LARGE_GROUPS;
    int[] queueOf = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      queueOf[rank] = (int) ((long) rank * queues / ranks);
    }
    QueueLines lines = QueueLines.ofHeap(queues, ranks);
    return new OperationQueues(engine, queueOf, queueOf, lines, ranks, capacity, agreement);
  }

  /** Makes queues for the two ends of a transfer in a group; the source has place 0. */
  public static OperationQueues ofPair(
      Engine engine, int ranks, int destination, int capacity, OperationAgreement agreement) {
    return ofPair(engine, ranks, destination, QueueLines.ofHeap(2, 2), capacity, agreement);
  }

  private static OperationQueues ofPair(
      Engine engine,
      int ranks,
      int destination,
      QueueLines lines,
      int capacity,
      OperationAgreement agreement) {
    int[] queueOfRank = new int[ranks];
    queueOfRank[destination] = 1;
    return new OperationQueues(
        engine, queueOfRank, new int[] {0, 1}, lines, 2, capacity, agreement);
  }

  /** The bytes of shared memory for ranks in processes; rooms are for inputs of some KiB. */
  public static long sharedBytes(int ranks, boolean rooms) {
    return rooms ? QueueLines.sharedBytesWithRooms(ranks) : QueueLines.sharedBytes(ranks);
  }

  /**
   * Makes queues for all ranks of a group, each in its own process.
   *
   * @param ranks at most 64
   * @param own the rank of this process
   * @param shared memory that all processes share, of {@link #sharedBytes} bytes, zero-filled
   *     before the first process arrives
   */
  public static OperationQueues ofGroup(
      Engine engine,
      int ranks,
      int own,
      MemorySegment shared,
      int capacity,
      OperationAgreement agreement) {
    int[] places = IntStream.range(0, ranks).toArray();
    QueueLines lines = QueueLines.shared(ranks, own, shared);
    return new OperationQueues(engine, places, places, lines, ranks, capacity, agreement);
  }

  /**
   * Makes queues for ranks in several processes that share no memory; their plans are bound to
   * messages. {@link OperationAgreement#tell} sends failures to the others, and {@link #hear}
   * receives theirs.
   *
   * @param places the number of ranks that meet
   * @param own the places of the ranks of this process
   * @param ranksHere how many ranks of the group share the processors of this machine
   */
  public static OperationQueues apart(
      Engine engine,
      int places,
      int[] own,
      int ranksHere,
      int capacity,
      OperationAgreement agreement) {
    int[] queueOf = IntStream.range(0, places).toArray();
    QueueLines lines = QueueLines.apart(places, own, agreement::tell);
    return new OperationQueues(engine, queueOf, queueOf, lines, ranksHere, capacity, agreement);
  }

  /**
   * Makes queues for the two ends of a transfer, each in its own process.
   *
   * @param own the place of this process: 0 for the source, 1 for the destination
   * @param shared as for a group of two ranks
   */
  public static OperationQueues ofPair(
      Engine engine,
      int ranks,
      int destination,
      int own,
      MemorySegment shared,
      int capacity,
      OperationAgreement agreement) {
    return ofPair(
        engine, ranks, destination, QueueLines.shared(2, own, shared), capacity, agreement);
  }

  /** Compiles a plan for these queues, with the errors of {@link Engine#compile}. */
  public CompiledPlan compile(GroupPlan plan) {
    return engine.compileForRanks(plan, queueOfRank, lines.queues(), lines.room());
  }

  /** Compiles a plan so that others with its structure can be compiled from it for these queues. */
  public CompiledTemplate template(PlanClone plan) {
    return engine.templateForRanks(plan, queueOfRank, lines.queues(), lines.room());
  }

  /** Compiles several plans that were joined into one. */
  public CompiledPlan compile(Composite composite) {
    return engine.compileForRanks(composite, queueOfRank, lines.queues(), lines.room());
  }

  /** The idle state of a thread that waits for a rank's operations. */
  public Idler newIdler(int place) {
    return work.newIdler(place);
  }

  /**
   * Makes ranks agree before they begin another operation, until they have agreed once. It has no
   * effect if the ranks are in several processes, which do not see it. One thread at a time may
   * call this.
   *
   * @return whether no operation is under way in this process; a current one continues
   */
  public boolean close() {
    return lines.areShared() ? !runner.isRunning() : runner.gate().close();
  }

  /** Whether any operation is under way that all ranks have entered. */
  public boolean isRunning() {
    return runner.isRunning();
  }

  /** The number of the last operation that a rank has started. */
  public long started(int place) {
    return started.last(place);
  }

  /** Whether an operation has ended for a rank; acquires what it wrote. */
  public boolean hasEnded(int place, long number) {
    return runner.hasEnded(queueOf[place], number);
  }

  /** The number of operations that a rank has started and that have not ended for it. */
  public int inFlight(int place) {
    return work.inFlight(place);
  }

  /** Whether a rank must wait before it can start another operation. */
  public boolean isFull(int place) {
    return inFlight(place) >= capacity;
  }

  /**
   * Starts the next operation of a rank that is not {@link #isFull full}, up to its first wait.
   *
   * @return the number of the operation
   */
  public long start(int place, QueuedOperation operation) {
    long number = started.add(place, operation);
    work.run(queueOf[place]);
    return number;
  }

  /** Makes the helpers continue a rank's operations while the rank's thread does other work. */
  public void leave(int place) {
    work.leave(place);
  }

  /** Makes a rank's next operation fail for all ranks, because this rank cannot do its part. */
  public long refuse(int place, QueuedOperation operation, TuttiException failure) {
    fail(started.last(place) + 1, failure);
    return start(place, operation);
  }

  /** Runs all operations as far as possible, and returns whether one has ended for a rank. */
  public boolean test(int place, long number) {
    return work.test(place, number);
  }

  /**
   * Waits until an operation has ended for a rank, and takes part in the work.
   *
   * @param idler the idle state of the waiting thread
   * @param nanos the longest time to wait
   */
  public Outcome await(int place, long number, Idler idler, long nanos) {
    return work.await(place, number, idler, nanos);
  }

  /** As {@link #await}, in any number of other threads, whose interrupts do not end the wait. */
  public Outcome awaitBeside(int place, long number, long nanos) {
    return work.awaitBeside(place, number, nanos);
  }

  /**
   * Makes an operation fail for all ranks for which it has not ended, including those that start it
   * later.
   *
   * @return whether it had neither ended for all nor failed
   */
  public boolean fail(long number, TuttiException failure) {
    if (runner.leastEnded() >= number) {
      return false;
    }
    boolean isNew = runner.failures().add(number, failure);
    work.wakeAll();
    return isNew;
  }

  /** Makes all operations fail that have not ended, and all that are started from now on. */
  public void failAll(TuttiException failure) {
    runner.failures().addAll(failure);
    work.wakeAll();
  }

  /** Records a failure from a rank in another process; see {@link OperationAgreement#tell}. */
  public void hear(long number, TuttiException failure) {
    if (runner.leastEnded() < number) {
      boolean ignored = runner.failures().hear(number, failure);
      work.wakeAll();
    }
  }

  /** Records the last operation that a rank in another process has started. */
  public void hearStarted(int place, long last) {
    if (started.last(place) < last) {
      started.realign(place, last);
    }
  }

  /** The failure with which an operation ends, or has just ended; null if none is known. */
  public @Nullable TuttiException failure(long number) {
    return runner.failures().of(number);
  }

  /** Whether an operation itself has failed, and not only all operations together. */
  public boolean hasFailed(long number) {
    return runner.failures().holds(number);
  }

  /**
   * The largest number of failed operations that some ranks have not reached yet. Drops those that
   * no rank will reach: a failure may be noted just as the last ranks leave without it.
   */
  public int failedAhead() {
    return runner.failedAhead();
  }

  /** The number of failed operations that are kept; a rank must not get further ahead. */
  public int mostFailedAhead() {
    return runner.failures().mostAhead();
  }

  /** The places that have not started an operation. */
  public List<Integer> missing(long number) {
    return started.missing(number);
  }

  /** The places that are in an operation. */
  public List<Integer> inside(long number) {
    return runner.report().inside(queueOf, number);
  }

  /**
   * Sets the binding that ranks in several processes have agreed to run, after a {@link
   * OperationAgreement#propose proposal}.
   *
   * @param binding null if there is nothing to run
   */
  public void decided(long number, @Nullable RankBinding binding) {
    List<QueuedOperation> parts = started.ownParts(number);
    if (parts.stream().allMatch(part -> part.number() == number)) {
      parts.forEach(part -> part.agreed(binding));
      runner.decisions().tell(number, binding);
      work.wakeAll();
    }
  }

  /** The part of a rank in an operation that it has started and that has not ended for it. */
  public QueuedOperation part(int place, long number) {
    return started.get(place, number);
  }

  /** The current or last activity of a rank, in words that follow its name and "it". */
  public String doing(int place) {
    if (lines.areApart() && IntStream.of(lines.own()).noneMatch(own -> own == queueOf[place])) {
      long last = started.last(place);
      return (last == 0 ? "it had started no operation" : "it had started operation " + last)
          + ", as far as is known here";
    }
    return runner.report().doing(queueOf[place], started.last(place));
  }

  /** Records that a rank's process has ended: no rank waits any more for it to leave operations. */
  public void gone(int place) {
    runner.gone(queueOf[place]);
    work.wakeAll();
  }

  /** Makes all ranks begin with the same operation again. No operation may be in flight. */
  public void realign() {
    runner.realign(started.realign());
  }

  /** Makes the rank of this process continue after an operation; it must have none in flight. */
  public void realign(int place, long last) {
    started.realign(place, last);
    runner.realign(last);
  }

  /** The first operation of a rank that has not ended for it; null if there is none. */
  public @Nullable QueuedOperation current(int place) {
    long number = runner.lastEnded(queueOf[place]) + 1;
    return number <= started.last(place) ? started.get(place, number) : null;
  }

  /** Whether any current or last operation has a matching binding. */
  public boolean isAnyBound(Predicate<RankBinding> kind) {
    return runner.report().isAnyBound(kind);
  }

  /** The positions of a running operation's streams; empty if it does not run. */
  public List<StreamPosition> positions(long number) {
    return runner.report().positions(number);
  }
}
