package dev.tutti.cli.bench;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Waiting;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.request.RankBuffers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Times the blocking calls of the ranks of this process, while the other processes do the same. In
 * each round, all ranks make the same number of calls after a barrier. A rank's time begins when it
 * leaves the barrier; a round takes as long as its slowest rank. The reporter decides the number of
 * calls of a round. If the process has several ranks, each has its own thread. Not thread-safe.
 */
final class JobTimer implements OperationTimer {

  private static final int MAX_SAMPLES = 1 << 16;

  private final JobRank job;
  private final CheckedRequest measured;

  /** The blocking call of each rank of this process that takes part. */
  private final List<@Nullable Runnable> calls;

  /** The ranks of this process that take part. */
  private final int[] participants;

  private final Waiting waiting;
  private final Clock clock;

  /** The rounds that are currently timed; null if there are none. */
  private volatile RankRounds.@Nullable Samples current;

  /** The time of one call in the warm-up, in nanoseconds. */
  private double callNanos = RankRounds.BATCH_NANOS;

  JobTimer(JobRank job, CheckedRequest measured, Waiting waiting) {
    this.job = job;
    this.measured = measured;
    this.calls = measured.blockingCalls();
    this.participants =
        IntStream.range(0, calls.size()).filter(rank -> calls.get(rank) != null).toArray();
    this.waiting = waiting;
    this.clock = waiting.clock();
  }

  /** The number of ranks that share a processor, at least 1. */
  static int perProcessor(int ranks) {
    int processors = Runtime.getRuntime().availableProcessors();
    return (ranks + processors - 1) / processors;
  }

  @Override
  public void runOnce() {
    measured.runAsRanks();
  }

  @Override
  public void warmUp(Duration longest) {
    RankRounds.WarmUp rounds =
        new RankRounds.WarmUp(
            clock, longest.toNanos(), RankRounds.SETTLED_WINDOWS * perProcessor(measured.ranks()));
    run(rounds, null);
    callNanos = rounds.callNanos();
  }

  @Override
  public Distribution micros(Duration budget, @Nullable RankBuffers touched) {
    return samples(budget, 1, MAX_SAMPLES, touched);
  }

  @Override
  public Distribution micros(int calls) {
    return samples(Duration.ofNanos(1), 1, calls, null);
  }

  /**
   * The microseconds of the rounds completed so far, during timing; empty if there are none. Any
   * thread may call this.
   */
  Optional<Distribution> soFar() {
    return Optional.ofNullable(current).flatMap(RankRounds.Samples::soFar);
  }

  @Override
  public double backToBackMicros(Duration budget) {
    int calls = RankRounds.backToBack(callNanos);
    return samples(budget, calls, MAX_SAMPLES, null).median();
  }

  private Distribution samples(
      Duration budget, int batch, int most, @Nullable RankBuffers touched) {
    int fewest = budget.toNanos() == 1 ? most : RankRounds.MIN_ROUNDS;
    RankRounds.Samples samples =
        new RankRounds.Samples(clock, budget.toNanos(), batch, fewest, most);
    current = samples;
    run(samples, touched);
    current = null;
    return samples.micros();
  }

  /**
   * Runs rounds. Every process gets the time of every round, so that all have the same results in
   * the end.
   */
  private void run(RankRounds rounds, @Nullable RankBuffers touched) {
    RankRounds ofJob = new RankRounds.OfJob(job, rounds);
    if (participants.length > 1) {
      new RankTimer(measured.group(), calls, Callers.THREADS, waiting).run(ofJob, touched);
      return;
    }
    while (true) {
      int batch = ofJob.next();
      if (batch == 0) {
        return;
      }
      if (touched != null && participants.length == 1) {
        touched.touch(participants[0]);
      }
      ofJob.together();
      ofJob.took(nanosOf(batch));
    }
  }

  private long nanosOf(int batch) {
    Runnable own = participants.length == 0 ? null : calls.get(participants[0]);
    long start = clock.nanoTime();
    if (own != null) {
      for (int i = 0; i < batch; i++) {
        own.run();
      }
    }
    return clock.nanoTime() - start;
  }
}
