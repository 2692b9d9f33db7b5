package dev.tutti.cli;

import dev.tutti.host.CallOptions;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of a comparison on the same buffers. Each batch has a group and memory of its own: where
 * pages happen to lie makes one algorithm faster and the next slower, and that must not decide.
 */
final class MeasurementBatch implements AutoCloseable {

  /** Whatever holds up the process for a while must not end a measurement of many minutes. */
  private static final Duration DEADLINE = Duration.ofHours(1);

  private static final int MIN_WARM_RUNS = 2;
  private static final long BATCH_NANOS = 1_500_000;
  private static final int MAX_BATCH = 1 << 20;
  private static final double NANOS_PER_MICRO = 1e3;

  private final Group group;
  private final Buffers buffers;
  private final List<Runner> runners = new ArrayList<>();

  /** A lane that takes part, and what it runs. */
  private static final class Runner {
    private final CandidateSamples samples;
    private final Request request;
    private final double[] micros;
    private int batch = 1;

    Runner(CandidateSamples samples, Request request, int rounds) {
      this.samples = samples;
      this.request = request;
      this.micros = new double[rounds];
    }

    void warmUp(long longest) {
      long start = System.nanoTime();
      int runs = 0;
      while (runs < MIN_WARM_RUNS || System.nanoTime() - start < longest) {
        request.run();
        runs++;
      }
      long nanos = (System.nanoTime() - start) / runs;
      batch = Math.toIntExact(Math.clamp(BATCH_NANOS / Math.max(1, nanos), 1, MAX_BATCH));
    }

    /** One run to bring its memory near, and then a batch that counts. */
    void measure(int round) {
      request.run();
      long start = System.nanoTime();
      for (int i = 0; i < batch; i++) {
        request.run();
      }
      micros[round] = (System.nanoTime() - start) / NANOS_PER_MICRO / batch;
    }
  }

  /**
   * Builds a request for each lane that is in; one whose request cannot be built leaves, and so
   * does one whose parameters change nothing in the plan of another one.
   *
   * @param rounds how often each is measured
   */
  MeasurementBatch(HostUse host, Cell cell, List<CandidateSamples> candidates, int rounds) {
    OperationSpec spec = cell.spec();
    List<@Nullable OpParam> params = Calls.params(spec.call(), spec.topology(), spec.isInPlace());
    group = host.createGroup(cell.topology());
    try {
      buffers = new Buffers(host.context(), MemoryKind.REGISTERED, params, spec.isInPlace(), false);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
    try {
      candidates.stream()
          .filter(CandidateSamples::isIn)
          .forEach(samples -> add(spec, samples, rounds));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void add(OperationSpec spec, CandidateSamples samples, int rounds) {
    CallOptions options =
        spec.options()
            .withDeadline(DEADLINE)
            .withAlgorithm(samples.candidate().algorithm().qualifiedName())
            .withParameters(samples.candidate().parameters());
    Request request;
    try {
      request =
          group
              .request(spec.call())
              .options(options)
              .buffers(buffers.inputs(), buffers.outputs())
              .build();
    } catch (TuttiException e) {
      if (e.code() == ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      samples.leave();
      return;
    }
    if (isNew(samples, request)) {
      runners.add(new Runner(samples, request, rounds));
    } else {
      request.close();
      samples.leave();
    }
  }

  private boolean isNew(CandidateSamples samples, Request request) {
    return samples.isTwin()
        || samples.candidate().parameters().values().isEmpty()
        || runners.stream().noneMatch(each -> each.request.plan().equals(request.plan()));
  }

  /** Measures all lanes in turns, each round in another order. */
  void run(Duration warmUp) {
    runners.forEach(runner -> runner.warmUp(warmUp.toNanos()));
    int count = runners.size();
    int rounds = count == 0 ? 0 : runners.getFirst().micros.length;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < count; i++) {
        int turn = round % 2 == 0 ? i : count - 1 - i;
        runners.get((turn + round / 2) % count).measure(round);
      }
    }
  }

  /** Hands the lanes of the comparison their times. */
  void handOver(List<CandidateSamples> candidates) {
    candidates.forEach(samples -> samples.add(times(samples)));
  }

  private double[] times(CandidateSamples samples) {
    return runners.stream()
        .filter(runner -> runner.samples == samples)
        .map(runner -> runner.micros)
        .findFirst()
        .orElseGet(() -> new double[0]);
  }

  @Override
  public void close() {
    runners.forEach(runner -> runner.request.close());
    buffers.close();
    group.close();
  }
}
