package dev.tutti.cli.bench;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.engine.trace.RunTrace;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The traces of the last runs of one operation. The JVM still compiles code during the first ones.
 * Thread-safe.
 */
final class LastTraces {

  private static final int MOST = 99;

  private final ArrayDeque<RunTrace> last = new ArrayDeque<>();

  /**
   * Traces runs until the budget is used up.
   *
   * @param callers who calls the operation; all ranks are in this process
   * @return the run with the median time among the last ones
   */
  static RunTrace median(
      CheckedRequest measured, Callers callers, Duration budget, Waiting waiting) {
    LastTraces traces = new LastTraces();
    if (callers == Callers.ONE) {
      Clock clock = waiting.clock();
      long end = clock.nanoTime() + budget.toNanos();
      do {
        traces.add(measured.request().trace());
      } while (clock.nanoTime() - end < 0);
    } else {
      new RankTimer(measured.group(), measured.tracedCalls(traces::add), callers, waiting)
          .micros(budget, null);
    }
    return traces.median();
  }

  private synchronized void add(RunTrace trace) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    last.addLast(trace);
  }

  private synchronized RunTrace median() {
    List<RunTrace> sorted = new ArrayList<>(last);
    sorted.sort(Comparator.comparingLong(RunTrace::nanos));
    return sorted.get(sorted.size() / 2);
  }
}
