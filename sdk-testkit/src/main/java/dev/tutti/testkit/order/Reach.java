package dev.tutti.testkit.order;

import dev.tutti.testkit.flow.FlatPlan;
import dev.tutti.testkit.flow.FlatStream;
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
   * tried whether one lane leads over: see Wave.touches.
   */
  private final List<FlatStream> streams;
  private final FlatPlan plan;
  private final Wave forward;
  private final Wave backward;

  private int stream1 = -1;
  private int event1;
  private int stream2 = -1;
  private int event2;
  private long forwardCost;
  private long backwardCost;

  Reach(FlatPlan plan, Matches matches) {
    this.plan = plan;
    this.streams = plan.streams();
    this.forward = new Wave(matches, true, streams.size());
    this.backward = new Wave(matches, false, streams.size());
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
  private void start(Wave wave, int stream, int event) {
    wave.restart();
    wave.add(stream, event);
    if (event == 0 && streams.get(stream).isMain()) {
      int rank = streams.get(stream).rank();
      int end = rank + 1 < plan.plan().rankSize() ? plan.mainStream(rank + 1) : streams.size();
      for (int slave = stream + 1; slave < end; slave++) {
        wave.add(slave, 0);
      }
    }
  }

  private boolean search() {
    while (!forward.isDone() && !backward.isDone() && forward.level() < backward.level()) {
      boolean isForwards = forwardCost + forward.degree() <= backwardCost + backward.degree();
      Wave wave = isForwards ? forward : backward;
      Wave other = isForwards ? backward : forward;
      int degree = wave.degree();
      if (other.reachedCount() < degree && wave.touches(other)) {
        return true;
      }
      if (isForwards) {
        forwardCost += degree;
      } else {
        backwardCost += degree;
      }
      if (wave.advance(other::covers)) {
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

  private static int follow(Wave wave, int stream) {
    while (!wave.isDone() && wave.next() != stream) {
      wave.advance((other, event) -> false);
    }
    return wave.has(stream) ? wave.label(stream) : -1;
  }
}
