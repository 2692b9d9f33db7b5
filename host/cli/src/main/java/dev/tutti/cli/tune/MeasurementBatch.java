package dev.tutti.cli.tune;

import dev.tutti.cli.host.HostUse;
import dev.tutti.cli.measure.MeasurementRounds;
import dev.tutti.cli.options.MemoryKind;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.cli.request.RankBuffers;
import dev.tutti.host.Group;
import dev.tutti.host.Request;
import dev.tutti.host.call.CallOptions;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.param.OpParam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of a comparison on the same buffers. Each batch has its own group and memory: the
 * placement of pages makes one algorithm faster and another slower, and must not decide.
 */
final class MeasurementBatch implements AutoCloseable {

  /** A delay of the process must not end a measurement of many minutes. */
  private static final Duration DEADLINE = Duration.ofHours(1);

  private static final double NANOS_PER_MICRO = 1e3;

  private final Group group;
  private final RankBuffers buffers;
  private final List<Lane> lanes = new ArrayList<>();
  private List<double[]> nanos = List.of();

  /** The samples of a candidate, and the request that runs for them. */
  private record Lane(CandidateSamples samples, Request request) {}

  /**
   * Builds a request for each remaining candidate. A candidate leaves if its request cannot be
   * built, or if it sets parameters and another candidate has the same plan.
   */
  MeasurementBatch(HostUse host, SweepPoint cell, List<CandidateSamples> candidates) {
    OperationSpec spec = cell.spec();
    List<@Nullable OpParam> params =
        UniformCalls.params(spec.call(), spec.topology(), spec.isInPlace());
    group = host.createGroup(cell.topology());
    try {
      buffers =
          new RankBuffers(host.context(), MemoryKind.REGISTERED, params, spec.isInPlace(), false);
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
    try {
      candidates.stream().filter(CandidateSamples::isIn).forEach(samples -> add(spec, samples));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void add(OperationSpec spec, CandidateSamples samples) {
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
      lanes.add(new Lane(samples, request));
    } else {
      request.close();
      samples.leave();
    }
  }

  private boolean isNew(CandidateSamples samples, Request request) {
    return samples.isTwin()
        || samples.candidate().parameters().values().isEmpty()
        || lanes.stream().noneMatch(each -> each.request.plan().equals(request.plan()));
  }

  /** Measures all candidates in turns. */
  void run(Duration warmUp, int count) {
    MeasurementRounds rounds =
        new MeasurementRounds(lanes.stream().map(lane -> (Runnable) lane.request::run).toList());
    rounds.warmUp(warmUp);
    nanos = rounds.run(round -> round < count);
  }

  /** Adds the times to the candidates; those that did not take part get none. */
  void handOver(List<CandidateSamples> candidates) {
    List<CandidateSamples> measured = lanes.stream().map(Lane::samples).toList();
    for (CandidateSamples samples : candidates) {
      int lane = measured.indexOf(samples);
      double[] times = lane < 0 ? new double[0] : nanos.get(lane);
      samples.add(Arrays.stream(times).map(each -> each / NANOS_PER_MICRO).toArray());
    }
  }

  @Override
  public void close() {
    lanes.forEach(lane -> lane.request.close());
    buffers.close();
    group.close();
  }
}
