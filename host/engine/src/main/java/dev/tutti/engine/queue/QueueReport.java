package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.engine.StreamPosition;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Reports the activity of queues while they run. It shows the state of a moment ago. Thread-safe.
 *
 * @param states the state of each queue
 * @param progress the progress of each queue
 * @param ended the last operation that has ended for each queue
 * @param bindings the current or last binding of each queue of this process
 * @param own the queues of this process
 */
record QueueReport(
    QueueStates states,
    QueueProgress progress,
    QueueCells ended,
    QueueBindings bindings,
    int[] own) {

  /** The current or last activity of a queue's rank, in words that follow its name and "it". */
  String doing(int queue, long lastStarted) {
    long last = ended.getAcquire(queue, 0);
    return lastStarted > last
        ? "it was in operation " + (last + 1) + howFar(queue, last + 1)
        : last == 0 ? "it had started no operation" : "it had ended operation " + last;
  }

  /** The progress of a queue in an operation, in words that follow those of the operation. */
  private String howFar(int queue, long number) {
    if (!states.isRunning(queue, number)) {
      return states.phase(queue) == QueueStates.DRAINING
          ? ", which had failed"
          : ", and had not begun to run it";
    }
    for (int mine : own) {
      RankBinding binding = bindings.of(mine);
      if (binding != null && states.isRunning(mine, number)) {
        return ", at task " + (states.position(queue) + 1) + " of " + binding.size(queue);
      }
    }
    return ", and ran it";
  }

  /** The places whose queues are in an operation: they have entered it and have not left it. */
  List<Integer> inside(int[] queueOf, long number) {
    return IntStream.range(0, queueOf.length)
        .filter(place -> progress.isInside(queueOf[place], number))
        .boxed()
        .toList();
  }

  /** Whether a current or last operation has a matching binding. */
  boolean isAnyBound(Predicate<RankBinding> kind) {
    for (int queue : own) {
      RankBinding binding = bindings.of(queue);
      if (binding != null && kind.test(binding)) {
        return true;
      }
    }
    return false;
  }

  /** The positions of an operation's streams; empty if it does not run. */
  List<StreamPosition> positions(long number) {
    for (int queue : own) {
      RankBinding binding = bindings.of(queue);
      if (binding != null && states.isRunning(queue, number)) {
        return states.positions(binding, number);
      }
    }
    return List.of();
  }
}
