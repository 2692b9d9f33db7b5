package dev.tutti.cli;

import dev.tutti.host.Request;
import dev.tutti.host.call.CallOptions;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * What was measured for one request.
 *
 * @param name the operation
 * @param request what ran
 * @param ranks the number of ranks
 * @param bytes the full vector of one rank
 * @param times the times of single runs
 * @param b2bMicros the time of one run among many back to back; NaN if it was not measured
 * @param hop the machine's state before and after
 * @param isVerified whether results were compared with independent ones
 */
record Measurement(
    OperationName name,
    Request request,
    int ranks,
    long bytes,
    Times times,
    double b2bMicros,
    HopRange hop,
    boolean isVerified) {

  double algorithmBandwidth() {
    return Bandwidth.algorithm(bytes, times.medianMicros());
  }

  double busBandwidth() {
    return algorithmBandwidth() * Bandwidth.busFactor(name.operation(), ranks);
  }

  /** The count, of one block where the operation has blocks; 0 without data. */
  long count() {
    long elements = bytes / request.call().dataType().size();
    return name.countsWholeVector() ? elements : elements / ranks;
  }

  /** One line for programs; names and order of the first keys are fixed. */
  String toJson() {
    Algorithm algorithm = request.algorithm();
    CallOptions options = request.options();
    return new JsonLine()
        .put("operation", name.label())
        .put("algorithm", algorithm.name())
        .put("plugin", algorithm.plugin())
        .put("version", algorithm.version())
        .put("ranks", ranks)
        .put("bytes", bytes)
        .put("count", count())
        .put("type", request.call().dataType().label())
        .put("op", opLabel())
        .put("mode", options.modeLabel())
        .put("protocol", options.protocol().label())
        .put("inPlace", request.isInPlace())
        .put("iterations", times.count())
        .put("minMicros", times.minMicros())
        .put("medianMicros", times.medianMicros())
        .put("p95Micros", times.p95Micros())
        .put("algbwGBps", algorithmBandwidth())
        .put("busbwGBps", busBandwidth())
        .put("verified", isVerified)
        .putIfMeasured("b2bMicros", b2bMicros)
        .putIfMeasured("hopNanosBefore", hop.beforeNanos())
        .putIfMeasured("hopNanosAfter", hop.afterNanos())
        .toString();
  }

  private @Nullable String opLabel() {
    ReduceOp op = request.call().reduceOp();
    return op == null ? null : op.label();
  }
}
