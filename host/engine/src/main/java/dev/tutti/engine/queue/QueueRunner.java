package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs the operations of each queue. Thread-safe: one thread at a time runs a queue. */
final class QueueRunner implements RankBinding.Signals {

  /*
   * A queue is a coroutine. The thread that holds its claim takes it through these states:
   *
   *   OUTSIDE    until its ranks have started the next operation
   *   ENTERED    until all queues have entered the same operation
   *   UNDECIDED  only if the ranks did not bring the same binding: until one thread has made them agree
   *   RUNNING    its list, which ends after the last access of a peer to the memory of its ranks
   *   DRAINING   only after a failure: until no queue can be working on the operation any more
   *
   * The thread gives up the claim when the queue has to wait. A queue leaves an operation when its
   * own part is done; then the buffers belong to its ranks again.
   *
   * No data moves before all queues have entered and found that all bindings are the same. If one
   * queue finds that, all do: it has seen all others inside the operation with that binding, or
   * past it, and a queue gets past only if it has found the same.
   *
   * No queue is forgotten. A thread that gives up a claim checks again whether the queue can
   * continue, and its caller then checks for sleepers and other queues. A rank's thread that goes
   * to sleep announces it and checks again. A full fence is between each store and its check.
   *
   * A failed operation is left in two steps. Each queue stops and announces that it has left, which
   * releases all that wait for it. It then waits until every other queue has announced the same or
   * has not entered. A queue announces its entry, and asks for a failure before it touches data,
   * with a full fence in between; so it sees the failure if its entry was not seen. The fence comes
   * after the wait for the others, in which peers hand back the line.
   *
   * If a binding is short, a queue shows its input when it enters. Once all have entered, each
   * computes its own results, and leaves. If the ranks must agree, the lists run.
   *
   * If each rank is in its own process, every process runs its own queue in the same way. The lines
   * are in shared memory, and bindings have the numbers on which the processes agreed. An undecided
   * queue waits until every process has announced the decision, and mapped the others' memory.
   *
   * If processes share no memory, a queue sees only the queues of its process. Once these have
   * entered, one thread finds the binding that the ranks of the process know, or makes a proposal.
   * Messages of different bindings do not match. One list of the process has all messages, and the
   * others wait for its end. Nothing announces an arrival, so a list that waits for one is polled.
   */

  /** The queues that the queues of this process meet. */
  private final int[] met;

  private final OperationSource source;
  private final IntConsumer beforeList;
  private final int[] own;
  private final boolean isShared;
  private final QueueStates states;
  private final QueueProgress progress;
  private final QueueGate gate;
  private final QueueCells ended;
  private final QueueBindings bindings;
  private final FailedOperations failures;
  private final QueueDecisions decisions;
  private final QueueReport report;

  /**
   * Makes a runner that checks a number of times before a thread gives a queue up, and calls {@code
   * beforeList} before a queue that has met all others runs a list that uses the caches.
   */
  QueueRunner(QueueLines lines, int looks, OperationSource source, IntConsumer beforeList) {
    this.beforeList = beforeList;
    this.met = lines.met();
    this.own = lines.own();
    this.source = source;
    this.states = new QueueStates(lines.states());
    this.progress = new QueueProgress(lines, looks);
    this.gate = new QueueGate(progress, lines.areShared());
    this.isShared = lines.areShared();
    this.decisions = new QueueDecisions(progress, gate, lines.failures(), source, isShared);
    this.ended = lines.ended();
    this.failures = lines.failures();
    this.bindings = new QueueBindings(states, progress, lines);
    this.report = new QueueReport(states, progress, ended, bindings, own);
    realign(0);
  }

  /** The report of this process's queues. */
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
    // A queue that drains has stopped, and only waits for others.
    return IntStream.of(own).anyMatch(queue -> states.phase(queue) == QueueStates.RUNNING);
  }

  /** The largest number of failed operations that some ranks have not reached yet. */
  int failedAhead() {
    return failures.areThereAny() ? failures.ahead(leastEnded()) : 0;
  }

  /** Counts the queue of a process that has ended as done: it does not touch data any more. */
  void gone(int queue) {
    progress.leave(queue, states.operation(queue));
  }

  /** Whether a queue has entered an operation, or left it. */
  boolean hasEntered(int queue, long number) {
    return progress.hasReached(queue, QueueProgress.entry(number));
  }

  /**
   * Runs a queue as long as it is free and can continue; returns whether it made progress. An
   * exception from outside of a plan fails the operation for all ranks, too.
   */
  boolean run(int queue) {
    boolean didWork = false;
    while (states.claim(queue)) {
      boolean getsOn;
      try {
        getsOn = advance(queue);
      } catch (Throwable t) {
        fail(states.operation(queue), t);
        throw t;
      } finally {
        states.release(queue);
      }
      didWork |= getsOn;
      VarHandle.fullFence();
      if (!canGoOn(queue) || (!getsOn && isPolled(queue))) {
        break;
      }
    }
    return didWork;
  }

  /** Whether the event that a queue of another process waits for has occurred; a hint. */
  boolean hasCome(int queue) {
    long waitsFor = states.waitsFor(queue);
    return waitsFor >= 0
        && (progress.hasReached((int) waitsFor, states.waitValue(queue))
            || failures.mayHold(states.operation(queue)));
  }

  /** Whether a queue is free and can continue; a hint while others change it. */
  boolean isReady(int queue) {
    return states.isFree(queue) && canGoOn(queue);
  }

  /** Whether a queue waits for an event that nothing announces, so that it must be polled. */
  boolean isPolled(int queue) {
    return states.waitsFor(queue) == RankBinding.MESSAGE;
  }

  private boolean canGoOn(int queue) {
    // Read once: another thread may change it between two reads.
    long waitsFor = states.waitsFor(queue);
    if (waitsFor == RankBinding.MESSAGE) {
      return true;
    }
    long number = states.operation(queue);
    if (waitsFor == QueueStates.START) {
      return source.hasStarted(queue, number);
    }
    return states.phase(queue) == QueueStates.DRAINING
        ? !progress.isInside((int) waitsFor, number)
        : progress.hasReached((int) waitsFor, states.waitValue(queue)) || isOver(number);
  }

  /** Runs a queue, claimed by this thread, until it must wait; returns whether it made progress. */
  private boolean advance(int queue) {
    boolean didWork = false;
    long number = states.operation(queue);
    int phase = states.phase(queue);
    while (true) {
      int from = states.position(queue);
      int next =
          switch (phase) {
            case QueueStates.OUTSIDE -> enter(queue, number);
            case QueueStates.ENTERED -> meet(queue, number);
            case QueueStates.UNDECIDED -> decide(queue, number);
            case QueueStates.RUNNING -> execute(queue, number);
            default -> drain(queue, number);
          };
      if (next == QueueStates.BLOCKED) {
        // A list that waits again may have released others.
        return didWork || states.position(queue) != from;
      }
      didWork = true;
      phase = next;
      number += next == QueueStates.OUTSIDE ? 1 : 0;
    }
  }

  // Each of the following methods takes a queue through a phase, and returns the next one.

  private int enter(int queue, long number) {
    if (!source.hasStarted(queue, number)) {
      return states.block(queue, QueueStates.OUTSIDE, QueueStates.START, 0);
    }
    RankBinding binding = gate.isOpenFor(number) ? source.brought(queue, number) : null;
    boolean brings = bindings.enter(queue, number, binding);
    states.scan(queue, 0);
    states.differs(queue, !brings);
    return QueueStates.ENTERED;
  }

  private int meet(int queue, long number) {
    long mine = states.brings(queue);
    long entry = QueueProgress.entry(number);
    int[] others = met;
    for (int at = states.scan(queue); at < others.length && !isOver(number); at++) {
      int other = others[at];
      if (other != queue) {
        if (!progress.arrives(other, entry)) {
          states.scan(queue, at);
          return states.block(queue, QueueStates.ENTERED, other, entry);
        }
        if (progress.differs(other, number, mine)) {
          states.differs(queue, true);
        }
      }
    }
    VarHandle.fullFence();
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    states.met(queue, number);
    if (states.differs(queue) || !gate.isOpenFor(number) || decisions.isDecided(number)) {
      return QueueStates.UNDECIDED;
    }
    RankBinding binding = bindings.of(queue);
    if (binding != null && binding.isShortIn(number)) {
      return compute(queue, number, binding);
    }
    if (binding != null && binding.usesCaches()) {
      beforeList.accept(queue);
    }
    return begin(queue, number);
  }

  /** Runs a short operation, in which no queue waits for this one any more. */
  private int compute(int queue, long number, RankBinding binding) {
    int ignored = begin(queue, number);
    try {
      binding.compute(queue, number, bindings);
    } catch (Throwable t) {
      fail(number, t);
      return leaveFailed(queue, number);
    }
    source.end(queue, number, null);
    return goPast(queue, number);
  }

  private int begin(int queue, long number) {
    source.begin(queue, number);
    states.position(queue, 0);
    states.phase(queue, QueueStates.RUNNING);
    return QueueStates.RUNNING;
  }

  private int decide(int queue, long number) {
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    int undecided = progress.undecided(number);
    if (undecided >= 0) {
      if (!decisions.isDecided(number) && decisions.seek(number)) {
        return QueueStates.UNDECIDED;
      }
      int blocked = states.block(queue, QueueStates.UNDECIDED, undecided, number);
      return isOver(number) ? QueueStates.UNDECIDED : blocked;
    }
    RankBinding binding = decisions.decided();
    bindings.keep(queue, binding);
    return binding == null ? finish(queue, number, null) : begin(queue, number);
  }

  private int execute(int queue, long number) {
    RankBinding binding = Objects.requireNonNull(bindings.of(queue));
    int at = states.position(queue);
    try {
      at = binding.run(queue, number, at, this);
    } catch (Throwable t) {
      fail(number, t);
    }
    if (isOver(number)) {
      TuttiException failure = failures.of(number);
      if (binding.stop(queue) && failure != null) {
        source.broken(failure);
      }
      return leaveFailed(queue, number);
    }
    if (at < binding.size(queue)) {
      long items = binding.awaitedItems(queue, at);
      return states.block(
          queue,
          QueueStates.RUNNING,
          binding.awaited(queue, at),
          QueueProgress.entry(number) + items);
    }
    return finish(queue, number, null);
  }

  private void fail(long number, Throwable thrown) {
    TuttiException failure = source.failed(number, thrown);
    if (failures.add(number, failure)) {
      source.broken(failure);
    }
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

  private int leaveFailed(int queue, long number) {
    progress.leave(queue, number);
    VarHandle.fullFence();
    states.scan(queue, 0);
    states.phase(queue, QueueStates.DRAINING);
    return QueueStates.DRAINING;
  }

  private int drain(int queue, long number) {
    int[] others = met;
    for (int at = states.scan(queue); at < others.length; at++) {
      int other = others[at];
      if (progress.isInside(other, number)) {
        states.scan(queue, at);
        return states.block(queue, QueueStates.DRAINING, other, QueueProgress.end(number));
      }
    }
    int next = finish(queue, number, failures.of(number));
    failures.forgetBefore(leastEnded() + 1);
    return next;
  }

  /** The last operation that has ended for all visible queues. */
  long leastEnded() {
    return IntStream.of(met).mapToLong(this::lastEnded).min().orElse(Long.MAX_VALUE);
  }

  private int finish(int queue, long number, @Nullable TuttiException failure) {
    source.end(queue, number, failure);
    progress.leave(queue, number);
    return goPast(queue, number);
  }

  private int goPast(int queue, long number) {
    states.next(queue, number + 1);
    ended.setRelease(queue, 0, number);
    return QueueStates.OUTSIDE;
  }

  /**
   * Makes all queues begin with the same operation, which no rank has started. No operation may be
   * under way.
   *
   * @param last the number of the previous operation
   */
  void realign(long last) {
    for (int queue : own) {
      while (!states.claim(queue)) {
        Thread.onSpinWait();
      }
      states.next(queue, last + 1);
      int ignored = states.block(queue, QueueStates.OUTSIDE, QueueStates.START, 0);
      progress.leave(queue, last);
      ended.setRelease(queue, 0, last);
      // Ranks of other processes may still be in earlier operations.
      states.met(queue, isShared ? last - 1 : last);
      states.release(queue);
    }
    failures.forgetBefore(last + 1);
  }
}
