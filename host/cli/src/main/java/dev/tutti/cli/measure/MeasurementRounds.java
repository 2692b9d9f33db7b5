package dev.tutti.cli.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * Measures subjects in turns: in each round, every subject runs a batch, so that a temporary
 * disturbance of the machine affects all of them. Each round has another order. A batch is long
 * enough for the resolution of the clock. Not thread-safe.
 */
public final class MeasurementRounds {

  private static final int MIN_WARM_RUNS = 2;
  private static final long BATCH_NANOS = 1_500_000;
  private static final int MAX_BATCH = 1 << 20;

  private final List<Runnable> measured;
  private final int[] batches;
  private final LongSupplier clock;

  /** Makes rounds of the measured subjects; without a warm-up, a batch is one run. */
  public MeasurementRounds(List<? extends Runnable> measured) {
    this(measured, System::nanoTime);
  }

  MeasurementRounds(List<? extends Runnable> measured, LongSupplier clock) {
    this.clock = clock;
    this.measured = List.copyOf(measured);
    this.batches = new int[measured.size()];
    Arrays.fill(batches, 1);
  }

  /**
   * Runs each subject for a time, but at least twice, and computes the number of runs in a batch.
   */
  public void warmUp(Duration longest) {
    for (int i = 0; i < batches.length; i++) {
      batches[i] = batch(measured.get(i), longest.toNanos());
    }
  }

  private int batch(Runnable one, long longest) {
    long start = clock.getAsLong();
    int runs = 0;
    while (runs < MIN_WARM_RUNS || clock.getAsLong() - start < longest) {
      one.run();
      runs++;
    }
    long nanos = (clock.getAsLong() - start) / runs;
    return Math.toIntExact(Math.clamp(BATCH_NANOS / Math.max(1, nanos), 1, MAX_BATCH));
  }

  /**
   * Runs rounds.
   *
   * @param isWanted decides before each round, by its number from 0, whether it runs
   * @return the nanoseconds of one run, for each subject by round
   */
  public List<double[]> run(IntPredicate isWanted) {
    int count = batches.length;
    List<double[]> rounds = new ArrayList<>();
    for (int round = 0; isWanted.test(round); round++) {
      double[] nanos = new double[count];
      for (int i = 0; i < count; i++) {
        int turn = round % 2 == 0 ? i : count - 1 - i;
        int next = (turn + round / 2) % count;
        nanos[next] = nanos(measured.get(next), batches[next]);
      }
      rounds.add(nanos);
    }
    List<double[]> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int place = i;
      times.add(rounds.stream().mapToDouble(nanos -> nanos[place]).toArray());
    }
    return times;
  }

  /**
   * The time of one run. An untimed run first loads the memory into the caches; then a batch is
   * timed.
   */
  private double nanos(Runnable one, int batch) {
    one.run();
    long start = clock.getAsLong();
    for (int i = 0; i < batch; i++) {
      one.run();
    }
    return Math.max(1, (double) (clock.getAsLong() - start) / batch);
  }
}
