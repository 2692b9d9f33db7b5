package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Takes the operations of each queue from entry to end. Thread-safe: a queue is run by one thread
 * at a time.
 */
final class QueueRunner implements RankBinding.Signals {

  /*
   * A queue is a coroutine: whichever thread holds its claim takes it through
   *
   *   OUTSIDE    until its ranks have started the next operation
   *   ENTERED    until all queues have entered the same operation
   *   UNDECIDED  only where the ranks did not bring the same binding: until one thread has had them agree
   *   RUNNING    its list, which ends after the last access of a peer to the memory of its ranks
   *   DRAINING   only of a failed operation: until no queue can be at work on it any more
   *
   * and gives the claim up where it has to wait. So a queue leaves an operation when it is done with it, and
   * buffers belong to their ranks again as soon as their own operation has ended.
   *
   * Nothing moves before all have entered and found that all bindings are the same, and if one finds that, all do:
   * it has seen all others inside the operation with that binding, or past it, and only those who found it get past it.
   *
   * No queue is forgotten. A thread that gives up a claim looks once more whether the queue can go on, and its caller then
   * looks for sleepers and other queues. A rank's thread that goes to sleep says so and looks once more. A full fence
   * stands between the store and the look on all sides.
   *
   * A failed operation is left in two steps: each queue stops, tells that it has left, which releases all that wait for
   * it, and waits until every other one has told so, too, or has not entered; those will see the failure when
   * they enter. Whoever was released by such a queue sees the failure before it touches data, as the failure was noted before.
   *
   * Where each rank is in a process of its own, every process runs its own queue in the same way. The lines are in
   * shared memory, bindings have the numbers on which the processes agreed, and a queue that is undecided makes a
   * proposal and waits until its process tells the decision, in a line of its own.
   *
   * Where processes share no memory, a queue sees only those of its process. Once these have entered, one thread finds the
   * binding that the ranks of the process know, or makes a proposal. The messages do the rest; those of a binding that not all
   * have brought do not fit. One list of the process has all messages, and the others wait for its end. A list that waits for a
   * message is looked at again and again, as nobody tells when one comes. What has failed in the middle has left messages that
   * nobody takes, so the group cannot go on.
   */

  private static final long NO_BINDING = 0;

  /** The queues that those of this process meet. */
  private final int[] met;

  private final Source source;
  private final int[] own;

  private final boolean isShared;
  private final QueueStates states;
  private final QueueProgress progress;
  private final QueueGate gate;
  private final QueueCells ended;
  private final @Nullable RankBinding[] bindings;
  private final FailedOperations failures;
  private final QueueDecisions decisions;
  private final QueueReport report;

  /** Where the operations come from, and where they go. */
  interface Source {

    /** Whether all ranks of a queue have started an operation. */
    boolean hasStarted(int queue, long number);

    /** The binding that all ranks of a queue bring, or null if that must be agreed on. */
    @Nullable RankBinding brought(int queue, long number);

    /**
     * What the ranks of this process know to run, where processes share no memory; else null. All
     * of them have started it.
     */
    @Nullable RankBinding known(long number);

    /** Has all ranks agree; what they run, or null if there is nothing to run. */
    @Nullable RankBinding agree(long number);

    /** Has ranks in other processes learn of what the rank of this one wants to run. */
    void propose(long number);

    /** The error of all ranks after one rank's part has thrown something. */
    TuttiException failed(long number, Throwable thrown);

    /** Called once a failure in the middle of the work is noted. */
    void broken(TuttiException failure);

    /** The ranks of a queue begin to run what was agreed on. */
    void begin(int queue, long number);

    /** Gives the operation back to the ranks of a queue. */
    void end(int queue, long number, @Nullable TuttiException failure);
  }

  /** Runs queues, and looks so often whether one may go on before it gives it up. */
  QueueRunner(QueueLines lines, int looks, Source source) {
    this.met = lines.met();
    this.own = lines.own();
    this.source = source;
    this.states = new QueueStates(lines.states());
    this.progress = new QueueProgress(lines.progress(), lines.queues(), lines.decisions(), looks);
    this.gate = new QueueGate(progress, lines.areShared());
    this.isShared = lines.areShared();
    this.decisions = new QueueDecisions(progress, gate, lines.failures(), source, isShared);
    this.ended = lines.ended();
    this.failures = lines.failures();
    this.bindings = new RankBinding[lines.queues()];
    this.report = new QueueReport(states, ended, bindings, own);
    realign(0);
  }

  /** What the queues of this process do. */
  QueueReport report() {
    return report;
  }

  QueueGate gate() {
    return gate;
  }

  QueueDecisions decisions() {
    return decisions;
  }

  FailedOperations failures() {
    return failures;
  }

  boolean hasEnded(int queue, long number) {
    return lastEnded(queue) - number >= 0;
  }

  long lastEnded(int queue) {
    return ended.getAcquire(queue, 0);
  }

  /** Whether any queue of this process is at work on an operation that all have entered. */
  boolean isRunning() {
    if (!isShared) {
      return gate.isAnyInside();
    }
    boolean isAny = false;
    for (int queue : own) {
      isAny |= states.phase(queue) >= QueueStates.RUNNING;
    }
    return isAny;
  }

  /** How many failed operations some ranks have yet to come to, at the most. */
  int failedAhead() {
    return failures.areThereAny() ? failures.ahead(leastEnded()) : 0;
  }

  /**
   * Lets the queue of a process that is gone count as one that is done: it touches nothing any
   * more.
   */
  void gone(int queue) {
    progress.leave(queue, states.operation(queue));
  }

  /** Whether a queue has entered an operation, or left it. */
  boolean hasEntered(int queue, long number) {
    return progress.hasReached(queue, QueueProgress.entry(number));
  }

  /** Runs a queue as long as it is free and can go on; whether it got on. */
  boolean run(int queue) {
    boolean didWork = false;
    while (states.claim(queue)) {
      boolean getsOn = advance(queue);
      didWork |= getsOn;
      states.release(queue);
      VarHandle.fullFence();
      if (!canGoOn(queue) || (!getsOn && isPolled(queue))) {
        break;
      }
    }
    return didWork;
  }

  /** Whether another queue has told what a queue of another process waits for; a hint. */
  boolean hasCome(int queue) {
    long waitsFor = states.waitsFor(queue);
    return waitsFor >= 0
        && (progress.hasReached((int) waitsFor, states.waitValue(queue))
            || failures.mayHold(states.operation(queue)));
  }

  /** Whether a queue is free and what it waits for has come; a hint while others change it. */
  boolean isReady(int queue) {
    return states.isFree(queue) && canGoOn(queue);
  }

  /** Whether a queue waits for what nobody tells it of, so that it has to look. */
  boolean isPolled(int queue) {
    return states.waitsFor(queue) == RankBinding.MESSAGE;
  }

  private boolean canGoOn(int queue) {
    // Read once: another thread may change it between two looks.
    long waitsFor = states.waitsFor(queue);
    if (waitsFor == RankBinding.MESSAGE) {
      return true;
    }
    long number = states.operation(queue);
    if (waitsFor == QueueStates.START) {
      return source.hasStarted(queue, number);
    }
    return progress.hasReached((int) waitsFor, states.waitValue(queue))
        || (states.phase(queue) != QueueStates.DRAINING && isOver(number));
  }

  /** Runs a queue, whose claim this thread holds, until it has to wait; whether it got on. */
  private boolean advance(int queue) {
    boolean didWork = false;
    while (true) {
      long number = states.operation(queue);
      int from = states.position(queue);
      boolean goesOn =
          switch (states.phase(queue)) {
            case QueueStates.OUTSIDE -> enter(queue, number);
            case QueueStates.ENTERED -> meet(queue, number);
            case QueueStates.UNDECIDED -> decide(queue, number);
            case QueueStates.RUNNING -> execute(queue, number);
            default -> drain(queue, number);
          };
      // A list that waits again may have told others what they wait for.
      didWork |= goesOn || states.position(queue) != from;
      if (!goesOn) {
        return didWork;
      }
    }
  }

  private boolean enter(int queue, long number) {
    if (!source.hasStarted(queue, number)) {
      return states.block(queue, QueueStates.START, 0);
    }
    RankBinding binding = gate.isOpenFor(number) ? source.brought(queue, number) : null;
    keep(queue, binding);
    progress.enter(queue, number, binding == null ? NO_BINDING : binding.number());
    states.scan(queue, 0);
    states.differs(queue, binding == null);
    states.phase(queue, QueueStates.ENTERED);
    return true;
  }

  /** Other threads read the line of bindings, so it is written only where that changes it. */
  private void keep(int queue, @Nullable RankBinding binding) {
    if (bindings[queue] != binding) {
      bindings[queue] = binding;
    }
  }

  private boolean meet(int queue, long number) {
    long mine = progress.brought(queue);
    long entry = QueueProgress.entry(number);
    int[] others = met;
    for (int at = states.scan(queue); at < others.length && !isOver(number); at++) {
      int other = others[at];
      if (other != queue) {
        if (!progress.arrives(other, entry)) {
          states.scan(queue, at);
          return states.block(queue, other, entry);
        }
        if (progress.differs(other, number, mine)) {
          states.differs(queue, true);
        }
      }
    }
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    if (states.differs(queue) || !gate.isOpenFor(number) || decisions.isDecided(number)) {
      states.phase(queue, QueueStates.UNDECIDED);
      return true;
    }
    return begin(queue, number);
  }

  private boolean begin(int queue, long number) {
    source.begin(queue, number);
    states.position(queue, 0);
    states.phase(queue, QueueStates.RUNNING);
    return true;
  }

  private boolean decide(int queue, long number) {
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    if (!decisions.isDecided(number)) {
      return decisions.seek(number)
          || states.block(queue, progress.decisions(), QueueProgress.entry(number))
          || isOver(number);
    }
    RankBinding binding = decisions.decided();
    keep(queue, binding);
    return binding == null ? finish(queue, number, null) : begin(queue, number);
  }

  private boolean execute(int queue, long number) {
    RankBinding binding = bindings[queue];
    if (binding == null) {
      throw new IllegalStateException("queue " + queue + " runs without a plan");
    }
    int at = states.position(queue);
    try {
      at = binding.run(queue, number, at, this);
    } catch (Throwable t) {
      TuttiException failure = source.failed(number, t);
      if (failures.add(number, failure)) {
        source.broken(failure);
      }
    }
    if (isOver(number)) {
      TuttiException failure = failures.of(number);
      if (binding.stop(queue, at) && failure != null) {
        source.broken(failure);
      }
      return leaveFailed(queue, number);
    }
    if (at < binding.size(queue)) {
      long items = binding.awaitedItems(queue, at);
      return states.block(queue, binding.awaited(queue, at), QueueProgress.entry(number) + items);
    }
    return finish(queue, number, null);
  }

  @Override
  public boolean hasCome(int list, long operation, long items) {
    return progress.arrives(list, QueueProgress.entry(operation) + items);
  }

  @Override
  public void tell(int list, long operation, long items) {
    progress.tell(list, QueueProgress.entry(operation) + items);
  }

  @Override
  public void isAt(int list, int task) {
    states.position(list, task);
  }

  @Override
  public boolean isOver(long operation) {
    return failures.mayHold(operation) && failures.of(operation) != null;
  }

  private boolean leaveFailed(int queue, long number) {
    progress.leave(queue, number);
    VarHandle.fullFence();
    states.scan(queue, 0);
    states.phase(queue, QueueStates.DRAINING);
    return true;
  }

  private boolean drain(int queue, long number) {
    int[] others = met;
    for (int at = states.scan(queue); at < others.length; at++) {
      int other = others[at];
      if (progress.isInside(other, number)) {
        states.scan(queue, at);
        return states.block(queue, other, QueueProgress.end(number));
      }
    }
    finish(queue, number, failures.of(number));
    failures.forgetBefore(leastEnded() + 1);
    return true;
  }

  /** The last operation that has ended for all queues, as far as they are seen. */
  long leastEnded() {
    long least = Long.MAX_VALUE;
    for (int queue : met) {
      least = Math.min(least, lastEnded(queue));
    }
    return least;
  }

  private boolean finish(int queue, long number, @Nullable TuttiException failure) {
    source.end(queue, number, failure);
    progress.leave(queue, number);
    states.next(queue, number + 1);
    ended.setRelease(queue, 0, number);
    return true;
  }

  /**
   * Lets all queues begin with the same operation, which no rank has started. Nothing may be under
   * way.
   *
   * @param last the number before it
   */
  void realign(long last) {
    for (int queue : own) {
      while (!states.claim(queue)) {
        Thread.onSpinWait();
      }
      states.next(queue, last + 1);
      boolean ignored = states.block(queue, QueueStates.START, 0);
      progress.leave(queue, last);
      ended.setRelease(queue, 0, last);
      states.release(queue);
    }
    failures.forgetBefore(last + 1);
  }
}
