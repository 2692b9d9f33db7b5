package dev.tutti.verifier.order;

import java.util.Arrays;

/**
 * A wave over the events that happen after a start event, or before it. For each stream it holds
 * the first reached event, or the last one for a backward wave. It grows stream by stream in the
 * order of levels, so the event of a stream is final when the wave follows that stream. Not
 * thread-safe.
 */
final class ReachFrontier {

  /** The goal of a wave. */
  interface Goal {
    /** Whether an event reaches the goal. */
    boolean isReached(int stream, int event);
  }

  private final PostAwaitPairs pairs;
  private final boolean isForward;
  private final LaneIndex lanes;
  private final int[] label;

  /** For each stream, twice the round in which it got its label, plus 1 once the label is final. */
  private final int[] state;

  private int round;
  private int[] reached = new int[16];
  private int reachedCount;

  /**
   * A heap with a level in the high half and a stream in the low half. A backward wave negates the
   * levels.
   */
  private long[] heap = new long[16];

  private int heapSize;

  /** A forward wave along the order, or a backward wave against it. */
  ReachFrontier(PostAwaitPairs pairs, boolean isForward, int streams) {
    this.pairs = pairs;
    this.isForward = isForward;
    this.lanes = isForward ? pairs.outgoing() : pairs.incoming();
    this.label = new int[streams];
    this.state = new int[streams];
  }

  /** Removes all events. */
  void restart() {
    round++;
    if (round == Integer.MAX_VALUE >> 1) {
      Arrays.fill(state, 0);
      round = 1;
    }
    reachedCount = 0;
    heapSize = 0;
  }

  /** Whether the wave has reached some event of a stream. */
  boolean has(int stream) {
    return state[stream] >>> 1 == round;
  }

  /** The first reached event of a stream; for a backward wave, the last one. */
  int label(int stream) {
    return label[stream];
  }

  /** The number of reached streams. */
  int reachedCount() {
    return reachedCount;
  }

  /** One of the reached streams. */
  int reached(int index) {
    return reached[index];
  }

  /** Whether the wave contains an event of a stream. */
  boolean covers(int stream, int event) {
    return has(stream) && (isForward ? label[stream] <= event : label[stream] >= event);
  }

  /**
   * Reaches an event, and so all later events of its stream, or all earlier ones for a backward
   * wave. False if the wave already contained it.
   */
  boolean add(int stream, int event) {
    if (covers(stream, event)) {
      return false;
    }
    if (!has(stream)) {
      state[stream] = round << 1;
      if (reachedCount == reached.length) {
        reached = Arrays.copyOf(reached, reachedCount * 2);
      }
      reached[reachedCount++] = stream;
    }
    label[stream] = event;
    int level = pairs.level(stream, event);
    push(((long) (isForward ? level : Integer.MAX_VALUE - level) << 32) | stream);
    return true;
  }

  /** Whether no streams are left to follow. */
  boolean isDone() {
    while (heapSize > 0 && (state[(int) heap[0]] & 1) == 1) {
      pop();
    }
    return heapSize == 0;
  }

  /** The level of the event that the wave follows next; the wave must not be done. */
  int level() {
    int key = (int) (heap[0] >>> 32);
    return isForward ? key : Integer.MAX_VALUE - key;
  }

  /** The stream that the wave follows next; the wave must not be done. */
  int next() {
    return (int) heap[0];
  }

  /** The number of lanes of the stream that the wave follows next. */
  int degree() {
    return lanes.degree(next());
  }

  /** Follows all lanes of the next stream; true if that reaches the goal. */
  boolean advance(Goal goal) {
    int stream = next();
    pop();
    state[stream] |= 1;
    int event = label[stream];
    boolean isReached = false;
    int end = lanes.first(stream) + lanes.degree(stream);
    for (int at = lanes.first(stream); at < end; at++) {
      int other = follow(at, event);
      if (other >= 0 && add(lanes.other(at), other)) {
        // Continues even if the goal is reached: the wave may be kept, and it never follows this
        // stream again.
        isReached |= goal.isReached(lanes.other(at), other);
      }
    }
    return isReached;
  }

  /** The event that the wave reaches at the other end of a lane, or -1. */
  private int follow(int at, int event) {
    int lane = lanes.lane(at);
    return isForward ? pairs.awaitAfter(lane, event) : pairs.postBefore(lane, event);
  }

  /** Whether one lane leads from the next stream to an event of another wave. */
  boolean touches(ReachFrontier other) {
    int stream = next();
    int event = label[stream];
    for (int i = 0; i < other.reachedCount; i++) {
      int end = other.reached[i];
      for (int at = lanes.firstTo(stream, end); lanes.isTo(stream, at, end); at++) {
        int reachedEvent = follow(at, event);
        if (reachedEvent >= 0 && other.covers(end, reachedEvent)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether this wave and one in the other direction have an event in common. */
  boolean meets(ReachFrontier other) {
    ReachFrontier small = reachedCount < other.reachedCount ? this : other;
    ReachFrontier large = small == this ? other : this;
    for (int i = 0; i < small.reachedCount; i++) {
      int stream = small.reached[i];
      if (large.covers(stream, small.label[stream])) {
        return true;
      }
    }
    return false;
  }

  /** Follows all streams that are left. */
  void finish() {
    while (!isDone()) {
      advance((stream, event) -> false);
    }
  }

  private void push(long entry) {
    if (heapSize == heap.length) {
      heap = Arrays.copyOf(heap, heapSize * 2);
    }
    int at = heapSize++;
    while (at > 0 && heap[(at - 1) >>> 1] > entry) {
      heap[at] = heap[(at - 1) >>> 1];
      at = (at - 1) >>> 1;
    }
    heap[at] = entry;
  }

  private void pop() {
    long entry = heap[--heapSize];
    int at = 0;
    for (int child = 1; child < heapSize; child = 2 * at + 1) {
      if (child + 1 < heapSize && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= entry) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = entry;
  }
}
