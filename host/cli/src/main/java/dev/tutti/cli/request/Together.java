package dev.tutti.cli.request;

import dev.tutti.host.Context;
import org.jspecify.annotations.Nullable;

/**
 * The processes that measure: this one alone for all ranks, or all processes of a job.
 *
 * @param measured the measured request
 * @param job the rank of this process; null if all ranks are here
 */
public record Together(CheckedRequest measured, @Nullable JobRank job) implements AutoCloseable {

  /** The processes that measure for the ranks of a context. */
  public static Together of(Context context, CheckedRequest measured) {
    return new Together(
        measured,
        JobRank.isOf(context)
            ? new JobRank(context, measured.group(), measured.firstRank(), measured.deadline())
            : null);
  }

  /** Whether this process reports the measurement. */
  public boolean isReporter() {
    return job == null || job.isReporter();
  }

  /**
   * Runs once on seeded data and compares all results, if checks were requested. If not, a job
   * still runs once.
   */
  public void verify(Runnable run, long seed) {
    if (job == null) {
      measured.verify(run, seed);
    } else if (measured.isVerified()) {
      job.together(() -> measured.verify(run, seed));
    } else {
      run.run();
    }
  }

  /** The same, but counts the wrong elements of all ranks. */
  public long countWrong(Runnable run, long seed) {
    if (job == null) {
      return measured.countWrong(run, seed);
    }
    if (!measured.isVerified()) {
      run.run();
      return 0;
    }
    long[] own = new long[1];
    job.together(() -> own[0] = measured.countWrong(run, seed));
    return job.sum(own[0]);
  }

  @Override
  public void close() {
    if (job != null) {
      job.close();
    }
  }
}
