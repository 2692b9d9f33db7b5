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

  /** The fastest link that a fit finds: its bytes cost nothing that can be measured. */
  private static final double LEAST_NANOS_PER_BYTE = 1e-6;

  /**
   * The line with the least sum of squares of relative errors, so that short messages count as much
   * as long ones. Neither latency nor bandwidth is negative.
   *
   * @param samples at least one; with one, or with times that do not grow, all is latency
   */
  static LinkFit of(List<LinkSample> samples) {
    double ones = 0;
    double bytes = 0;
    double squares = 0;
    double latencies = 0;
    double slopes = 0;
    for (LinkSample each : samples) {
      // Both terms of the line, as parts of the measured time.
      double one = 1 / each.nanos();
      double many = each.bytes() / each.nanos();
      ones += one * one;
      bytes += one * many;
      squares += many * many;
      latencies += one;
      slopes += many;
    }
    double determinant = ones * squares - bytes * bytes;
    double slope = determinant <= 0 ? 0 : (ones * slopes - bytes * latencies) / determinant;
    if (slope <= LEAST_NANOS_PER_BYTE) {
      return new LinkFit(latencies / ones, LEAST_NANOS_PER_BYTE);
    }
    double latency = (latencies - slope * bytes) / ones;
    return latency < 0 ? new LinkFit(0, slopes / squares) : new LinkFit(latency, slope);
  }

  /** The line of a bandwidth alone: messages so long that their latency does not count. */
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
