package dev.tutti.simulator;

import dev.tutti.plan.RankPlan;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records when each event of a simulation begins and ends, what it waits for, and the parts of its
 * time.
 */
final class GanttLog implements EngineLog {

  /*
   * An event begins at the latest of these times: the end of the event before it on its stream; for
   * an await, the arrival of the signal; for an action that queues for a port, the time at which
   * the action before it leaves the port. It ends after its own time. The parts of its own time:
   *
   *   alpha  the overhead of its messages, and the longest latency: in proportion to α
   *   rest   reducing and copying
   *   beta   what is left: its bytes on links, alone or shared, and waits that have no edge here
   *
   * A message leaves a port before its latency and its work, so these parts are negative in the
   * edge of a port. With all factors 1, the computed times are those of the simulation.
   */
  private static final int NONE = -1;

  private final FlatPlan plan;
  private final Network network;
  private final Demand demand;
  private final CausalLog causes = new CausalLog();
  private final long[][] starts;
  private final long[][] ends;
  private final int[][] postStreams;
  private final int[][] posts;

  /** When the signal of a post arrives; only for posts. */
  private final long[][] signals;

  /** For each action, the record of the action that it waited for last, or NONE. */
  private final int[][] causeRecords;

  private final List<int[]> placeOf = new ArrayList<>();
  private int events;

  /** Receives what an event waits for. */
  interface CauseVisitor {
    void cause(int stream, int event, long alpha, long beta, long rest);
  }

  GanttLog(FlatPlan plan, Network network) {
    this.plan = plan;
    this.network = network;
    this.demand = new Demand(network.model());
    int count = plan.streams().size();
    this.starts = new long[count][];
    this.ends = new long[count][];
    this.signals = new long[count][];
    this.postStreams = new int[count][];
    this.posts = new int[count][];
    this.causeRecords = new int[count][];
    for (int stream = 0; stream < count; stream++) {
      int size = plan.streams().get(stream).size();
      events = Math.addExact(events, size);
      starts[stream] = new long[size];
      ends[stream] = new long[size];
      signals[stream] = new long[size];
      postStreams[stream] = filled(size);
      posts[stream] = filled(size);
      causeRecords[stream] = filled(size);
    }
  }

  private static int[] filled(int size) {
    int[] array = new int[size];
    Arrays.fill(array, NONE);
    return array;
  }

  @Override
  public void data(int record, int stream, int event, long start, long end, int cause) {
    causes.data(record, stream, event, start, end, cause);
    remember(record, stream, event);
    starts[stream][event] = start;
    ends[stream][event] = end;
    causeRecords[stream][event] = cause;
  }

  @Override
  public void part(int record, int stream, int event, long start, long end, int cause) {
    causes.part(record, stream, event, start, end, cause);
    remember(record, stream, event);
  }

  private void remember(int record, int stream, int event) {
    while (placeOf.size() <= record) {
      placeOf.add(new int[] {NONE, NONE});
    }
    placeOf.set(record, new int[] {stream, event});
  }

  @Override
  public void post(int stream, int event, long from, long to) {
    starts[stream][event] = from;
    ends[stream][event] = from;
    signals[stream][event] = to;
  }

  @Override
  public void await(int stream, int event, long from, long to, int postStream, int postEvent) {
    starts[stream][event] = from;
    ends[stream][event] = to;
    postStreams[stream][event] = postStream;
    posts[stream][event] = postEvent;
  }

  /** Sets the times of the borders of calls, after the simulation. */
  void finish() {
    for (int stream = 0; stream < starts.length; stream++) {
      FlatStream code = plan.streams().get(stream);
      for (int event = 1; event < code.size(); event++) {
        if (code.sync(event) < FlatStream.DATA) {
          starts[stream][event] = ends[stream][event - 1];
          ends[stream][event] = ends[stream][event - 1];
        }
      }
    }
  }

  /** The number of events. */
  int events() {
    return events;
  }

  /** When an event begins, in picoseconds. */
  long start(int stream, int event) {
    return starts[stream][event];
  }

  /** When an event ends, in picoseconds. */
  long end(int stream, int event) {
    return ends[stream][event];
  }

  /** The stream of the post that an event awaits; -1 if it awaits nothing. */
  int postStream(int stream, int event) {
    return postStreams[stream][event];
  }

  /** The event of the post that an event awaits. */
  int post(int stream, int event) {
    return posts[stream][event];
  }

  /** The stream and the event of each action of the path to a record. */
  List<int[]> pathTo(int record) {
    return causes.placesTo(record);
  }

  /**
   * Visits what an event waits for, with the time from the end of that to the start of this event.
   */
  void forEachCause(int stream, int event, CauseVisitor visitor) {
    if (event > 0) {
      visitor.cause(stream, event - 1, 0, 0, 0);
    }
    int postStream = postStreams[stream][event];
    if (postStream >= 0) {
      int post = posts[stream][event];
      long way = signals[postStream][post] - ends[postStream][post];
      visitor.cause(postStream, post, 0, 0, way);
    }
    int[] before = portBefore(stream, event);
    if (before != null) {
      long gap = starts[stream][event] - ends[before[0]][before[1]];
      long alpha = -Math.min(latency(before[0], before[1]), Math.max(0, -gap));
      long rest = Math.min(0, gap - alpha);
      visitor.cause(before[0], before[1], alpha, Math.max(0, gap), rest);
    }
  }

  /** The action that left the port or the unit when this one began; null if it was free. */
  private int @Nullable [] portBefore(int stream, int event) {
    int record = causeRecords[stream][event];
    long ready = event == 0 ? 0 : ends[stream][event - 1];
    if (record == NONE || starts[stream][event] <= ready) {
      return null;
    }
    int[] before = placeOf.get(record);
    if (before[0] < 0 || before[0] == stream) {
      return null;
    }
    long gap = starts[stream][event] - ends[before[0]][before[1]];
    long after = latency(before[0], before[1]) + work(before[0], before[1]);
    return gap >= -after ? before : null;
  }

  /** Visits the parts of an event's own time: of α, of β, and the rest. */
  void forEachPart(int stream, int event, LongConsumer part) {
    long[] base = {0};
    forEachCause(
        stream,
        event,
        (other, cause, alpha, beta, rest) ->
            base[0] = Math.max(base[0], ends[other][cause] + alpha + beta + rest));
    long own = ends[stream][event] - base[0];
    boolean isData = plan.streams().get(stream).sync(event) == FlatStream.DATA;
    long alpha = isData ? overhead(stream, event) + latency(stream, event) : 0;
    long rest = isData ? work(stream, event) : 0;
    rest = Math.min(rest, own);
    alpha = Math.min(alpha, own - rest);
    part.accept(alpha);
    part.accept(own - alpha - rest);
    part.accept(rest);
  }

  private long latency(int stream, int event) {
    long longest = 0;
    FlatStream code = plan.streams().get(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    int dst = own.dstRank(action);
    for (int i = 0; i < own.sourceCount(action); i++) {
      int src = own.srcRank(action, i);
      if (src != dst) {
        longest = Math.max(longest, network.terms(network.level(src, dst)).latency());
      }
    }
    return longest;
  }

  private long overhead(int stream, int event) {
    long sum = 0;
    FlatStream code = plan.streams().get(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    int dst = own.dstRank(action);
    for (int i = 0; i < own.sourceCount(action); i++) {
      int src = own.srcRank(action, i);
      if (src != dst) {
        sum = TimeText.add(sum, network.terms(network.level(src, dst)).overhead());
      }
    }
    return sum;
  }

  private long work(int stream, int event) {
    FlatStream code = plan.streams().get(stream);
    demand.read(code.plan(event), code.action(event));
    return demand.work();
  }

  /** All events, each after the events that it waits for. */
  List<int[]> order() {
    List<int[]> order = new ArrayList<>();
    int[] next = new int[starts.length];
    boolean[] isWaiting = new boolean[starts.length];
    Deque<Integer> stack = new ArrayDeque<>();
    for (int first = 0; first < starts.length; first++) {
      while (next[first] < starts[first].length) {
        stack.push(first);
        isWaiting[first] = true;
        while (!stack.isEmpty()) {
          int stream = stack.peek();
          int missing = missing(stream, next, isWaiting);
          if (missing == NONE) {
            order.add(new int[] {stream, next[stream]++});
            isWaiting[stack.pop()] = false;
          } else {
            stack.push(missing);
            isWaiting[missing] = true;
          }
        }
      }
    }
    return order;
  }

  /**
   * A stream that must advance before the next event of another stream can be placed; NONE if there
   * is none. No two events wait for each other; if two did here, one edge would be ignored.
   */
  private int missing(int stream, int[] next, boolean[] isWaiting) {
    int[] found = {NONE};
    forEachCause(
        stream,
        next[stream],
        (other, cause, alpha, beta, rest) -> {
          if (next[other] <= cause && !isWaiting[other]) {
            found[0] = other;
          }
        });
    return found[0];
  }
}
