package dev.tutti.verifier.order;

import java.util.Set;
import java.util.TreeSet;

/**
 * Answers exactly whether an event of one operation happens before an event of the next operation
 * on the same group. Not thread-safe.
 */
final class BoundaryOrder {

  /*
   * Two operations are ordered only because each rank enters the second one after all its streams
   * have ended in the first. So an event of the first operation comes before an event of the second
   * if and only if two chains of signals exist: one from the event to the end of some rank in the
   * first operation, and one from the start of that rank in the second operation to the other
   * event. Two waves start as in Reach. When a wave has nothing left in its own operation, it
   * continues in the other: the forward wave from the start of all ranks that it has reached, the
   * backward wave from their ends. The waves can meet in either operation: when both have reached a
   * rank, both contain the ends of its streams. A wave is kept as long as its event stays the same.
   */
  private final OrderFacts first;
  private final OrderFacts second;
  private final ReachFrontier forward1;
  private final ReachFrontier forward2;
  private final ReachFrontier backward1;
  private final ReachFrontier backward2;

  /** The round in which the backward wave last reached each rank. */
  private final int[] leftIn;

  private int round;
  private int stream1 = -1;
  private int event1;
  private int stream2 = -1;
  private int event2;
  private boolean hasCrossed;
  private long forwardCost;
  private long backwardCost;

  BoundaryOrder(OrderFacts first, OrderFacts second) {
    this.first = first;
    this.second = second;
    this.forward1 = new ReachFrontier(first.pairs(), true, first.plan().streams().size());
    this.backward1 = new ReachFrontier(first.pairs(), false, first.plan().streams().size());
    this.forward2 = new ReachFrontier(second.pairs(), true, second.plan().streams().size());
    this.backward2 = new ReachFrontier(second.pairs(), false, second.plan().streams().size());
    this.leftIn = new int[first.plan().plan().rankSize()];
  }

  /** Whether an event of the first operation happens before an event of the second. */
  boolean isOrdered(int beforeStream, int before, int afterStream, int after) {
    boolean isForwardNew = beforeStream != stream1 || before != event1;
    boolean isBackwardNew = afterStream != stream2 || after != event2;
    if (isForwardNew) {
      startForward(beforeStream, before);
    }
    if (isBackwardNew && startBackward(afterStream, after)) {
      return true;
    }
    return backward1.meets(forward1) || backward2.meets(forward2) || search();
  }

  private void startForward(int stream, int event) {
    stream1 = stream;
    event1 = event;
    forwardCost = 0;
    hasCrossed = false;
    forward1.restart();
    forward2.restart();
    forward1.add(stream, event);
  }

  /** Starts the backward wave; true if it meets the forward wave at once. */
  private boolean startBackward(int stream, int event) {
    stream2 = stream;
    event2 = event;
    backwardCost = 0;
    round++;
    backward1.restart();
    backward2.restart();
    backward2.add(stream, event);
    return isReachedFromSecond(stream, event);
  }

  private boolean search() {
    while (!forward1.isDone() || hasCrossed || !enterSecond()) {
      boolean isForward1 = !forward1.isDone();
      boolean isBackward2 = !backward2.isDone();
      ReachFrontier forward = isForward1 ? forward1 : forward2;
      ReachFrontier backward = isBackward2 ? backward2 : backward1;
      if (forward.isDone() || backward.isDone()) {
        return false;
      }
      boolean isSameSide = isForward1 != isBackward2;
      if (isSameSide ? forward.level() >= backward.level() : !isForward1) {
        return false;
      }
      boolean isMet;
      if (forwardCost + forward.degree() <= backwardCost + backward.degree()) {
        forwardCost += forward.degree();
        isMet = forward.advance(isForward1 ? backward1::covers : backward2::covers);
      } else {
        backwardCost += backward.degree();
        isMet = backward.advance(isBackward2 ? this::isReachedFromSecond : forward1::covers);
      }
      if (isMet) {
        return true;
      }
    }
    return true;
  }

  /**
   * Continues the forward wave in the second operation; true if it meets the backward wave there.
   */
  private boolean enterSecond() {
    hasCrossed = true;
    boolean isMet = false;
    for (int i = 0; i < forward1.reachedCount(); i++) {
      int rank = first.stream(forward1.reached(i)).rank();
      for (int own = second.plan().mainStream(rank); own < second.endOfRank(rank); own++) {
        isMet |= forward2.add(own, 0) && backward2.covers(own, 0);
      }
    }
    return isMet;
  }

  /**
   * Extends the backward wave from an event of the second operation to the first operation; true if
   * it meets the forward wave.
   */
  private boolean isReachedFromSecond(int stream, int event) {
    boolean isMet = forward2.covers(stream, event);
    int rank = second.stream(stream).rank();
    if (leftIn[rank] != round) {
      leftIn[rank] = round;
      for (int own = first.plan().mainStream(rank); own < first.endOfRank(rank); own++) {
        int end = first.stream(own).size() - 1;
        isMet |= backward1.add(own, end) && forward1.covers(own, end);
      }
    }
    return isMet;
  }

  /** The ranks that know of an event of the first operation when they leave it. */
  Set<Integer> ranksAware(int stream, int event) {
    startForward(stream, event);
    return ranks(forward1, first);
  }

  /** The ranks whose entry into the second operation happens before an event. */
  Set<Integer> ranksHeard(int stream, int event) {
    stream2 = -1;
    backward2.restart();
    backward2.add(stream, event);
    return ranks(backward2, second);
  }

  private static Set<Integer> ranks(ReachFrontier frontier, OrderFacts facts) {
    frontier.finish();
    Set<Integer> ranks = new TreeSet<>();
    for (int i = 0; i < frontier.reachedCount(); i++) {
      ranks.add(facts.stream(frontier.reached(i)).rank());
    }
    return ranks;
  }
}
