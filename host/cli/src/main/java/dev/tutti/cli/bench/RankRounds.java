package dev.tutti.cli.bench;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.request.JobRank;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decides how many calls each rank makes in the next round, and receives their times. One thread
 * uses it while the others wait. Allocates nothing.
 */
sealed interface RankRounds {

  /**
   * The number of rounds in a row, none faster than all earlier ones, after which times are
   * settled.
   */
  int SETTLED_WINDOWS = 25;

  /** The number of rounds that are timed even if the time is over. */
  int MIN_ROUNDS = 5;

  /** The total time that a batch of back-to-back calls should take, in nanoseconds. */
  long BATCH_NANOS = 1_500_000;

  /** The number of calls in such a batch, from the time of one call. */
  static int backToBack(double callNanos) {
    return Math.clamp((long) (BATCH_NANOS / callNanos), 1, 1 << 20);
  }

  /** The calls of the next round; 0 ends the rounds. */
  int next();

  /** Waits until the ranks of the other processes can also begin the round. */
  default void together() {}

  /** The nanoseconds of the slowest rank for all calls of the round. */
  void took(long nanos);

  /** The same rounds in all processes of a job: one process decides, and the slowest one counts. */
  final class OfJob implements RankRounds {

    private final JobRank job;
    private final RankRounds rounds;

    OfJob(JobRank job, RankRounds rounds) {
      this.job = job;
      this.rounds = rounds;
    }

    @Override
    public int next() {
      return (int) job.reported(job.isReporter() ? rounds.next() : 0);
    }

    @Override
    public void together() {
      job.barrier();
    }

    @Override
    public void took(long nanos) {
      rounds.took(job.most(nanos));
    }
  }

  /** Long rounds until their times have settled. */
  final class WarmUp implements RankRounds {

    private static final long WINDOW_NANOS = 40_000_000;
    private static final int MAX_BATCH = 1 << 24;
    private static final int MAX_GROWTH = 8;

    private final Clock clock;
    private final long endNanos;
    private final Settling settling;
    private int batch = 1;
    private double callNanos;

    /**
     * Rounds for at most {@code longestNanos}.
     *
     * @param windows the number of rounds in a row, none faster than all earlier ones, after which
     *     times are settled
     */
    WarmUp(Clock clock, long longestNanos, int windows) {
      this.clock = clock;
      this.endNanos = clock.nanoTime() + longestNanos;
      this.settling = new Settling(windows);
    }

    @Override
    public int next() {
      boolean hasRun = callNanos > 0;
      return hasRun && (settling.isSettled() || clock.nanoTime() - endNanos >= 0) ? 0 : batch;
    }

    @Override
    public void took(long nanos) {
      callNanos = (double) Math.max(1, nanos) / batch;
      if (nanos * 2 >= WINDOW_NANOS) {
        settling.add(callNanos);
      }
      int most = (int) Math.min(MAX_BATCH, (long) batch * MAX_GROWTH);
      batch = Math.clamp((long) (WINDOW_NANOS / callNanos), 1, most);
    }

    /** The nanoseconds of one call of the last round. */
    double callNanos() {
      return callNanos;
    }
  }

  /** Rounds of one length, each of which is a sample. */
  final class Samples implements RankRounds {

    private static final double NANOS_PER_MICRO = 1e3;

    private final Clock clock;
    private final long endNanos;
    private final int batch;
    private final int fewest;
    private final double[] micros;
    private volatile int count;

    /**
     * Rounds until {@code budgetNanos} are over.
     *
     * @param batch the calls of each round
     * @param fewest the smallest number of rounds, even if the time is over
     * @param most the largest number of rounds, even if the time is not over
     */
    Samples(Clock clock, long budgetNanos, int batch, int fewest, int most) {
      this.clock = clock;
      this.endNanos = clock.nanoTime() + budgetNanos;
      this.batch = batch;
      this.fewest = fewest;
      this.micros = new double[most];
    }

    @Override
    public int next() {
      boolean isWanted =
          count < fewest || (count < micros.length && clock.nanoTime() - endNanos < 0);
      return isWanted ? batch : 0;
    }

    @Override
    public void took(long nanos) {
      int round = count;
      micros[round] = nanos / NANOS_PER_MICRO / batch;
      count = round + 1;
    }

    /** The microseconds of one call, by round. */
    Distribution micros() {
      return Distribution.of(Arrays.copyOf(micros, count));
    }

    /**
     * The same while rounds are still running; empty before the first one is over. Any thread may
     * call this.
     */
    Optional<Distribution> soFar() {
      int rounds = count;
      return rounds == 0
          ? Optional.empty()
          : Optional.of(Distribution.of(Arrays.copyOf(micros, rounds)));
    }
  }
}
