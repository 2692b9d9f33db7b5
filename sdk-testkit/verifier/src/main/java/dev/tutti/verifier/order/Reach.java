package dev.tutti.verifier.order;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.List;

/**
 * Answers exactly whether one event of a plan happens before another, over any chain of streams.
 * Not thread-safe.
 */
final class Reach {

  /*
   * Two waves go out, one from the first event along the order, one from the second against it. If
   * an event lies in both, the answer is yes. If one of them has nowhere to go, or the forward one
   * is not below the backward one in level (see Levels), it is no: take a chain from the first event
   * to the second, its last event that the forward wave has come to, and its first one that the
   * backward wave has. Without a common event the former comes earlier on the chain, in another
   * stream, so it is of a lower level. What the forward wave is about to follow is not higher than
   * the former, and what the backward wave is about to follow is not lower than the latter.
   *
   * Questions often share an event: all readers of a buffer against its owner's end. A wave is kept
   * as long as its event stays the same, and the next question starts from what it has reached. The
   * wave goes on that has cost less so far, so that a wave is followed through only if that is
   * shared by many, or if the other one is as costly: the work for q questions to one event is
   * about the smallest of q short searches and a full one.
   *
   * Streams with many lanes (a main stream with 500 slaves, a mesh) are not followed before it was
   * tried whether one lane leads over: see ReachFrontier.touches.
   */
  private final List<FlatStream> streams;
  private final FlatPlan plan;
  private final ReachFrontier forward;
  private final ReachFrontier backward;

  private int stream1 = -1;
  private int event1;
  private int stream2 = -1;
  private int event2;
  private long forwardCost;
  private long backwardCost;

  Reach(FlatPlan plan, PostAwaitPairs pairs) {
    this.plan = plan;
    this.streams = plan.streams();
    this.forward = new ReachFrontier(pairs, true, streams.size());
    this.backward = new ReachFrontier(pairs, false, streams.size());
  }

  /** Whether an event happens before another, or is it. */
  boolean isBefore(int firstStream, int firstEvent, int secondStream, int secondEvent) {
    if (firstStream == secondStream) {
      return firstEvent <= secondEvent;
    }
    if (firstStream != stream1 || firstEvent != event1) {
      stream1 = firstStream;
      event1 = firstEvent;
      forwardCost = 0;
      start(forward, firstStream, firstEvent);
    }
    if (secondStream != stream2 || secondEvent != event2) {
      stream2 = secondStream;
      event2 = secondEvent;
      backwardCost = 0;
      backward.restart();
      backward.add(secondStream, secondEvent);
    }
    // A wave that was kept may have come to the other one's event already.
    return forward.meets(backward) || search();
  }

  /** Starts a forward wave; the begin of a call happens before everything in all its streams. */
  private void start(ReachFrontier frontier, int stream, int event) {
    frontier.restart();
    frontier.add(stream, event);
    if (event == 0 && streams.get(stream).isMain()) {
      int rank = streams.get(stream).rank();
      int end = rank + 1 < plan.plan().rankSize() ? plan.mainStream(rank + 1) : streams.size();
      for (int slave = stream + 1; slave < end; slave++) {
        frontier.add(slave, 0);
      }
    }
  }

  private boolean search() {
    while (!forward.isDone() && !backward.isDone() && forward.level() < backward.level()) {
      boolean isForwards = forwardCost + forward.degree() <= backwardCost + backward.degree();
      ReachFrontier frontier = isForwards ? forward : backward;
      ReachFrontier other = isForwards ? backward : forward;
      int degree = frontier.degree();
      if (other.reachedCount() < degree && frontier.touches(other)) {
        return true;
      }
      if (isForwards) {
        forwardCost += degree;
      } else {
        backwardCost += degree;
      }
      if (frontier.advance(other::covers)) {
        return true;
      }
    }
    return false;
  }

  /** The last event of a stream that happens before an event of another, or -1 if none does. */
  int lastBefore(int stream, int ofStream, int ofEvent) {
    stream2 = -1;
    backward.restart();
    backward.add(ofStream, ofEvent);
    return follow(backward, stream);
  }

  /** The first event of a stream that happens after an event of another, or -1 if none does. */
  int firstAfter(int stream, int ofStream, int ofEvent) {
    stream1 = -1;
    start(forward, ofStream, ofEvent);
    return follow(forward, stream);
  }

  private static int follow(ReachFrontier frontier, int stream) {
    while (!frontier.isDone() && frontier.next() != stream) {
      frontier.advance((other, event) -> false);
    }
    return frontier.has(stream) ? frontier.label(stream) : -1;
  }
}
