package dev.tutti.cli.tune.network;

import dev.tutti.simulator.LinkTerms;
import dev.tutti.simulator.PerByte;
import java.util.List;

/**
 * The line {@code latency + bytes × nanosPerByte} through the times of a link.
 *
 * @param latency nanoseconds of a message without bytes
 * @param nanosPerByte the inverse of the bandwidth
 */
record LinkFit(double latency, double nanosPerByte) {

  private static final double PICO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The line with the least sum of squares of relative errors, so that short messages count as much
   * as long ones. Neither latency nor bandwidth is negative. Other work on the machines makes times
   * longer and never shorter, so the time of a message counts at most as much as that of each
   * message with more bytes. If these times do not grow, the line has the largest latency and the
   * largest cost of a byte that they allow.
   *
   * @param samples at least one, the shortest message first
   */
  static LinkFit of(List<LinkSample> samples) {
    double ones = 0;
    double bytes = 0;
    double squares = 0;
    double latencies = 0;
    double slopes = 0;
    double nanos = Double.POSITIVE_INFINITY;
    for (LinkSample each : samples.reversed()) {
      nanos = Math.min(nanos, each.nanos());
      // Both terms of the line, relative to the measured time.
      double one = 1 / nanos;
      double many = each.bytes() / nanos;
      ones += one * one;
      bytes += one * many;
      squares += many * many;
      latencies += one;
      slopes += many;
    }
    LinkSample longest = samples.getLast();
    if (nanos == longest.nanos()) {
      return new LinkFit(nanos, ofBandwidth(longest).nanosPerByte());
    }
    double slope = (ones * slopes - bytes * latencies) / (ones * squares - bytes * bytes);
    double latency = (latencies - slope * bytes) / ones;
    return latency < 0 ? new LinkFit(0, slopes / squares) : new LinkFit(latency, slope);
  }

  /** The line of a bandwidth alone, for messages so long that their latency does not count. */
  static LinkFit ofBandwidth(LinkSample longest) {
    return new LinkFit(0, longest.nanos() / longest.bytes());
  }

  /** The time of a message in nanoseconds. */
  double nanos(long bytes) {
    return latency + bytes * nanosPerByte;
  }

  /** The mean relative error over some samples. */
  double error(List<LinkSample> samples) {
    return samples.stream()
        .mapToDouble(each -> Math.abs(nanos(each.bytes()) / each.nanos() - 1))
        .average()
        .orElse(0);
  }

  double bytesPerSecond() {
    return NANOS_PER_SECOND / nanosPerByte;
  }

  /** The cost of a byte. */
  PerByte perByte() {
    return PerByte.bandwidth(Math.round(bytesPerSecond()));
  }

  /** The terms of a level of a network model. */
  LinkTerms terms() {
    return LinkTerms.of(Math.round(latency * PICO), perByte());
  }
}
