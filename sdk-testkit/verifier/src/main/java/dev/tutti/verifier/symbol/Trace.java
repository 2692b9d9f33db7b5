package dev.tutti.verifier.symbol;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Segments;
import dev.tutti.simulator.flow.Walk;
import java.util.Arrays;

/**
 * The order in which a walk reached the data actions, and the last writer of each segment. Made
 * only if there is something to explain.
 */
final class Trace implements Walk.Visitor {

  /** No action has written a segment. */
  static final long NOBODY = -1;

  private static final int WIDTH = 3;

  private final FlatPlan plan;
  private final FlatStream[] streams;
  private final Segments segments;

  /**
   * For each run of events on one stream before another stream continues: the stream, and the first
   * and last event.
   */
  private int[] runs = new int[64 * WIDTH];

  private int size;

  /** The last writer of each segment: its stream in the high half, its event in the low half. */
  private final long[] writers;

  Trace(FlatPlan plan, Segments segments) {
    this.plan = plan;
    this.streams = plan.streams().toArray(FlatStream[]::new);
    this.segments = segments;
    this.writers = new long[segments.count()];
    Arrays.fill(writers, NOBODY);
    new Walk(plan, this).run();
  }

  @Override
  public void data(int stream, int event) {
    if (size > 0 && runs[size - WIDTH] == stream) {
      runs[size - 1] = event;
    } else {
      if (size == runs.length) {
        runs = Arrays.copyOf(runs, Math.addExact(size, size / WIDTH / 2 * WIDTH));
      }
      runs[size] = stream;
      runs[size + 1] = event;
      runs[size + 2] = event;
      size += WIDTH;
    }
    RankPlan own = streams[stream].plan(event);
    int action = streams[stream].action(event);
    long bytes = own.bytes(action);
    if (bytes > 0) {
      int memory = plan.memory(own.dstRank(action), own.dstType(action));
      long from = own.dstOffset(action);
      int end = segments.at(memory, from + bytes);
      Arrays.fill(writers, segments.at(memory, from), end, ((long) stream << 32) | event);
    }
  }

  /** Visits actions from the last to the first. */
  @FunctionalInterface
  interface Visitor {

    /** Visits an action; returns true to continue. */
    boolean visit(int stream, int event);
  }

  /** Visits all data actions, last first. */
  void backwards(Visitor visitor) {
    for (int run = size - WIDTH; run >= 0; run -= WIDTH) {
      int stream = runs[run];
      for (int event = runs[run + 2]; event >= runs[run + 1]; event--) {
        if (streams[stream].sync(event) == FlatStream.DATA && !visitor.visit(stream, event)) {
          return;
        }
      }
    }
  }

  /** The last writer of a segment: {@link #stream} and {@link #event}, or {@link #NOBODY}. */
  long writer(int segment) {
    return segment < 0 ? NOBODY : writers[segment];
  }

  static int stream(long writer) {
    return (int) (writer >>> 32);
  }

  static int event(long writer) {
    return (int) writer;
  }

  FlatStream code(int stream) {
    return streams[stream];
  }

  FlatPlan plan() {
    return plan;
  }
}
