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
   * Two waves start: one from the first event along the order, one from the second event against
   * it. If an event is in both, the answer is yes. The answer is no if one wave has nothing left to
   * follow, or if the forward wave's level is not below the backward wave's (see Levels). The
   * reason: take a chain from the first event to the second. Let F be its last event that the
   * forward wave has reached, and B its first event that the backward wave has reached. Without a
   * common event, F comes before B on the chain and is in another stream, so F has a lower level.
   * The next event that the forward wave follows is not above F, and the next event that the
   * backward wave follows is not below B.
   *
   * Questions often share an event: for example, all readers of a buffer are compared with the end
   * of its owner. A wave is kept as long as its event stays the same, and the next question
   * continues it. Each step advances the wave that has cost less so far. So a wave is followed to
   * its end only if many questions share it, or if the other wave costs as much. The work for q
   * questions about one event is about the smaller of q short searches and one full search.
   *
   * Before the search follows a stream with many lanes (a main stream with 500 slaves, a mesh), it
   * tests whether one lane leads directly to the other wave: see ReachFrontier.touches.
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

  /** Whether one event happens before another, or both are the same. */
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
    // A kept wave may already contain the other wave's event.
    return forward.meets(backward) || search();
  }

  /** Starts a forward wave. A rank's entry happens before everything in all its streams. */
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

  /**
   * The last event of a stream that happens before an event of another stream, or -1 if there is
   * none.
   */
  int lastBefore(int stream, int ofStream, int ofEvent) {
    stream2 = -1;
    backward.restart();
    backward.add(ofStream, ofEvent);
    return follow(backward, stream);
  }

  /**
   * The first event of a stream that happens after an event of another stream, or -1 if there is
   * none.
   */
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
