package dev.tutti.cli.bench;

import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.measure.MeasurementRounds;
import dev.tutti.cli.request.RankBuffers;
import dev.tutti.host.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Times runs of a request. The loops allocate nothing; samples go to an array that already exists.
 * One thread uses it, except {@link #soFar}, which any thread may call.
 */
final class Stopwatch {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final int MAX_SAMPLES = 1 << 18;
  private static final int MIN_RUNS = 5;
  private static final int MIN_BATCHES = 5;
  private static final Duration BATCH_WARM_UP = Duration.ofMillis(10);
  private static final long WINDOW_NANOS = 40_000_000;
  private static final int SETTLED_WINDOWS = 5;

  private final long[] samples = new long[MAX_SAMPLES];

  /** The samples of the runs that are being timed. */
  private volatile long[] current = samples;

  /** The number of completed runs. */
  private volatile int done;

  /**
   * Runs until the average time of a window of runs has not fallen for five windows: it falls while
   * the JVM compiles code. Five windows are longer than any compilation here takes.
   */
  void warmUp(Request request, Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    Settling settling = new Settling(SETTLED_WINDOWS);
    while (!settling.isSettled() && System.nanoTime() - end < 0) {
      settling.add(averageOfWindow(request));
    }
  }

  private static double averageOfWindow(Request request) {
    long start = System.nanoTime();
    long now = start;
    long runs = 0;
    while (runs < 2 || now - start < WINDOW_NANOS) {
      request.run();
      runs++;
      now = System.nanoTime();
    }
    return (double) (now - start) / runs;
  }

  /**
   * The microseconds of a number of runs, each timed separately.
   *
   * @param afterRun receives the number of completed runs, after each run
   */
  Distribution micros(Request request, int runs, IntConsumer afterRun) {
    long[] nanos = runs <= samples.length ? samples : new long[runs];
    done = 0;
    current = nanos;
    for (int i = 0; i < runs; i++) {
      nanos[i] = one(request, null);
      done = i + 1;
      afterRun.accept(i + 1);
    }
    done = 0;
    return micros(nanos, runs);
  }

  /** The microseconds of the completed runs; empty if there are none. */
  Optional<Distribution> soFar() {
    int runs = done;
    return runs == 0 ? Optional.empty() : Optional.of(micros(current, runs));
  }

  /** The microseconds of runs, each timed separately, until the budget is used up. */
  Distribution micros(Request request, Duration budget, @Nullable RankBuffers touched) {
    long[] nanos = samples;
    long end = System.nanoTime() + budget.toNanos();
    int runs = 0;
    while (runs < MIN_RUNS || (runs < nanos.length && System.nanoTime() - end < 0)) {
      nanos[runs++] = one(request, touched);
    }
    return micros(nanos, runs);
  }

  private static Distribution micros(long[] nanos, int runs) {
    return Distribution.of(runs, run -> nanos[run] / NANOS_PER_MICRO);
  }

  private static long one(Request request, @Nullable RankBuffers touched) {
    if (touched != null) {
      touched.touch();
    }
    long start = System.nanoTime();
    request.run();
    return System.nanoTime() - start;
  }

  /**
   * The median time of one run among many back to back, which does not include the cost of reading
   * the clock.
   */
  double backToBackMicros(Request request, Duration budget) {
    MeasurementRounds rounds = new MeasurementRounds(List.of(request::run));
    rounds.warmUp(BATCH_WARM_UP);
    long end = System.nanoTime() + budget.toNanos();
    List<double[]> nanos = rounds.run(batch -> batch < MIN_BATCHES || System.nanoTime() - end < 0);
    return Distribution.of(nanos.getFirst()).median() / NANOS_PER_MICRO;
  }
}
