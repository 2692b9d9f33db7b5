package dev.tutti.cli.bench;

import dev.tutti.cli.chart.ChartPoint;
import dev.tutti.cli.measure.Bandwidth;
import dev.tutti.cli.measure.Distribution;
import dev.tutti.cli.options.Callers;
import dev.tutti.cli.request.CheckedRequest;
import dev.tutti.cli.request.RanWith;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.host.call.CallOptions;
import dev.tutti.plugin.Algorithm;

/**
 * The measurement of one request.
 *
 * @param of the measured request; it may be closed by now
 * @param callers the threads that made the calls
 * @param micros the times of single runs
 * @param b2bMicros the time of one run among many back to back; NaN if it was not measured
 * @param hop the machine's state before and after
 * @param wrong the number of wrong elements of all ranks in the worst comparison
 */
public record Measurement(
    CheckedRequest of,
    Callers callers,
    Distribution micros,
    double b2bMicros,
    HopRange hop,
    long wrong) {

  /** A measurement of single runs of an operation with correct results. */
  Measurement(CheckedRequest of, Callers callers, Distribution micros) {
    this(of, callers, micros, Double.NaN, HopRange.UNKNOWN, 0);
  }

  /** The 95th percentile, as a fraction. */
  static final double P95 = 0.95;

  /** The same with a number of wrong elements. */
  Measurement withWrong(long elements) {
    return new Measurement(of, callers, micros, b2bMicros, hop, elements);
  }

  /** Gigabytes per second, from the median time. */
  double algorithmBandwidth() {
    return algorithmBandwidth(micros.median());
  }

  double busBandwidth() {
    return busBandwidth(micros.median());
  }

  /** Gigabytes per second, from a time in microseconds. */
  double algorithmBandwidth(double time) {
    return Bandwidth.algorithm(of.bytes(), time);
  }

  double busBandwidth(double time) {
    return algorithmBandwidth(time) * Bandwidth.busFactor(of.name().operation(), of.ranks());
  }

  /** The point for a chart; its range goes from the shortest time to the 95th percentile. */
  ChartPoint point() {
    return new ChartPoint(
        of.name(),
        of.ranks(),
        of.ran().isInPlace(),
        of.ran().algorithm().name(),
        of.bytes(),
        micros.median(),
        micros.least(),
        micros.quantile(P95),
        0);
  }

  /** One line for programs; the names and the order of the first keys are fixed. */
  JsonLine json() {
    RanWith request = of.ran();
    Algorithm algorithm = request.algorithm();
    CallOptions options = request.options();
    return new JsonLine()
        .put("operation", of.name().label())
        .put("algorithm", algorithm.name())
        .put("plugin", algorithm.plugin())
        .put("version", algorithm.version())
        .put("ranks", of.ranks())
        .put("bytes", of.bytes())
        .put("count", of.count())
        .put("type", request.call().dataType().label())
        .put("op", request.opLabel())
        .put("mode", options.modeLabel())
        .put("protocol", options.protocols().label())
        .put("inPlace", request.isInPlace())
        .put("iterations", micros.count())
        .put("minMicros", micros.least())
        .put("medianMicros", micros.median())
        .put("p95Micros", micros.quantile(P95))
        .put("algbwGBps", algorithmBandwidth())
        .put("busbwGBps", busBandwidth())
        .put("verified", of.isVerified())
        .put("callers", callers.label())
        .putIfMeasured("b2bMicros", b2bMicros)
        .putIfMeasured("hopNanosBefore", hop.beforeNanos())
        .putIfMeasured("hopNanosAfter", hop.afterNanos());
  }
}
