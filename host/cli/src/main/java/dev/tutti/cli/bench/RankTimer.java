package dev.tutti.cli.bench;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.idle.Idler;
import dev.tutti.base.idle.Waiting;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.request.RankBuffers;
import dev.tutti.host.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Times the blocking calls of ranks; each rank has its own thread. All ranks make the same number
 * of calls in a round, between two {@link RankBarrier}s. A rank's time begins when it leaves the
 * first barrier and ends with its last call; a round takes as long as its slowest rank, as in
 * benchmarks of MPI.
 *
 * <p>An exception of a rank's call ends the measurement and is thrown to its caller. Ranks that
 * wait for that rank end, too.
 */
final class RankTimer implements OperationTimer {

  private static final int MAX_SAMPLES = 1 << 18;

  private final Group group;
  private final List<@Nullable Runnable> calls;
  private final boolean isVirtual;
  private final Waiting waiting;

  /** The nanoseconds of a rank's calls in a round; written and read in different phases of it. */
  private final long[] nanos;

  private final int participants;
  private final int first;

  /** The calls of the next round; the first rank writes it before it begins the round. */
  private int batch;

  /** The time of one call in the warm-up, in nanoseconds. */
  private double callNanos = RankRounds.BATCH_NANOS;

  /**
   * Makes a timer for the calls of a group.
   *
   * @param calls the blocking call of each rank, for the rank's thread; null if the rank takes no
   *     part or is in another process; at least one takes part
   * @param callers the kind of threads of the ranks
   */
  RankTimer(Group group, List<@Nullable Runnable> calls, Callers callers, Waiting waiting) {
    this.group = group;
    this.calls = new ArrayList<>(calls);
    this.isVirtual = callers == Callers.VIRTUAL;
    this.waiting = waiting;
    this.nanos = new long[calls.size()];
    this.participants = Math.toIntExact(calls.stream().filter(Objects::nonNull).count());
    int rank = 0;
    while (calls.get(rank) == null) {
      rank++;
    }
    this.first = rank;
  }

  @Override
  public void runOnce() {
    run(new RankRounds.Samples(clock(), 0, 1, 1, 1), null);
  }

  @Override
  public void warmUp(Duration longest) {
    RankRounds.WarmUp rounds =
        new RankRounds.WarmUp(clock(), longest.toNanos(), RankRounds.SETTLED_WINDOWS);
    run(rounds, null);
    callNanos = rounds.callNanos();
  }

  @Override
  public Distribution micros(Duration budget, @Nullable RankBuffers touched) {
    return samples(budget, 1, touched);
  }

  @Override
  public Distribution micros(int calls) {
    RankRounds.Samples samples = new RankRounds.Samples(clock(), 0, 1, calls, calls);
    run(samples, null);
    return samples.micros();
  }

  @Override
  public double backToBackMicros(Duration budget) {
    int calls = RankRounds.backToBack(callNanos);
    return samples(budget, calls, null).median();
  }

  private Distribution samples(Duration budget, int batch, @Nullable RankBuffers touched) {
    RankRounds.Samples samples =
        new RankRounds.Samples(
            clock(), budget.toNanos(), batch, RankRounds.MIN_ROUNDS, MAX_SAMPLES);
    run(samples, touched);
    return samples.micros();
  }

  private Clock clock() {
    return waiting.clock();
  }

  /** Runs rounds on a thread per rank and waits for all of them. */
  void run(RankRounds rounds, @Nullable RankBuffers touched) {
    RankBarrier barrier = new RankBarrier(participants, waiting);
    group.run(
        rank -> {
          int number = rank.rank();
          Runnable call = calls.get(number);
          if (call != null) {
            Runnable body = () -> run(number, call, rounds, touched, barrier);
            if (isVirtual) {
              body.run();
            } else {
              runOnPlatformThread(number, body);
            }
          }
        });
  }

  /**
   * Runs on a new thread. The group's own thread of the rank only waits, and throws if the body
   * does.
   */
  private static void runOnPlatformThread(int rank, Runnable body) {
    Thread.Builder.OfPlatform threads =
        Thread.ofPlatform().daemon().name("tutti-bench-rank-" + rank);
    try {
      CompletableFuture.runAsync(body, threads::start).join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw e;
      }
    }
  }

  private void run(
      int rank,
      Runnable call,
      RankRounds rounds,
      @Nullable RankBuffers touched,
      RankBarrier barrier) {
    Idler idler = barrier.newIdler();
    try {
      boolean goesOn = true;
      while (goesOn) {
        if (rank == first) {
          batch = rounds.next();
        }
        if (touched != null) {
          touched.touch(rank);
        }
        if (rank == first && batch > 0) {
          rounds.together();
        }
        goesOn = barrier.await(idler) && batch > 0 && round(rank, call, barrier, idler);
        if (goesOn && rank == first) {
          rounds.took(slowest());
        }
      }
    } catch (Throwable t) {
      barrier.leave();
      throw t;
    }
  }

  private boolean round(int rank, Runnable call, RankBarrier barrier, Idler idler) {
    nanos[rank] = nanosOf(call, batch);
    return barrier.await(idler);
  }

  private long nanosOf(Runnable call, int times) {
    Clock clock = waiting.clock();
    long start = clock.nanoTime();
    for (int i = 0; i < times; i++) {
      call.run();
    }
    return clock.nanoTime() - start;
  }

  private long slowest() {
    long slowest = 0;
    for (long each : nanos) {
      slowest = Math.max(slowest, each);
    }
    return slowest;
  }
}
