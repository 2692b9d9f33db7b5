package dev.tutti.engine.queue;

import dev.tutti.engine.machine.CurrentProcessor;
import java.util.BitSet;
import java.util.Comparator;

/**
 * The processors on which the threads of ranks run, as each thread notes it when it yields. If more
 * ranks than processors meet, a waiting thread should yield only to a rank that needs its own
 * processor: the state of other ranks is in the caches of other processors, and a switch of threads
 * takes longer than the wait for a rank that runs. All of this is a hint, as the system may move
 * threads at any time. Nothing is known of ranks on virtual threads. Ranks of other processes only
 * count when ranks are spread over the processors.
 */
final class RankProcessors {

  /*
   * A thread that only yields never leaves its processor idle, so the system takes tenths of a
   * second to notice that one processor runs more ranks than another. Meanwhile, every operation
   * takes as long as the ranks of the crowded processor take in turns. So the ranks look themselves,
   * now and then.
   */

  /** How often a rank notes its processor before it looks whether it should leave it. */
  static final int NOTES_BEFORE_LOOK = 256;

  private final QueueStates states;
  private final QueueProgress progress;
  private final int[] met;
  private final boolean areAllHere;
  private final CurrentProcessor current;

  /** The number of ranks of a processor if all processors have the same, rounded up. */
  private final int share;

  private final int[] notes;

  /**
   * Starts without knowing any processor.
   *
   * @param share the number of ranks of a processor if they are spread over all processors
   */
  RankProcessors(QueueLines lines, CurrentProcessor current, int share) {
    this.states = new QueueStates(lines.states());
    this.progress = new QueueProgress(lines, 1);
    this.met = lines.met();
    this.areAllHere = !lines.areShared();
    this.current = current;
    this.share = share;
    this.notes = new int[lines.queues()];
  }

  /**
   * Notes the processor of this thread, which waits for its rank's queue. Now and then, moves the
   * thread if other processors have fewer ranks.
   */
  void note(int queue) {
    int processor = current.number();
    progress.runsOn(queue, processor);
    notes[queue]++;
    if (notes[queue] % NOTES_BEFORE_LOOK == 0
        && processor != CurrentProcessor.UNKNOWN
        && isLastOfCrowd(queue)) {
      leave(processor);
    }
  }

  /** Whether a queue is the last of those on a processor that has more than its share. */
  private boolean isLastOfCrowd(int queue) {
    int here = 1;
    for (int other : met) {
      if (other != queue && progress.runsHere(queue, other)) {
        if (other > queue) {
          return false;
        }
        here++;
      }
    }
    return here > share;
  }

  /** Moves this thread to the processor with the fewest ranks, if that has at least two fewer. */
  private void leave(int processor) {
    BitSet allowed = current.allowed();
    int[] ranks = new int[Math.max(processor + 1, allowed.length())];
    for (int queue : met) {
      int noted = progress.processor(queue);
      if (noted >= 0 && noted < ranks.length) {
        ranks[noted]++;
      }
    }
    allowed.stream()
        .boxed()
        .min(Comparator.comparingInt(other -> ranks[other]))
        .filter(other -> ranks[other] <= ranks[processor] - 2)
        .ifPresent(current::moveTo);
  }

  /** Whether the threads of two queues' ranks are known to have run on different processors. */
  boolean areApart(int queue, int other) {
    return areAllHere && progress.runsElsewhere(queue, other);
  }

  /**
   * Whether another queue should run before a queue, because their ranks are known to have run on
   * one processor. The order changes with each operation: the queue that ran last, whose data may
   * still be in the caches, runs first in the next one.
   */
  boolean isBefore(int other, int queue) {
    boolean isAscending = (states.operation(queue) & 1) == 0;
    return areAllHere
        && (isAscending ? other < queue : other > queue)
        && progress.runsHere(queue, other);
  }

  /** Whether all ranks that a queue waits for are known to have run on other processors. */
  boolean areAwaitedElsewhere(int queue) {
    return areAllHere && isAwaitedElsewhere(queue);
  }

  private boolean isAwaitedElsewhere(int queue) {
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
