package dev.tutti.simulator;

import java.util.Arrays;

/**
 * Shares resources among simultaneous flows, max-min fair: a flow could get more bytes per second
 * only at the expense of a flow with the same rate or a lower one. On each resource that it
 * crosses, a flow uses the time that its bytes cost there; a resource offers one second per second.
 * Not thread-safe.
 */
final class FairShare {

  /*
   * What changes. When flows start or end, only flows that are connected with them through shared
   * resources can get another rate. settle() finds these by a search from the changed resources and
   * fills each connected set anew; all other flows keep their rates and ends. So a ring, in which
   * no two flows share a resource, costs the same for each message with any number of ranks. All
   * starts and ends at one time are settled together.
   *
   * Filling. The rates of all flows of a set grow equally until a resource is used up. Its flows
   * are fixed at that rate, their use of other resources is subtracted, and the other flows grow
   * further (Bertsekas, Gallager, Data Networks, 6.5.2). One round fixes all resources that are
   * used up at the same rate. A round costs the size of the set, and there are as many rounds as
   * different rates.
   *
   * Precision. Rates are doubles. The end of a flow is correct to about 1 part in 10^15 and rounded
   * up to a whole picosecond; an excess of up to 1/1024 ps counts as an error and is dropped. A
   * flow that is alone on all its resources takes exactly bytes * cost. A flow whose rate stays the
   * same is not touched, so it does not accumulate errors.
   */

  private static final double FORGIVEN_PS = 1.0 / 1024;
  private static final double SAME = 1e-12;

  private final EventHeap events;

  /** The end of flow f is event {@code firstEvent + f}. */
  private final int firstEvent;

  private final SharedResources shared;
  private final Flows flows;

  // For each flow: the bytes left at time "since", and the picoseconds per byte from then on; 0 if
  // it is new.
  private double[] bytesLeft = new double[0];
  private long[] since = new long[0];
  private double[] pace = new double[0];
  private double[] newPace = new double[0];

  // Resources to settle
  private final boolean[] isChanged;
  private final int[] changed;
  private int changedCount;

  // The set that is being filled
  private final int[] resourceMark;
  private int[] flowMark = new int[0];
  private int mark;
  private final int[] resources;
  private int resourceCount;
  private int[] members = new int[0];
  private int memberCount;
  private final double[] timeLeft;
  private final double[] demand;
  private final int[] growing;

  FairShare(SharedResources shared, EventHeap events, int firstEvent) {
    this.events = events;
    this.firstEvent = firstEvent;
    this.shared = shared;
    int count = shared.count();
    this.flows = new Flows(count);
    this.isChanged = new boolean[count];
    this.changed = new int[count];
    this.resourceMark = new int[count];
    this.resources = new int[count];
    this.timeLeft = new double[count];
    this.demand = new double[count];
    this.growing = new int[count];
  }

  /**
   * Starts a flow; its end is an event after the next {@link #settle}.
   *
   * @return false if it ends at once, and there will be no event
   */
  boolean start(int stream, int src, int dst, int level, long bytes, long now) {
    int flow = flows.add(stream, level);
    shared.lay(flows, flow, src, dst, level);
    if (flows.begin(flow) == flows.end(flow)) {
      flows.remove(flow);
      return false;
    }
    if (flow >= pace.length) {
      grow(Math.max(64, 2 * flow));
    }
    bytesLeft[flow] = bytes;
    since[flow] = now;
    pace[flow] = 0;
    change(flow);
    return true;
  }

  private void grow(int count) {
    bytesLeft = Arrays.copyOf(bytesLeft, count);
    since = Arrays.copyOf(since, count);
    pace = Arrays.copyOf(pace, count);
    newPace = Arrays.copyOf(newPace, count);
    flowMark = Arrays.copyOf(flowMark, count);
    members = Arrays.copyOf(members, count);
  }

  /** The stream of a flow. */
  int owner(int flow) {
    return flows.owner(flow);
  }

  /** The level that a flow crosses. */
  int level(int flow) {
    return flows.level(flow);
  }

  /** Ends a flow at the time of its event. */
  void end(int flow) {
    change(flow);
    flows.remove(flow);
  }

  private void change(int flow) {
    for (int crossing = flows.begin(flow); crossing < flows.end(flow); crossing++) {
      int number = flows.resource(crossing);
      if (!isChanged[number]) {
        isChanged[number] = true;
        changed[changedCount++] = number;
      }
    }
  }

  /** Gives every flow its share. Must come after all starts and ends at this time. */
  void settle(long now) {
    if (changedCount == 0) {
      return;
    }
    mark++;
    for (int i = 0; i < changedCount; i++) {
      isChanged[changed[i]] = false;
      if (resourceMark[changed[i]] != mark) {
        collect(changed[i]);
        fill();
        for (int j = 0; j < memberCount; j++) {
          apply(members[j], now);
        }
      }
    }
    changedCount = 0;
  }

  /** Collects the flows and resources that are connected to a resource. */
  private void collect(int start) {
    resourceCount = 0;
    memberCount = 0;
    add(start);
    for (int i = 0; i < resourceCount; i++) {
      int number = resources[i];
      for (int at = flows.firstOf(number); at != Flows.NONE; at = flows.nextOf(at)) {
        int flow = Flows.flow(at);
        growing[number]++;
        demand[number] += flows.cost(at);
        if (flowMark[flow] != mark) {
          flowMark[flow] = mark;
          newPace[flow] = 0;
          members[memberCount++] = flow;
          for (int crossing = flows.begin(flow); crossing < flows.end(flow); crossing++) {
            add(flows.resource(crossing));
          }
        }
      }
    }
  }

  private void add(int number) {
    if (resourceMark[number] != mark) {
      resourceMark[number] = mark;
      resources[resourceCount++] = number;
      timeLeft[number] = 1;
      demand[number] = 0;
      growing[number] = 0;
    }
  }

  /** Finds the new pace of every member. */
  private void fill() {
    int fixed = 0;
    while (fixed < memberCount) {
      double slowest = 0;
      for (int i = 0; i < resourceCount; i++) {
        int number = resources[i];
        if (growing[number] > 0) {
          slowest = Math.max(slowest, demand[number] / timeLeft[number]);
        }
      }
      if (!(slowest > 0)) {
        throw new IllegalStateException("a flow without a limit has no end");
      }
      for (int i = 0; i < resourceCount; i++) {
        int number = resources[i];
        if (growing[number] > 0 && demand[number] / timeLeft[number] >= slowest * (1 - SAME)) {
          fixed += fix(number, slowest);
        }
      }
    }
  }

  /** Fixes the flows of a resource that is used up; returns their number. */
  private int fix(int number, double slowest) {
    int count = 0;
    for (int at = flows.firstOf(number); at != Flows.NONE; at = flows.nextOf(at)) {
      int flow = Flows.flow(at);
      if (newPace[flow] == 0) {
        newPace[flow] = slowest;
        count++;
        for (int crossing = flows.begin(flow); crossing < flows.end(flow); crossing++) {
          int other = flows.resource(crossing);
          double cost = flows.cost(crossing);
          growing[other]--;
          demand[other] -= cost;
          timeLeft[other] -= cost / slowest;
        }
      }
    }
    return count;
  }

  private void apply(int flow, long now) {
    double target = newPace[flow];
    if (Math.abs(target - pace[flow]) <= SAME * target) {
      return;
    }
    if (pace[flow] > 0) {
      bytesLeft[flow] = Math.max(0, bytesLeft[flow] - (now - since[flow]) / pace[flow]);
    }
    since[flow] = now;
    pace[flow] = target;
    events.put(firstEvent + flow, TimeText.add(now, duration(bytesLeft[flow], target)));
  }

  /** The whole picoseconds that some bytes take at a pace. */
  static long duration(double bytes, double pace) {
    double time = Math.ceil(bytes * pace - FORGIVEN_PS);
    if (time >= 0x1p62) {
      throw TimeText.tooLong();
    }
    return Math.max(0, (long) time);
  }
}
