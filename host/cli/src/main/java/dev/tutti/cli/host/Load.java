package dev.tutti.cli.host;

import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.JobRank;
import dev.tutti.cli.request.Together;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * An operation that runs on its own group, without pause or at a given rate. Every second, the load
 * compares the results with independently computed ones, and makes a new request, which gets the
 * algorithm that is best at that time. In between, the same request keeps running, even if its
 * plugin changes.
 */
public final class Load implements AutoCloseable {

  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long ROUND_NANOS = SECOND_NANOS;
  private static final long FAILURE_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  /** The number of runs of each rank between two decisions of the deciding rank. */
  private static final long BATCH = 16;

  /** The value that ends the load. */
  private static final long END = -1;

  private final Context context;
  private final OperationSpec spec;
  private final int rate;
  private final Collection<GroupUse> groups;
  private final Consumer<String> news;
  private final MeasurementOptions options = new MeasurementOptions();
  private final LongAdder runs = new LongAdder();
  private final LongAdder verified = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;
  private long seed = options.seed();
  private volatile String algorithm = "";
  private volatile String lastFailure = "";
  private boolean isFailing;

  /**
   * Starts at once.
   *
   * @param rate the largest number of runs per second; 0 for no limit
   * @param groups contains the group of the load while there is one
   * @param news gets a sentence when it begins to fail, and when it works again
   */
  Load(
      Context context,
      OperationSpec spec,
      int rate,
      Collection<GroupUse> groups,
      Consumer<String> news) {
    this.context = context;
    this.spec = spec;
    this.rate = rate;
    this.groups = groups;
    this.news = news;
    thread = Thread.ofPlatform().daemon().name("tutti-load").start(this::work);
  }

  /**
   * The counts of a load so far.
   *
   * @param operation the operation
   * @param ranks the number of ranks
   * @param bytes the size of the data
   * @param algorithm the algorithm, {@code "plugin:name version"}; empty before the first run
   * @param runs the number of runs
   * @param verified the number of runs that were compared and correct
   * @param wrong the number of runs that were compared and wrong
   * @param failures the number of failures to plan or run it
   * @param lastFailure the last failure; empty if there was none
   */
  public record Counts(
      String operation,
      int ranks,
      long bytes,
      String algorithm,
      long runs,
      long verified,
      long wrong,
      long failures,
      String lastFailure) {}

  public Counts counts() {
    return new Counts(
        spec.name().label(),
        spec.topology().rankSize(),
        UniformCalls.messageBytes(
            UniformCalls.params(spec.call(), spec.topology(), spec.isInPlace())),
        algorithm,
        runs.sum(),
        verified.sum(),
        wrong.sum(),
        failures.sum(),
        lastFailure);
  }

  private void work() {
    while (!isStopped()) {
      GroupUse use = new GroupUse("load", Instant.now(), spec.topology().rankSize());
      groups.add(use);
      try (Group group = context.createGroup(spec.topology())) {
        boolean goesOn = true;
        while (goesOn) {
          goesOn = round(group);
        }
        return;
      } catch (TuttiException e) {
        // The group may be poisoned; the next group is not.
        failed(e);
      } finally {
        groups.remove(use);
      }
    }
  }

  /** Runs for a while; returns whether there is another round. */
  private boolean round(Group group) {
    try (CheckedRequest measured = new CheckedRequest(context, group, spec, options);
        Together together = Together.of(context, measured)) {
      JobRank job = together.job();
      verify(measured, together);
      boolean goesOn = job == null ? run(measured) : run(measured, job);
      verify(measured, together);
      return goesOn;
    }
  }

  private boolean run(CheckedRequest measured) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < ROUND_NANOS && !isStopped()) {
      measured.request().run();
      runs.increment();
      pauseAfter(1);
    }
    return !isStopped();
  }

  /** Pauses after some runs, as the rate requires, or until the load ends. */
  private void pauseAfter(long someRuns) {
    if (rate > 0) {
      pause(someRuns * SECOND_NANOS / rate);
    }
  }

  private void pause(long nanos) {
    try {
      boolean _ = stop.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop.countDown();
    }
  }

  /** Runs as one of the ranks; one rank decides when a round ends, and which is the last. */
  private boolean run(CheckedRequest measured, JobRank job) {
    Runnable call = measured.ownCall();
    long start = System.nanoTime();
    while (true) {
      long own = isStopped() ? END : System.nanoTime() - start < ROUND_NANOS ? batch() : 0;
      long batch = job.reported(own);
      if (batch <= 0) {
        return batch != END;
      }
      for (int i = 0; i < batch; i++) {
        if (call != null) {
          call.run();
        }
        runs.increment();
      }
      pauseAfter(batch);
    }
  }

  /**
   * The runs before the next pause: those of a tenth of a second at most, so that pauses are short.
   */
  private long batch() {
    return rate == 0 ? BATCH : Math.clamp(rate / 10, 1, BATCH);
  }

  private void verify(CheckedRequest measured, Together together) {
    boolean isJob = together.job() != null;
    together.verify(isJob ? measured::runAsRanks : measured.request()::run, seed++);
    runs.increment();
    verified.increment();
    if (!isJob || measured.ownCall() != null) {
      Algorithm used = measured.ran().algorithm();
      algorithm = used.qualifiedName() + " " + used.version();
    }
    if (isFailing) {
      isFailing = false;
      news.accept("the load works again, with " + algorithm);
    }
  }

  private void failed(TuttiException e) {
    (e.code() == ErrorCode.WRONG_RESULT ? wrong : failures).increment();
    lastFailure = e.getLocalizedMessage();
    if (!isFailing) {
      isFailing = true;
      news.accept("the load fails: " + lastFailure);
    }
    pause(FAILURE_PAUSE_NANOS);
  }

  private boolean isStopped() {
    return stop.getCount() == 0;
  }

  /** Waits for the end of the current run. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
