package dev.tutti.engine.queue;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.IdlePhase;
import dev.tutti.base.idle.IdleStrategy;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.engine.Engine;
import dev.tutti.engine.machine.CurrentProcessor;
import dev.tutti.engine.queue.OperationQueues.Outcome;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The threads that run queues: those of the ranks, and the helpers of the engine. Thread-safe. */
final class QueueWork {

  private static final long NOT_STARTED = Long.MIN_VALUE;
  private static final long FIRST_PARK_NANOS = Waiting.PARK_NANOS;
  private static final long LONGEST_PARK_NANOS = 1_000_000;
  private static final long LONGEST_PARK_BESIDE_NANOS = 10_000_000;

  /** The longest park of a thread that polls: messages make progress only while they are polled. */
  private static final long LONGEST_PARK_POLLING_NANOS = Waiting.PARK_NANOS;

  private final Engine engine;
  private final StartedOperations started;
  private final QueueRunner runner;
  private final int[] queueOf;
  private final int[] own;

  /** The index of each queue of this process in {@code own}. */
  private final int[] indexOf;

  private final Clock clock;
  private final IdleStrategy idle;

  /**
   * The idle strategy of ranks that leave messages to another rank of their process, without shared
   * memory.
   */
  private final IdleStrategy idleBeside;

  private final boolean areApart;

  /** The number of waiting threads of the rank that runs the messages of this process. */
  private final AtomicInteger pollers = new AtomicInteger();

  private final boolean hasFreeCore;
  private final RankProcessors processors;
  private final RankThreads threads;
  private final HelperCall helpers;
  private final IntPredicate canGoOn;

  /** Wakes ranks of other processes; null if no memory is shared. */
  private final @Nullable QueueBells bells;

  /** Whether other processes take part in the work. */
  private final boolean isShared;

  /**
   * Starts without work.
   *
   * @param queueOf the queue of each place
   * @param ranksHere the number of ranks that share the processors of this machine
   */
  QueueWork(
      Engine engine,
      StartedOperations started,
      QueueRunner runner,
      int[] queueOf,
      QueueLines lines,
      int ranksHere) {
    Waiting waiting = engine.waiting();
    this.started = started;
    this.runner = runner;
    this.queueOf = queueOf;
    this.own = started.ownQueues();
    this.indexOf = new int[lines.queues()];
    for (int i = 0; i < own.length; i++) {
      indexOf[own[i]] = i;
    }
    this.clock = waiting.clock();
    this.idle = lines.areApart() ? waiting.messages(ranksHere) : waiting.meeting(ranksHere);
    this.idleBeside = waiting.meeting(ranksHere);
    this.areApart = lines.areApart();
    this.hasFreeCore = waiting.hasFreeCore(ranksHere);
    this.bells = lines.bells();
    this.isShared = lines.areShared();
    this.canGoOn = runner::hasCome;
    this.processors =
        new RankProcessors(
            lines, CurrentProcessor.ofSystem(), Math.ceilDiv(ranksHere, waiting.processors()));
    this.threads = new RankThreads(queueOf.length, clock, bells);
    this.engine = engine;
    this.helpers = new HelperCall(engine.helpers(), this::help, this::isAnythingStarted, isShared);
  }

  /**
   * The idle state of a waiting thread. If messages go to other processes, the first rank of this
   * process runs them, so the others need not poll all the time.
   */
  Idler newIdler(int place) {
    return (runsMessages(place) ? idle : idleBeside).newIdler();
  }

  private boolean runsMessages(int place) {
    return !areApart || queueOf[place] == own[0];
  }

  /** The number of operations that a rank has started and that have not ended for it. */
  int inFlight(int place) {
    return (int) (started.last(place) - runner.lastEnded(queueOf[place]));
  }

  /** Makes the helpers continue a rank's operations while the rank's thread does other work. */
  void leave(int place) {
    if (inFlight(place) > 0) {
      helpers.call();
    }
  }

  /** Runs a queue with new work, unless the thread that holds its claim does. */
  void run(int queue) {
    if (!advance(queue)) {
      VarHandle.fullFence();
      advance(queue);
    }
    callForReady(0);
    helpSleepers(queue);
  }

  /** Runs a queue as far as it can go, and wakes its ranks. */
  private boolean advance(int queue) {
    boolean didWork = runner.run(queue);
    if (didWork && threads.doAnySleep()) {
      for (int place : started.placesOf(queue)) {
        threads.wake(place, runner.lastEnded(queue));
      }
    }
    if (didWork && bells != null && bells.doAnySleep()) {
      bells.ringOthers(canGoOn);
    }
    return didWork;
  }

  /** Runs the queues that should run before a queue. */
  void runFirst(int queue) {
    for (int i = 0; !hasFreeCore && i < own.length; i++) {
      if (processors.isBefore(own[i], queue)) {
        boolean ignored = advanceIfReady(own[i]);
      }
    }
  }

  private boolean advanceIfReady(int queue) {
    return runner.isReady(queue) && advance(queue);
  }

  /** Runs all operations as far as possible, and returns whether one has ended for a rank. */
  boolean test(int place, long number) {
    int queue = queueOf[place];
    boolean didWork = true;
    while (didWork && !runner.hasEnded(queue, number)) {
      didWork = advanceIfReady(queue) || helpOthers(queue) || helpElsewhere();
    }
    return runner.hasEnded(queue, number);
  }

  /**
   * Waits until an operation has ended for a rank, and takes part in the work.
   *
   * @param idler the idle state of the waiting thread
   * @param nanos the longest time to wait; the first spins do not read the clock
   */
  Outcome await(int place, long number, Idler idler, long nanos) {
    if (!areApart || !runsMessages(place)) {
      return attend(place, number, idler, nanos);
    }
    pollers.getAndIncrement();
    try {
      return attend(place, number, idler, nanos);
    } finally {
      pollers.getAndDecrement();
    }
  }

  /** Keeps helpers from a rank's operations while the rank's thread takes part in them. */
  private Outcome attend(int place, long number, Idler idler, long nanos) {
    if (!helpers.areCalled()) {
      return awaitEnd(place, number, idler, nanos);
    }
    threads.attend(place);
    try {
      return awaitEnd(place, number, idler, nanos);
    } finally {
      threads.turnAway(place);
      VarHandle.fullFence();
      callForReady(0);
    }
  }

  private Outcome awaitEnd(int place, long number, Idler idler, long nanos) {
    int queue = queueOf[place];
    idler.reset();
    long parkNanos = FIRST_PARK_NANOS;
    long startNanos = NOT_STARTED;
    while (!runner.hasEnded(queue, number)) {
      if (advanceIfReady(queue)) {
        callForReady(0);
        idler.reset();
        continue;
      }
      boolean isSpinning = hasFreeCore || processors.areAwaitedElsewhere(queue);
      if (!hasFreeCore && helpOthers(queue, !isSpinning && threads.doAnySleep())) {
        idler.reset();
        continue;
      }
      IdlePhase phase = idler.idle(isSpinning);
      if (phase == IdlePhase.SPIN) {
        continue;
      }
      if (!hasFreeCore && phase == IdlePhase.YIELD) {
        processors.note(queue);
      }
      if (Thread.currentThread().isInterrupted()) {
        return Outcome.INTERRUPTED;
      }
      long now = clock.nanoTime();
      startNanos = startNanos == NOT_STARTED ? now : startNanos;
      long left = nanos - (now - startNanos);
      if (left <= 0) {
        return Outcome.LATE;
      }
      if (phase == IdlePhase.PARK && !helpOthers(queue) && !helpElsewhere()) {
        sleep(place, number, Math.min(left, parkNanos));
        parkNanos = Math.min(2 * parkNanos, LONGEST_PARK_NANOS);
      }
    }
    helpSleepers(queue);
    return Outcome.ENDED;
  }

  /**
   * Waits in a thread other than the rank's own until an operation has ended for the rank, and
   * takes part in the work.
   *
   * @param nanos the longest time to wait
   */
  Outcome awaitBeside(int place, long number, long nanos) {
    int queue = queueOf[place];
    long startNanos = clock.nanoTime();
    boolean wasInterrupted = false;
    threads.joins(place, number);
    try {
      while (!runner.hasEnded(queue, number)) {
        if (advanceIfReady(queue) || helpOthers(queue) || helpElsewhere()) {
          continue;
        }
        long left = nanos - (clock.nanoTime() - startNanos);
        if (left <= 0) {
          return Outcome.LATE;
        }
        threads.sleep(
            Math.min(
                left,
                runner.isPolled(queue) || mustPoll()
                    ? LONGEST_PARK_POLLING_NANOS
                    : LONGEST_PARK_BESIDE_NANOS));
        wasInterrupted |= Thread.interrupted();
      }
      return Outcome.ENDED;
    } finally {
      threads.leaves();
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void sleep(int place, long number, long nanos) {
    threads.lieDown(place);
    try {
      int queue = queueOf[place];
      if (!runner.hasEnded(queue, number) && !runner.isReady(queue)) {
        threads.sleepLying(mustPoll() ? Math.min(nanos, LONGEST_PARK_POLLING_NANOS) : nanos);
      } else if (runner.isPolled(queue)) {
        threads.sleepLying(Math.min(nanos, LONGEST_PARK_POLLING_NANOS));
      }
    } finally {
      threads.getUp(place);
    }
  }

  /** Whether messages make progress only while this thread polls, because no other one does. */
  private boolean mustPoll() {
    return areApart && pollers.get() == 0 && runner.isPolled(own[0]);
  }

  /** Runs the queues of ranks whose threads sleep. */
  private void helpSleepers(int queue) {
    if (threads.doAnySleep()) {
      helpOthers(queue);
    }
  }

  private boolean helpOthers(int queue) {
    return helpOthers(queue, true);
  }

  /**
   * Runs the queues of other ranks.
   *
   * @param areAll false for only those of ranks that may wait for this thread's processor
   */
  private boolean helpOthers(int queue, boolean areAll) {
    boolean didWork = false;
    for (int i = 1; i < own.length; i++) {
      int other = own[(indexOf[queue] + i) % own.length];
      if (areAll || !processors.areApart(queue, other)) {
        didWork |= advanceIfReady(other);
      }
    }
    return didWork;
  }

  /**
   * Runs operations that this process's rank has started in other queues and left. A rank of
   * another process may wait for them before it does the work that is awaited here, and cannot run
   * them itself.
   */
  private boolean helpElsewhere() {
    return isShared && engine.helpers().helpShared();
  }

  /** Runs operations that ranks have started and left; called by the engine's helpers. */
  private boolean help(int worker) {
    boolean didWork = false;
    for (int i = 0; i < own.length; i++) {
      if (isReadyForHelp(i)) {
        callForReady(i + 1);
        didWork |= advance(own[i]);
      }
    }
    if (!didWork && !isAnythingStarted()) {
      helpers.end();
    }
    return didWork;
  }

  /**
   * Calls a helper if helpers were called before and there is work for one.
   *
   * @param from the index of the first queue to check
   */
  private void callForReady(int from) {
    for (int i = from; i < own.length && helpers.areCalled(); i++) {
      if (isReadyForHelp(i)) {
        helpers.nudge();
        return;
      }
    }
  }

  private boolean isReadyForHelp(int index) {
    int queue = own[index];
    return runner.isReady(queue) && !isAttended(queue);
  }

  private boolean isAttended(int queue) {
    for (int place : started.placesOf(queue)) {
      if (threads.isAttended(place)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnythingStarted() {
    for (int queue : own) {
      for (int place : started.placesOf(queue)) {
        if (inFlight(place) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Makes all threads check again. */
  void wakeAll() {
    VarHandle.fullFence();
    threads.wakeAll();
    if (bells != null) {
      bells.ringOthers(canGoOn);
    }
    helpers.nudge();
  }
}
