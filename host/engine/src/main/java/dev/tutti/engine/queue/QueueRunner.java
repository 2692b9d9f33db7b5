package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import dev.tutti.sdk.TuttiException;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
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
   */

  private static final int OUTSIDE = 0;
  private static final int ENTERED = 1;
  private static final int UNDECIDED = 2;
  private static final int RUNNING = 3;
  private static final int DRAINING = 4;

  private static final int CLAIM = 0;
  private static final int OPERATION = 1;
  private static final int POSITION = 2;
  private static final int PHASE = 3;
  private static final int SCAN = 4;
  private static final int DIFFERS = 5;
  private static final int WAITS_FOR = 6;
  private static final int WAIT_VALUE = 7;

  private static final long FREE = 0;
  private static final long TAKEN = 1;

  /** What a queue waits for whose ranks have not started its next operation. */
  private static final long START = -1;

  private static final long NO_BINDING = 0;

  private final int queues;
  private final Source source;
  private final QueueCells own;
  private final QueueProgress progress;
  private final QueueGate gate;
  private final QueueCells ended;
  private final @Nullable RankBinding[] bindings;
  private final FailedOperations failures = new FailedOperations();
  private final AtomicBoolean isDeciding = new AtomicBoolean();

  /** What was decided last; written before, and read after, the decision is told. */
  private @Nullable RankBinding decided;

  /** Where the operations come from, and where they go. */
  interface Source {

    /** Whether all ranks of a queue have started an operation. */
    boolean hasStarted(int queue, long number);

    /** The binding that all ranks of a queue bring, or null if that must be agreed on. */
    @Nullable RankBinding brought(int queue, long number);

    /** Has all ranks agree; what they run, or null if there is nothing to run. */
    @Nullable RankBinding agree(long number);

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
  QueueRunner(int queues, int looks, Source source) {
    this.queues = queues;
    this.source = source;
    this.own = new QueueCells(queues);
    this.progress = new QueueProgress(queues, looks);
    this.gate = new QueueGate(progress);
    this.ended = new QueueCells(queues);
    this.bindings = new RankBinding[queues];
    realign(0);
  }

  QueueGate gate() {
    return gate;
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

  /** Whether a queue has entered an operation, or left it. */
  boolean hasEntered(int queue, long number) {
    return progress.hasReached(queue, QueueProgress.entry(number));
  }

  /** Runs a queue as long as it is free and can go on; whether it got on. */
  boolean run(int queue) {
    boolean didWork = false;
    while (own.getOpaque(queue, CLAIM) == FREE && own.compareAndSet(queue, CLAIM, FREE, TAKEN)) {
      didWork |= advance(queue);
      own.setRelease(queue, CLAIM, FREE);
      VarHandle.fullFence();
      if (!canGoOn(queue)) {
        break;
      }
    }
    return didWork;
  }

  /** Whether a queue is free and what it waits for has come; a hint while others change it. */
  boolean isReady(int queue) {
    return own.getAcquire(queue, CLAIM) == FREE && canGoOn(queue);
  }

  private boolean canGoOn(int queue) {
    long waitsFor = own.getOpaque(queue, WAITS_FOR);
    long number = own.getOpaque(queue, OPERATION);
    if (waitsFor == START) {
      return source.hasStarted(queue, number);
    }
    return progress.hasReached((int) waitsFor, own.getOpaque(queue, WAIT_VALUE))
        || (own.getOpaque(queue, PHASE) != DRAINING && isOver(number));
  }

  /** Runs a queue, whose claim this thread holds, until it has to wait; whether it got on. */
  private boolean advance(int queue) {
    boolean didWork = false;
    while (true) {
      long number = own.get(queue, OPERATION);
      boolean goesOn =
          switch ((int) own.get(queue, PHASE)) {
            case OUTSIDE -> enter(queue, number);
            case ENTERED -> meet(queue, number);
            case UNDECIDED -> decide(queue, number);
            case RUNNING -> execute(queue, number);
            default -> drain(queue, number);
          };
      didWork |= goesOn;
      if (!goesOn) {
        return didWork;
      }
    }
  }

  private boolean block(int queue, long waitsFor, long value) {
    own.setOpaque(queue, WAIT_VALUE, value);
    own.setOpaque(queue, WAITS_FOR, waitsFor);
    return false;
  }

  private boolean enter(int queue, long number) {
    if (!source.hasStarted(queue, number)) {
      return block(queue, START, 0);
    }
    RankBinding binding = gate.isOpenFor(number) ? source.brought(queue, number) : null;
    keep(queue, binding);
    progress.enter(queue, number, binding == null ? NO_BINDING : binding.number());
    own.set(queue, SCAN, 0);
    own.set(queue, DIFFERS, binding == null ? 1 : 0);
    own.setOpaque(queue, PHASE, ENTERED);
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
    for (int other = (int) own.get(queue, SCAN); other < queues && !isOver(number); other++) {
      if (other != queue) {
        if (!progress.arrives(other, entry)) {
          own.set(queue, SCAN, other);
          return block(queue, other, entry);
        }
        if (progress.differs(other, number, mine)) {
          own.set(queue, DIFFERS, 1);
        }
      }
    }
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    if (own.get(queue, DIFFERS) != 0 || !gate.isOpenFor(number) || isDecided(number)) {
      own.setOpaque(queue, PHASE, UNDECIDED);
      return true;
    }
    return begin(queue, number);
  }

  private boolean begin(int queue, long number) {
    source.begin(queue, number);
    own.setOpaque(queue, POSITION, 0);
    own.setOpaque(queue, PHASE, RUNNING);
    return true;
  }

  private boolean decide(int queue, long number) {
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    if (!isDecided(number)) {
      if (!isDeciding.compareAndSet(false, true)) {
        return block(queue, progress.decisions(), QueueProgress.entry(number));
      }
      try {
        if (!isDecided(number)) {
          agree(number);
        }
      } finally {
        isDeciding.set(false);
      }
      return true;
    }
    RankBinding binding = decided;
    keep(queue, binding);
    return binding == null ? finish(queue, number, null) : begin(queue, number);
  }

  private boolean isDecided(long number) {
    return progress.hasReached(progress.decisions(), QueueProgress.entry(number));
  }

  private void agree(long number) {
    QueueGate.State seen = gate.state();
    RankBinding binding = null;
    try {
      binding = source.agree(number);
      decided = binding;
    } catch (TuttiException e) {
      failures.add(number, e);
    } catch (Throwable t) {
      failures.add(number, source.failed(number, t));
    }
    progress.tell(progress.decisions(), QueueProgress.entry(number));
    if (binding != null) {
      gate.open(seen);
    }
  }

  private boolean execute(int queue, long number) {
    RankBinding binding = bindings[queue];
    if (binding == null) {
      throw new IllegalStateException("queue " + queue + " runs without a plan");
    }
    int at = (int) own.get(queue, POSITION);
    try {
      at = binding.run(queue, number, at, this);
    } catch (Throwable t) {
      TuttiException failure = source.failed(number, t);
      if (failures.add(number, failure)) {
        source.broken(failure);
      }
    }
    if (isOver(number)) {
      return leaveFailed(queue, number);
    }
    if (at < binding.size(queue)) {
      long items = binding.awaitedItems(queue, at);
      return block(queue, binding.awaited(queue, at), QueueProgress.entry(number) + items);
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
    own.setOpaque(list, POSITION, task);
  }

  @Override
  public boolean isOver(long operation) {
    return failures.mayHold(operation) && failures.of(operation) != null;
  }

  private boolean leaveFailed(int queue, long number) {
    progress.leave(queue, number);
    VarHandle.fullFence();
    own.set(queue, SCAN, 0);
    own.setOpaque(queue, PHASE, DRAINING);
    return true;
  }

  private boolean drain(int queue, long number) {
    for (int other = (int) own.get(queue, SCAN); other < queues; other++) {
      if (progress.isInside(other, number)) {
        own.set(queue, SCAN, other);
        return block(queue, other, QueueProgress.end(number));
      }
    }
    finish(queue, number, failures.of(number));
    forgetWhatAllHaveEnded();
    return true;
  }

  /** Forgets the failures that no rank will come to. */
  void forgetWhatAllHaveEnded() {
    long least = Long.MAX_VALUE;
    for (int queue = 0; queue < queues; queue++) {
      least = Math.min(least, lastEnded(queue));
    }
    failures.forgetBefore(least + 1);
  }

  private boolean finish(int queue, long number, @Nullable TuttiException failure) {
    source.end(queue, number, failure);
    progress.leave(queue, number);
    own.setOpaque(queue, OPERATION, number + 1);
    own.setOpaque(queue, PHASE, OUTSIDE);
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
    for (int queue = 0; queue < queues; queue++) {
      while (!own.compareAndSet(queue, CLAIM, FREE, TAKEN)) {
        Thread.onSpinWait();
      }
      own.setOpaque(queue, OPERATION, last + 1);
      own.setOpaque(queue, PHASE, OUTSIDE);
      block(queue, START, 0);
      progress.leave(queue, last);
      ended.setRelease(queue, 0, last);
      own.setRelease(queue, CLAIM, FREE);
    }
    failures.forgetBefore(last + 1);
  }

  boolean isAnyBound(Predicate<RankBinding> kind) {
    for (RankBinding binding : bindings) {
      if (binding != null && kind.test(binding)) {
        return true;
      }
    }
    return false;
  }

  /** Where the streams of an operation stand; empty if it does not run. */
  List<StreamPosition> positions(long number) {
    for (int queue = 0; queue < queues; queue++) {
      RankBinding binding = bindings[queue];
      if (binding != null && isRunning(queue, number)) {
        return binding.positions(list -> task(binding, list, number));
      }
    }
    return List.of();
  }

  private boolean isRunning(int queue, long number) {
    return own.getOpaque(queue, OPERATION) == number && own.getOpaque(queue, PHASE) == RUNNING;
  }

  private int task(RankBinding binding, int queue, long number) {
    if (own.getOpaque(queue, OPERATION) > number) {
      return binding.size(queue);
    }
    return isRunning(queue, number) ? (int) own.getOpaque(queue, POSITION) : 0;
  }
}
