package dev.tutti.host.cli;

import dev.tutti.host.CallOptions;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.pool.Candidate;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the candidates of one cell in turns, on the same buffers: whatever disturbs the machine
 * meets all of them. A time is that of a run until every rank has its result, and so the maximum
 * over ranks.
 */
final class TuneTrial implements AutoCloseable {

  private static final int MIN_ROUNDS = 5;
  private static final int MAX_ROUNDS = 15;
  private static final int MIN_WARM_RUNS = 3;
  private static final long WARM_NANOS = 10_000_000;
  private static final long BATCH_NANOS = 1_500_000;
  private static final double NANOS_PER_MICRO = 1e3;

  private final List<@Nullable OpParam> params;
  private final Buffers buffers;
  private final List<Entrant> entrants = new ArrayList<>();

  /** A candidate with its request, and the times of its batches. */
  private static final class Entrant {
    private final Candidate candidate;
    private final Request request;
    private final double[] micros = new double[MAX_ROUNDS];
    private int batch = 1;
    private int rounds;

    Entrant(Candidate candidate, Request request) {
      this.candidate = candidate;
      this.request = request;
    }

    void warmUp() {
      long start = System.nanoTime();
      int runs = 0;
      while (runs < MIN_WARM_RUNS || System.nanoTime() - start < WARM_NANOS) {
        request.run();
        runs++;
      }
      long nanos = (System.nanoTime() - start) / runs;
      batch = Math.toIntExact(Math.clamp(BATCH_NANOS / Math.max(1, nanos), 1, 1 << 20));
    }

    /** One run to bring its memory near, and then a batch that counts. */
    void measure() {
      request.run();
      long start = System.nanoTime();
      for (int i = 0; i < batch; i++) {
        request.run();
      }
      micros[rounds++] = (System.nanoTime() - start) / NANOS_PER_MICRO / batch;
    }

    double median() {
      double[] sorted = Arrays.copyOf(micros, rounds);
      Arrays.sort(sorted);
      return sorted[rounds / 2];
    }
  }

  /**
   * Builds a request for each candidate; those that cannot be built are left out.
   *
   * @param candidates all of them take the request
   */
  TuneTrial(Context context, Group group, Asked asked, List<Candidate> candidates) {
    params = Calls.params(asked.call(), asked.topology(), asked.isInPlace());
    buffers = new Buffers(context, MemoryKind.REGISTERED, params, asked.isInPlace(), false);
    try {
      for (Candidate candidate : candidates) {
        add(group, asked, candidate);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void add(Group group, Asked asked, Candidate candidate) {
    CallOptions options =
        asked
            .options()
            .withAlgorithm(candidate.algorithm().qualifiedName())
            .withParameters(candidate.parameters());
    Request request;
    try {
      request =
          group
              .request(asked.call())
              .options(options)
              .buffers(buffers.inputs(), buffers.outputs())
              .build();
    } catch (TuttiException e) {
      if (e.code() == ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      return;
    }
    boolean isNew =
        candidate.parameters().values().isEmpty()
            || entrants.stream().noneMatch(each -> each.request.plan().equals(request.plan()));
    if (isNew) {
      entrants.add(new Entrant(candidate, request));
    } else {
      request.close();
    }
  }

  /** The size by which algorithms are chosen. */
  long bytes() {
    return Calls.messageBytes(params);
  }

  /** Measures, in a number of rounds that a time allows; nothing if no request could be built. */
  List<TuneResult.Time> measure(Duration budget) {
    long start = System.nanoTime();
    entrants.forEach(Entrant::warmUp);
    for (int round = 0; round < MAX_ROUNDS; round++) {
      if (round >= MIN_ROUNDS && System.nanoTime() - start > budget.toNanos()) {
        break;
      }
      entrants.forEach(Entrant::measure);
    }
    return entrants.stream()
        .map(each -> new TuneResult.Time(each.candidate, each.median()))
        .toList();
  }

  @Override
  public void close() {
    entrants.forEach(each -> each.request.close());
    buffers.close();
  }
}
