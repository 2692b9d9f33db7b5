package dev.tutti.engine.queue;

import dev.tutti.engine.RankBinding;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The operations that each rank has started, in order, until they have ended. Thread-safe. */
final class StartedOperations {

  private final int[][] placesOf;
  private final int[] ownQueues;
  private final QueueCells started;
  private final @Nullable QueuedOperation[][] operations;

  /**
   * Starts without operations.
   *
   * @param queueOf the queue of each place
   * @param capacity the largest number of operations of a rank that have not ended
   */
  StartedOperations(int[] queueOf, QueueLines lines, int capacity) {
    int places = queueOf.length;
    int queues = lines.queues();
    this.placesOf = new int[queues][];
    Arrays.setAll(
        placesOf,
        queue -> IntStream.range(0, places).filter(place -> queueOf[place] == queue).toArray());
    this.started = lines.started();
    this.ownQueues = lines.own();
    int room = Integer.highestOneBit(Math.max(1, 2 * capacity - 1));
    this.operations = new QueuedOperation[places][room];
  }

  int places() {
    return operations.length;
  }

  /** Whether other processes run queues, too. */
  boolean areShared() {
    return ownQueues.length < placesOf.length;
  }

  /** The queues that run in this process. */
  int[] ownQueues() {
    return ownQueues;
  }

  int[] placesOf(int queue) {
    return placesOf[queue];
  }

  /** The number of the last operation that a rank has started. */
  long last(int place) {
    return started.getAcquire(place, 0);
  }

  /** Adds a rank's next operation, and returns its number. */
  @SuppressWarnings("ReferenceEquality") // the same operation is the same object
  long add(int place, QueuedOperation operation) {
    long number = started.get(place, 0) + 1;
    @Nullable QueuedOperation[] ring = operations[place];
    operation.begin(number);
    int at = (int) number & (ring.length - 1);
    // Some collectors mark each write of a reference in a table that ranks' threads share.
    if (ring[at] != operation) {
      ring[at] = operation;
    }
    started.setRelease(place, 0, number);
    return number;
  }

  QueuedOperation get(int place, long number) {
    @Nullable QueuedOperation[] ring = operations[place];
    QueuedOperation operation = ring[(int) number & (ring.length - 1)];
    if (operation == null) {
      throw new TuttiException(
          ErrorCode.INVALID_STATE, "place %d has not started operation %d", place, number);
    }
    return operation;
  }

  /** An operation's parts, by place; all ranks must have started it. */
  List<QueuedOperation> parts(long number) {
    return IntStream.range(0, places()).mapToObj(place -> get(place, number)).toList();
  }

  /** The parts of this process's ranks in an operation, by place; all must have started it. */
  List<QueuedOperation> ownParts(long number) {
    return IntStream.of(ownQueues)
        .flatMap(queue -> IntStream.of(placesOf[queue]))
        .sorted()
        .mapToObj(place -> get(place, number))
        .toList();
  }

  /** Whether all ranks of a queue have started an operation. */
  boolean haveStarted(int queue, long number) {
    for (int place : placesOf[queue]) {
      if (last(place) < number) {
        return false;
      }
    }
    return true;
  }

  /** The places that have not started an operation. */
  List<Integer> missing(long number) {
    List<Integer> missing = new ArrayList<>();
    for (int place = 0; place < places(); place++) {
      if (last(place) < number) {
        missing.add(place);
      }
    }
    return missing;
  }

  /** The binding that all ranks of a queue bring, or null if they do not all bring the same. */
  @Nullable RankBinding brought(int queue, long number) {
    RankBinding found = null;
    for (int place : placesOf[queue]) {
      RankBinding own = get(place, number).brings();
      if (own == null || (found != null && found != own)) {
        return null;
      }
      found = own;
    }
    return found;
  }

  /** Sets the number of operations that a rank has started. */
  void realign(int place, long last) {
    started.setRelease(place, 0, last);
  }

  /** Makes the numbers of started operations equal; returns the number of the last one. */
  long realign() {
    long last = 0;
    for (int place = 0; place < places(); place++) {
      last = Math.max(last, last(place));
    }
    for (int place = 0; place < places(); place++) {
      started.setRelease(place, 0, last);
    }
    return last;
  }
}
