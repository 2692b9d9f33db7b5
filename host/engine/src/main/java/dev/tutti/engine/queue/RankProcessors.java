package dev.tutti.engine.queue;

import dev.tutti.engine.machine.CurrentProcessor;

/**
 * The processors on which the threads of ranks run, as each thread notes it when it yields. If more
 * ranks than processors meet, a waiting thread should yield only to a rank that needs its own
 * processor: the state of other ranks is in the caches of other processors, and a switch of threads
 * takes longer than the wait for a rank that runs. All of this is a hint, as the system may move
 * threads at any time. Nothing is known of ranks of other processes, nor of virtual threads.
 */
final class RankProcessors {

  private final QueueStates states;
  private final QueueProgress progress;
  private final int[] met;
  private final boolean areAllHere;

  /** Starts without knowing any processor. */
  RankProcessors(QueueLines lines) {
    this.states = new QueueStates(lines.states());
    this.progress = new QueueProgress(lines, 1);
    this.met = lines.met();
    this.areAllHere = !lines.areShared();
  }

  /** Notes the processor of this thread, which waits for its rank's queue. */
  void note(int queue) {
    if (areAllHere) {
      progress.runsOn(
          queue,
          Thread.currentThread().isVirtual()
              ? CurrentProcessor.UNKNOWN
              : CurrentProcessor.number());
    }
  }

  /** Whether the threads of two queues' ranks are known to have run on different processors. */
  boolean areApart(int queue, int other) {
    return progress.runsElsewhere(queue, other);
  }

  /**
   * Whether another queue should run before a queue, because their ranks are known to have run on
   * one processor. The order changes with each operation: the queue that ran last, whose data may
   * still be in the caches, runs first in the next one.
   */
  boolean isBefore(int other, int queue) {
    boolean isAscending = (states.operation(queue) & 1) == 0;
    return (isAscending ? other < queue : other > queue) && progress.runsHere(queue, other);
  }

  /** Whether all ranks that a queue waits for are known to have run on other processors. */
  boolean areAwaitedElsewhere(int queue) {
    return switch (states.phase(queue)) {
      case QueueStates.ENTERED -> areMissingElsewhere(queue, states.waitValue(queue));
      case QueueStates.RUNNING -> {
        long waitsFor = states.waitsFor(queue);
        yield waitsFor >= 0 && progress.runsElsewhere(queue, (int) waitsFor);
      }
      default -> false;
    };
  }

  private boolean areMissingElsewhere(int queue, long entry) {
    for (int other : met) {
      if (!progress.hasReached(other, entry) && !progress.runsElsewhere(queue, other)) {
        return false;
      }
    }
    return true;
  }
}
