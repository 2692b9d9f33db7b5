package dev.tutti.cli.tune.network;

import dev.tutti.simulator.PerByte;
import java.util.List;

/**
 * What was measured of one kind of link.
 *
 * @param name the field of a network file: a level, or the uplink of a node
 * @param pairs the pairs of ranks that shared the link
 * @param samples the times of a pair's messages by their size
 * @param fit the line through them
 */
record MeasuredLink(String name, int pairs, List<LinkSample> samples, LinkFit fit) {

  /** Fits the line; what several pairs share has a bandwidth only. */
  static MeasuredLink of(String name, int pairs, List<LinkSample> samples) {
    LinkFit fit = pairs > 1 ? LinkFit.ofBandwidth(samples.getLast()) : LinkFit.of(samples);
    return new MeasuredLink(name, pairs, List.copyOf(samples), fit);
  }

  /** The cost of a byte for all pairs together. */
  PerByte perByte() {
    return PerByte.bandwidth(Math.round(bytesPerSecond()));
  }

  /** The bandwidth for all pairs together. */
  double bytesPerSecond() {
    return pairs * fit.bytesPerSecond();
  }
}
