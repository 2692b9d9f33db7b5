package dev.tutti.cli.tune.network;

import dev.tutti.base.idle.Clock;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.request.JobRank;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.sdk.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Times messages that go back and forth between pairs of ranks (ping-pong). All processes of the
 * job make the same calls; those without a rank of a pair send nothing. The process of rank 0,
 * which is in the first pair, measures the time. Not thread-safe.
 */
final class LinkProbe {

  /** The time of one batch of round trips: short, so that some batches run undisturbed. */
  private static final long BATCH_NANOS = 2_000_000;

  private static final int MOST_ROUND_TRIPS = 1000;
  private static final int FEWEST_BATCHES = 3;
  private static final int WARM_UP_PARTS = 4;

  private final Group group;
  private final JobRank job;
  private final Clock clock;
  private final AtomicLong measured = new AtomicLong();

  LinkProbe(Group group, JobRank job, Clock clock) {
    this.group = group;
    this.job = job;
    this.clock = clock;
  }

  /**
   * Ranks that send each other messages.
   *
   * @param first the rank that sends first
   * @param second the rank that answers
   */
  record Pair(int first, int second) {}

  /**
   * The time of a message, while all pairs send at the same time. Only rank 0's process gets it;
   * the others must ignore their result.
   *
   * @param pairs the first one has rank 0
   * @param budget the time for warm-up and measurement; the warm-up gets a quarter
   */
  LinkSample time(List<Pair> pairs, long bytes, Duration budget) {
    long warmUp = budget.toNanos() / WARM_UP_PARTS;
    double roundTrip = Math.max(1, batches(pairs, bytes, 1, warmUp).median());
    int trips = (int) Math.clamp(BATCH_NANOS / roundTrip, 1, MOST_ROUND_TRIPS);
    Distribution nanos =
        batches(pairs, bytes, (int) job.reported(trips), budget.toNanos() - warmUp);
    return new LinkSample(bytes, nanos.least() / 2, nanos.median() / nanos.least());
  }

  /** The times of a round trip, one for each batch. */
  private Distribution batches(List<Pair> pairs, long bytes, int trips, long nanos) {
    List<Double> times = new ArrayList<>();
    long start = clock.nanoTime();
    boolean isOver = false;
    while (!isOver) {
      group.run(rank -> batch(rank, pairs, bytes, trips));
      times.add((double) measured.get() / trips);
      isOver = times.size() >= FEWEST_BATCHES && clock.nanoTime() - start >= nanos;
      isOver = job.reported(isOver ? 1 : 0) == 1;
    }
    return Distribution.of(times.stream().mapToDouble(Double::doubleValue));
  }

  private void batch(RankHandle rank, List<Pair> pairs, long bytes, int trips) {
    for (Pair pair : pairs) {
      boolean isFirst = rank.rank() == pair.first();
      if (isFirst || rank.rank() == pair.second()) {
        int peer = isFirst ? pair.second() : pair.first();
        try (Arena arena = Arena.ofShared()) {
          MemorySegment memory = arena.allocate(bytes, Long.BYTES);
          RankRequest send = rank.requests().send(memory, DataType.INT8, peer);
          RankRequest receive = rank.requests().receive(memory, DataType.INT8, peer);
          trip(isFirst, send, receive);
          long start = clock.nanoTime();
          for (int trip = 0; trip < trips; trip++) {
            trip(isFirst, send, receive);
          }
          if (rank.rank() == 0) {
            measured.set(clock.nanoTime() - start);
          }
        }
      }
    }
  }

  private static void trip(boolean isFirst, RankRequest send, RankRequest receive) {
    if (isFirst) {
      send.start().await();
      receive.start().await();
    } else {
      receive.start().await();
      send.start().await();
    }
  }
}
