package dev.tutti.engine;

import dev.tutti.engine.machine.MachineModel;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates static lists on workers in model time: a worker runs a list until the list must wait
 * too long, and then takes the list that can continue earliest.
 */
final class ListTiming {

  /** How long a worker waits with its list before it takes another one, in nanoseconds. */
  private static final double HOLD_NANOS = 1000;

  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final List<TaskArrays> lists;
  private final TaskTimes times;
  private final MachineModel machine;
  private final @Nullable TraceBuilder trace;
  private final int[] position;
  private final double[] ready;
  private final Published[] published;
  private final double[] workers;
  private final boolean[] hasWorked;

  /** The progress that a list has published so far, and the times. */
  private static final class Published {
    private int size;
    private long[] item = new long[8];
    private double[] nanos = new double[8];

    void add(long newItem, double when) {
      if (size == item.length) {
        item = Arrays.copyOf(item, 2 * size);
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      item[size] = newItem;
      nanos[size++] = when;
    }

    /** When the list had published that this number of items was done; NEVER if it has not yet. */
    double when(long items) {
      int found = Arrays.binarySearch(item, 0, size, items);
      int first = found >= 0 ? found : -found - 1;
      return first < size ? nanos[first] : NEVER;
    }
  }

  /**
   * Lists that have not been simulated yet.
   *
   * @param trace receives the times of all tasks; null if they are not wanted
   */
  ListTiming(
      List<TaskArrays> lists,
      int workers,
      TaskTimes times,
      MachineModel machine,
      @Nullable TraceBuilder trace) {
    this.lists = lists;
    this.times = times;
    this.machine = machine;
    this.trace = trace;
    this.position = new int[lists.size()];
    this.ready = new double[lists.size()];
    this.published = new Published[lists.size()];
    Arrays.setAll(published, list -> new Published());
    this.workers = new double[workers];
    this.hasWorked = new boolean[workers];
  }

  /** Simulates all lists; nanoseconds until the last one ends. */
  double play() {
    for (int list = next(); list >= 0; list = next()) {
      double start = earliest(list);
      int worker = worker(list, start);
      hasWorked[worker] = true;
      workers[worker] = advance(list, worker, Math.max(workers[worker], start));
      ready[list] = workers[worker];
    }
    return Arrays.stream(workers).max().orElse(0);
  }

  /** The number of workers that had work. */
  int busyWorkers() {
    int busy = 0;
    for (boolean worked : hasWorked) {
      busy += worked ? 1 : 0;
    }
    return busy;
  }

  /** The list that can continue earliest, or -1 when all have ended. */
  private int next() {
    int best = -1;
    for (int list = 0; list < lists.size(); list++) {
      if (position[list] < tasks(list).size
          && (best < 0 || earliest(list) < earliest(best))
          && earliest(list) < NEVER) {
        best = list;
      }
    }
    return best;
  }

  private double earliest(int list) {
    TaskArrays tasks = tasks(list);
    int at = position[list];
    return tasks.op[at] == TaskArrays.WAIT
        ? Math.max(ready[list], published[tasks.dst[at]].when(tasks.bytes[at]))
        : ready[list];
  }

  private TaskArrays tasks(int list) {
    return lists.get(list);
  }

  /**
   * The worker that is free first; if several are, the one that begins with this list in every run.
   */
  private int worker(int list, double start) {
    int usual = list * workers.length / lists.size();
    int best = usual;
    for (int worker = 0; worker < workers.length; worker++) {
      if (Math.max(workers[worker], start) < Math.max(workers[best], start)) {
        best = worker;
      }
    }
    return best;
  }

  /** Continues a list until it ends or has to wait; returns the time at which it does. */
  private double advance(int list, int worker, double start) {
    TaskArrays tasks = tasks(list);
    int doer = workers.length == 1 ? TaskTimes.ANYBODY : worker;
    double now = start;
    int at = position[list];
    while (at < tasks.size) {
      switch (tasks.op[at]) {
        case TaskArrays.WAIT -> {
          double told = published[tasks.dst[at]].when(tasks.bytes[at]);
          if (told > now + HOLD_NANOS) {
            position[list] = at;
            return now;
          }
          now = Math.max(now, told) + machine.handOver();
        }
        case TaskArrays.PUBLISH -> published[list].add(tasks.bytes[at], now + machine.handOver());
        case TaskArrays.TILED -> {
          int count = tasks.source[at];
          double begin = now;
          now += times.nanos(tasks, at + 1, count, 0, tasks.bytes[at], doer);
          note(list, at + 1, count, worker, begin, now);
          at += count;
        }
        default -> {
          double begin = now;
          now += times.nanos(tasks, at, 1, 0, tasks.bytes[at], doer);
          note(list, at, 1, worker, begin, now);
        }
      }
      at++;
    }
    position[list] = at;
    return now;
  }

  private void note(int list, int first, int count, int worker, double begin, double end) {
    if (trace != null) {
      String thread = "worker " + worker;
      trace.note(tasks(list), first, count, list, thread, Math.round(begin), Math.round(end));
    }
  }
}
