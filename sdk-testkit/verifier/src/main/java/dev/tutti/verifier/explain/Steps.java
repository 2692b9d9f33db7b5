package dev.tutti.verifier.explain;

import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Walk;
import java.util.function.IntPredicate;

/**
 * Assigns a step to each event of a plan: one more than the latest event that it waits for, on its
 * stream or through its notify. Events that a stuck plan never reaches get one step each, in order.
 */
final class Steps {

  private final FlatPlan plan;
  private final int[][] steps;
  private final int[] position;

  private Steps(FlatPlan plan, int[][] steps, int[] position) {
    this.plan = plan;
    this.steps = steps;
    this.position = position;
  }

  static Steps of(FlatPlan plan) {
    int[][] steps = new int[plan.streams().size()][];
    for (int stream = 0; stream < steps.length; stream++) {
      steps[stream] = new int[plan.streams().get(stream).size()];
    }
    Walk walk =
        new Walk(
            plan,
            new Walk.Visitor() {
              @Override
              public void data(int stream, int event) {
                set(stream, event, 0);
              }

              @Override
              public void border(int stream, int event, boolean isBegin) {
                set(stream, event, 0);
              }

              @Override
              public void post(int stream, int event, int cell, int pending) {
                set(stream, event, 0);
              }

              @Override
              public void await(int stream, int event, int cell, int postStream, int postEvent) {
                set(stream, event, steps[postStream][postEvent] + 1);
              }

              private void set(int stream, int event, int least) {
                int next = event == 0 ? 0 : steps[stream][event - 1] + 1;
                steps[stream][event] = Math.max(next, least);
              }
            });
    walk.run();
    int[] position = walk.position();
    for (int stream = 0; stream < steps.length; stream++) {
      for (int event = position[stream]; event < steps[stream].length; event++) {
        steps[stream][event] = event == 0 ? 0 : steps[stream][event - 1] + 1;
      }
    }
    return new Steps(plan, steps, position);
  }

  int step(int stream, int event) {
    return steps[stream][event];
  }

  /** For each stream, the event at which it is stuck; the size of the stream if it is done. */
  int[] position() {
    return position;
  }

  /** Whether every event is reached. */
  boolean isComplete() {
    for (int stream = 0; stream < position.length; stream++) {
      if (position[stream] < steps[stream].length) {
        return false;
      }
    }
    return true;
  }

  /** Receives each post with the await that it releases. */
  @FunctionalInterface
  interface SignalVisitor {
    void signal(int postStream, int post, int stream, int event);
  }

  /** Visits the signals to or from some streams. */
  void forEachSignal(IntPredicate isShown, SignalVisitor visitor) {
    Walk again =
        new Walk(
            plan,
            new Walk.Visitor() {
              @Override
              public void data(int stream, int event) {}

              @Override
              public void await(int stream, int event, int cell, int postStream, int postEvent) {
                if (isShown.test(stream) || isShown.test(postStream)) {
                  visitor.signal(postStream, postEvent, stream, event);
                }
              }
            });
    again.run();
  }

  /** The number of events of a stream. */
  int size(int stream) {
    return steps[stream].length;
  }

  FlatStream stream(int stream) {
    return plan.streams().get(stream);
  }
}
