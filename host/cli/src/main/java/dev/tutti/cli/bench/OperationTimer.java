package dev.tutti.cli.bench;

import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.request.RankBuffers;
import dev.tutti.host.Request;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes the calls of one operation and times them. Not thread-safe. */
interface OperationTimer {

  /** A timer whose one thread runs the request of the whole group. */
  static OperationTimer ofRequest(Request request, Stopwatch stopwatch) {
    return new RequestTimer(request, stopwatch);
  }

  /** Runs the operation once; returns when every rank has its result. */
  void runOnce();

  /** Runs until the times no longer fall: they fall while the JVM compiles code. */
  void warmUp(Duration longest);

  /**
   * The microseconds of operations, each timed separately, until the budget is used up.
   *
   * @param touched buffers to rewrite and read between two operations, untimed; null for none
   */
  Distribution micros(Duration budget, @Nullable RankBuffers touched);

  /** The microseconds of a number of operations, each timed separately. */
  Distribution micros(int runs);

  /** The median microseconds of one operation among many back to back. */
  double backToBackMicros(Duration budget);

  /** See {@link #ofRequest}. */
  record RequestTimer(Request request, Stopwatch stopwatch) implements OperationTimer {

    @Override
    public void runOnce() {
      request.run();
    }

    @Override
    public void warmUp(Duration longest) {
      stopwatch.warmUp(request, longest);
    }

    @Override
    public Distribution micros(Duration budget, @Nullable RankBuffers touched) {
      return stopwatch.micros(request, budget, touched);
    }

    @Override
    public Distribution micros(int runs) {
      return stopwatch.micros(request, runs, _ -> {});
    }

    @Override
    public double backToBackMicros(Duration budget) {
      return stopwatch.backToBackMicros(request, budget);
    }
  }
}
