package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.IdleStrategy;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.CompiledPlan;
import dev.tutti.engine.Composite;
import dev.tutti.engine.Engine;
import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import dev.tutti.plan.GroupPlan;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations that each rank of a group has started, in order, and the threads that run them.
 * The first operation of each rank is the group's operation 1, and so on. A rank enters an
 * operation when it has left the one before; once all have entered, each rank's list runs, and the
 * rank leaves when its list has ended, whatever the others still do.
 *
 * <p>Whoever has time runs a list: the rank's own thread when it starts, tests or awaits; another
 * rank's thread while it waits; and the engine's helpers while the ranks' threads do something
 * else. Starting an operation again that all ranks have agreed on allocates nothing.
 *
 * <p>Thread-safe, except that one thread at a time may start and await operations of a rank.
 */
public final class OperationQueues {

  /** The most queues; the ranks of larger groups share some. */
  private static final int MAX_QUEUES = 64;

  /** What groups with more ranks have instead. */
  private static final int QUEUES_OF_LARGE_GROUPS = 16;

  private static final long FIRST_PARK_NANOS = Waiting.PARK_NANOS;
  private static final long LONGEST_PARK_NANOS = 1_000_000;

  private final Engine engine;

  /** The queue of each rank of the group, for the compiler. */
  private final int[] queueOfRank;

  private final int[] queueOf;
  private final int queues;
  private final int capacity;
  private final OperationAgreement agreement;
  private final Clock clock;
  private final IdleStrategy idle;
  private final boolean hasFreeCore;
  private final StartedOperations started;
  private final QueueRunner runner;
  private final RankThreads threads;
  private final HelperCall helpers;

  /** How a wait ended. */
  public enum Outcome {
    /** The operation has ended for this rank. */
    ENDED,
    /** The time has passed; the operation goes on. */
    LATE,
    /** The thread was interrupted, and its flag is still set; the operation goes on. */
    INTERRUPTED
  }

  private OperationQueues(
      Engine engine,
      int[] queueOfRank,
      int[] queueOf,
      int queues,
      int capacity,
      OperationAgreement agreement) {
    this.engine = engine;
    this.queueOfRank = queueOfRank;
    this.queueOf = queueOf;
    this.queues = queues;
    this.capacity = capacity;
    this.agreement = agreement;
    Waiting waiting = engine.waiting();
    this.clock = waiting.clock();
    this.hasFreeCore = waiting.hasFreeCore(queueOf.length);
    this.idle = waiting.meeting(queueOf.length);
    this.started = new StartedOperations(queueOf, queues, capacity);
    this.runner = new QueueRunner(queues, hasFreeCore ? waiting.listLooks() : 1, new Source());
    this.threads = new RankThreads(queueOf.length, clock);
    this.helpers = new HelperCall(engine, this::help, this::isAnythingStarted);
  }

  /**
   * Queues of all ranks of a group; a rank's place is its number.
   *
   * @param capacity the most operations of a rank that have not ended
   */
  public static OperationQueues ofGroup(
      Engine engine, int ranks, int capacity, OperationAgreement agreement) {
    int queues = ranks <= MAX_QUEUES ? ranks : QUEUES_OF_LARGE_GROUPS;
    int[] queueOf = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      queueOf[rank] = (int) ((long) rank * queues / ranks);
    }
    return new OperationQueues(engine, queueOf, queueOf, queues, capacity, agreement);
  }

  /** Queues of the two ends of a transfer in a group: the source has place 0. */
  public static OperationQueues ofPair(
      Engine engine, int ranks, int destination, int capacity, OperationAgreement agreement) {
    int[] queueOfRank = new int[ranks];
    queueOfRank[destination] = 1;
    return new OperationQueues(engine, queueOfRank, new int[] {0, 1}, 2, capacity, agreement);
  }

  /**
   * Compiles a plan for these queues.
   *
   * @throws TuttiException as {@link Engine#compile}
   */
  public CompiledPlan compile(GroupPlan plan) {
    return engine.compileForRanks(plan, queueOfRank, queues);
  }

  /** Compiles several plans that were joined to one. */
  public CompiledPlan compile(Composite composite) {
    return engine.compileForRanks(composite, queueOfRank, queues);
  }

  /** The state of one that waits here. */
  public Idler newIdler() {
    return idle.newIdler();
  }

  /** Lets ranks run again what they agreed on before. */
  public void open() {
    runner.gate().open();
  }

  /** Whether ranks may run again what they agreed on before. */
  public boolean isOpen() {
    return runner.gate().isOpen();
  }

  /**
   * Has ranks agree before they run anything. One thread at a time may call this.
   *
   * @return whether nothing is under way; if something is, ranks go on as before
   */
  public boolean close() {
    return runner.gate().close();
  }

  /** Whether any operation is under way that all ranks have entered. */
  public boolean isRunning() {
    return runner.isAnyInside();
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
    return (int) (started.last(place) - runner.lastEnded(queueOf[place]));
  }

  /** Whether a rank must wait before it can start another operation. */
  public boolean isFull(int place) {
    return inFlight(place) >= capacity;
  }

  /**
   * Starts a rank's next operation and runs it to its first wait. The rank must not be {@link
   * #isFull full}.
   *
   * @return the number of the operation
   */
  public long start(int place, RankOperation operation) {
    long number = started.add(place, operation);
    run(queueOf[place]);
    return number;
  }

  /** Has the helpers go on with a rank's operations while its thread does something else. */
  public void leave(int place) {
    if (inFlight(place) > 0) {
      helpers.call();
    }
  }

  /** Ends a rank's next operation for all ranks, because its part cannot be done. */
  public long refuse(int place, RankOperation operation, TuttiException failure) {
    fail(started.last(place) + 1, failure);
    return start(place, operation);
  }

  /** Runs a queue that has something new; whoever has its claim sees that, or this thread does. */
  private void run(int queue) {
    if (!advance(queue)) {
      VarHandle.fullFence();
      advance(queue);
    }
    helpSleepers(queue);
  }

  /** Runs a queue as far as it can go, and wakes its ranks. */
  private boolean advance(int queue) {
    boolean didWork = runner.run(queue);
    if (didWork && threads.doAnySleep()) {
      for (int place : started.placesOf(queue)) {
        threads.wake(place);
      }
    }
    return didWork;
  }

  private boolean advanceIfReady(int queue) {
    return runner.isReady(queue) && advance(queue);
  }

  /** Goes on with a rank's operations as far as possible, and says whether one has ended. */
  public boolean test(int place, long number) {
    int queue = queueOf[place];
    if (!runner.hasEnded(queue, number) && advanceIfReady(queue)) {
      helpSleepers(queue);
    }
    return runner.hasEnded(queue, number);
  }

  /**
   * Waits until an operation has ended for a rank, and takes part in the work.
   *
   * @param idler of the one that waits
   * @param deadline a time of the engine's clock
   */
  public Outcome await(int place, long number, Idler idler, long deadline) {
    int queue = queueOf[place];
    idler.reset();
    long parkNanos = FIRST_PARK_NANOS;
    while (!runner.hasEnded(queue, number)) {
      if (advanceIfReady(queue) || (!hasFreeCore && helpOthers(queue))) {
        idler.reset();
        continue;
      }
      IdlePhase phase = idler.idle();
      if (phase == IdlePhase.SPIN) {
        continue;
      }
      if (Thread.currentThread().isInterrupted()) {
        return Outcome.INTERRUPTED;
      }
      long left = deadline - clock.nanoTime();
      if (left <= 0) {
        return Outcome.LATE;
      }
      if (phase == IdlePhase.PARK && !helpOthers(queue)) {
        sleep(place, number, Math.min(left, parkNanos));
        parkNanos = Math.min(2 * parkNanos, LONGEST_PARK_NANOS);
      }
    }
    helpSleepers(queue);
    return Outcome.ENDED;
  }

  private void sleep(int place, long number, long nanos) {
    threads.lieDown(place);
    try {
      if (!runner.hasEnded(queueOf[place], number) && !runner.isReady(queueOf[place])) {
        threads.sleep(nanos);
      }
    } finally {
      threads.getUp(place);
    }
  }

  /** Does what ranks wait for whose threads sleep. */
  private void helpSleepers(int queue) {
    if (threads.doAnySleep()) {
      helpOthers(queue);
    }
  }

  private boolean helpOthers(int queue) {
    boolean didWork = false;
    for (int i = 1; i < queues; i++) {
      didWork |= advanceIfReady((queue + i) % queues);
    }
    return didWork;
  }

  /** Goes on with what ranks have started and left alone; called by the engine's helpers. */
  private boolean help(int worker) {
    boolean didWork = false;
    for (int queue = 0; queue < queues; queue++) {
      didWork |= advanceIfReady(queue);
    }
    if (!didWork && !isAnythingStarted()) {
      helpers.end();
    }
    return didWork;
  }

  private boolean isAnythingStarted() {
    for (int place = 0; place < started.places(); place++) {
      if (inFlight(place) > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Lets an operation fail for all ranks for which it has not ended, those that start it later
   * included.
   *
   * @return whether it had not ended for all, and had not failed
   */
  public boolean fail(long number, TuttiException failure) {
    boolean isOver = true;
    for (int queue = 0; queue < queues; queue++) {
      isOver &= runner.hasEnded(queue, number);
    }
    if (isOver) {
      return false;
    }
    boolean isNew = runner.failures().add(number, failure);
    wakeAll();
    return isNew;
  }

  /** Lets all operations fail that have not ended, and all that are started from now on. */
  public void failAll(TuttiException failure) {
    runner.failures().addAll(failure);
    wakeAll();
  }

  private void wakeAll() {
    VarHandle.fullFence();
    threads.wakeAll();
    helpers.nudge();
  }

  /** How many failed operations some ranks have yet to come to. */
  public int failedAhead() {
    return runner.failures().size();
  }

  /** The places that have not started an operation. */
  public List<Integer> missing(long number) {
    return started.missing(number);
  }

  /** Whether all ranks have entered an operation, so that it runs, or has run. */
  public boolean haveAllEntered(long number) {
    boolean haveAll = true;
    for (int queue = 0; queue < queues; queue++) {
      haveAll &= runner.hasEntered(queue, number);
    }
    return haveAll;
  }

  /** Lets all ranks begin with the same operation again. Nothing may be in flight. */
  public void realign() {
    runner.realign(started.realign());
  }

  /** Where the streams of an operation under way stand; empty if it does not run. */
  public List<StreamPosition> positions(long number) {
    return runner.positions(number);
  }

  /** What the runner sees of the ranks. */
  private final class Source implements QueueRunner.Source {

    @Override
    public boolean hasStarted(int queue, long number) {
      return started.haveStarted(queue, number);
    }

    @Override
    public @Nullable RankBinding brought(int queue, long number) {
      return started.brought(queue, number);
    }

    @Override
    public @Nullable RankBinding agree(long number) {
      List<RankOperation> parts = started.parts(number);
      RankBinding binding = agreement.agree(number, parts);
      parts.forEach(part -> part.agreed(binding));
      return binding;
    }

    @Override
    public TuttiException failed(long number, Throwable thrown) {
      return agreement.failed(number, thrown);
    }

    @Override
    public void broken(TuttiException failure) {
      agreement.broken(failure);
    }

    @Override
    public void end(int queue, long number, @Nullable TuttiException failure) {
      for (int place : started.placesOf(queue)) {
        started.get(place, number).end(failure);
      }
    }
  }
}
