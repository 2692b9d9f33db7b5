package dev.tutti.simulator;

import java.util.Arrays;

/**
 * The current flows and the resources that each of them crosses, as linked lists in arrays. Numbers
 * of ended flows are used again. Not thread-safe.
 */
final class Flows {

  static final int NONE = -1;

  /** A port, an uplink and a pod's uplink at either end. */
  static final int MAX_RESOURCES = 6;

  /** The first crossing of each resource. */
  private final int[] first;

  private int count;
  private int free = NONE;

  /** The stream of a flow; for a free number, the next free number. */
  private int[] owner = new int[0];

  private int[] level = new int[0];
  private int[] crossed = new int[0];

  // Flow f crosses its k-th resource with crossing MAX_RESOURCES * f + k.
  private int[] resource = new int[0];
  private double[] cost = new double[0];
  private int[] next = new int[0];
  private int[] previous = new int[0];

  Flows(int resources) {
    first = new int[resources];
    Arrays.fill(first, NONE);
  }

  /** Adds a flow that crosses nothing yet. */
  int add(int stream, int crossesLevel) {
    int flow = free;
    if (flow == NONE) {
      flow = count++;
      if (flow == owner.length) {
        grow(Math.max(64, 2 * flow));
      }
    } else {
      free = owner[flow];
    }
    owner[flow] = stream;
    level[flow] = crossesLevel;
    crossed[flow] = 0;
    return flow;
  }

  private void grow(int flows) {
    owner = Arrays.copyOf(owner, flows);
    level = Arrays.copyOf(level, flows);
    crossed = Arrays.copyOf(crossed, flows);
    resource = Arrays.copyOf(resource, flows * MAX_RESOURCES);
    cost = Arrays.copyOf(cost, flows * MAX_RESOURCES);
    next = Arrays.copyOf(next, flows * MAX_RESOURCES);
    previous = Arrays.copyOf(previous, flows * MAX_RESOURCES);
  }

  /** Adds a resource to a flow, with the time that each byte takes there. */
  void cross(int flow, int number, double picosecondsPerByte) {
    int crossing = flow * MAX_RESOURCES + crossed[flow]++;
    resource[crossing] = number;
    cost[crossing] = picosecondsPerByte;
    previous[crossing] = NONE;
    next[crossing] = first[number];
    if (next[crossing] != NONE) {
      previous[next[crossing]] = crossing;
    }
    first[number] = crossing;
  }

  /** Removes a flow. */
  void remove(int flow) {
    for (int crossing = begin(flow); crossing < end(flow); crossing++) {
      if (previous[crossing] == NONE) {
        first[resource[crossing]] = next[crossing];
      } else {
        next[previous[crossing]] = next[crossing];
      }
      if (next[crossing] != NONE) {
        previous[next[crossing]] = previous[crossing];
      }
    }
    crossed[flow] = 0;
    owner[flow] = free;
    free = flow;
  }

  int owner(int flow) {
    return owner[flow];
  }

  int level(int flow) {
    return level[flow];
  }

  /** The first crossing of a flow; the others follow up to {@link #end}. */
  int begin(int flow) {
    return flow * MAX_RESOURCES;
  }

  int end(int flow) {
    return flow * MAX_RESOURCES + crossed[flow];
  }

  int resource(int crossing) {
    return resource[crossing];
  }

  double cost(int crossing) {
    return cost[crossing];
  }

  /** The flow of a crossing. */
  static int flow(int crossing) {
    return crossing / MAX_RESOURCES;
  }

  /** The first crossing of a resource, or NONE. */
  int firstOf(int number) {
    return first[number];
  }

  /** The next crossing of the same resource, or NONE. */
  int nextOf(int crossing) {
    return next[crossing];
  }
}
